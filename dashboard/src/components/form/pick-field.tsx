import { Button, Field, makeStyles, Tag, TagGroup, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useUnpressed } from '../../state/pressed.ts';
import { useFieldLabel } from './field-label.ts';
import { messageText } from './message-text.ts';
import { SearchCombobox } from './search-combobox.tsx';

interface PickFieldProps {
  name: string;
  label: string;
  hint?: string;
  choices: string[];
  placeholder?: string;
  isDisabled?: boolean;
  isRequired?: boolean;
}

/** A list up to this long is shown whole; of a longer one, so many names are. */
const maxShown = 12;
const shownAtFirst = 10;

const useStyles = makeStyles({
  more: { minWidth: 0, fontWeight: tokens.fontWeightRegular },
  tags: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalXS, paddingTop: tokens.spacingVerticalS },
  // A name that is wider than a phone is broken, so that all of it is read and its cross is in reach.
  tag: { minWidth: 0, maxWidth: '100%', height: 'auto', minHeight: '24px', overflowWrap: 'anywhere' },
});

/** Several of many names: type to narrow them down, take one away by its tag. The value is a list. */
export function PickField(props: PickFieldProps) {
  const { name, label, hint, choices, placeholder, isDisabled, isRequired } = props;
  const { t, i18n } = useTranslation('shell');
  const styles = useStyles();
  useFieldLabel(name, label);
  const { field, fieldState } = useController({ name });
  const [isWhole, setWhole] = useState(false);
  const message = useUnpressed(isDisabled ? undefined : fieldState.error?.message);
  const chosen: string[] = Array.isArray(field.value) ? field.value : [];
  const shown = isWhole || chosen.length <= maxShown ? chosen : chosen.slice(0, shownAtFirst);
  return (
    <div>
      <Field
        label={label}
        hint={hint}
        required={isRequired}
        validationState={message === undefined ? 'none' : 'error'}
        validationMessage={message === undefined ? undefined : messageText(message, i18n.language)}
      >
        <SearchCombobox
          ref={field.ref}
          multiselect
          placeholder={placeholder}
          disabled={isDisabled}
          choices={choices.map((choice) => ({ value: choice, text: choice }))}
          chosen={chosen}
          onChoose={field.onChange}
          onBlur={field.onBlur}
        />
      </Field>
      {chosen.length > 0 && (
        <TagGroup
          className={styles.tags}
          aria-label={label}
          size="small"
          onDismiss={(_event, { value }) => field.onChange(chosen.filter((one) => one !== value))}
        >
          {shown.map((one) => (
            <Tag
              key={one}
              className={styles.tag}
              value={one}
              shape="circular"
              dismissible={!isDisabled}
              dismissIcon={isDisabled ? undefined : { 'aria-label': t('action.remove') }}
            >
              {one}
            </Tag>
          ))}
        </TagGroup>
      )}
      {shown.length < chosen.length && (
        <Button appearance="subtle" size="small" className={styles.more} onClick={() => setWhole(true)}>
          {t('form.showAll', { count: chosen.length })}
        </Button>
      )}
    </div>
  );
}
