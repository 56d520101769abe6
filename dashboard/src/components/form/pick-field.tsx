import { Field, makeStyles, Tag, TagGroup, tokens } from '@fluentui/react-components';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useUnpressed } from '../../state/pressed.ts';
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

const useStyles = makeStyles({
  tags: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalXS, paddingTop: tokens.spacingVerticalS },
});

/** Several of many names: type to narrow them down, take one away by its tag. The value is a list. */
export function PickField(props: PickFieldProps) {
  const { name, label, hint, choices, placeholder, isDisabled, isRequired } = props;
  const { t, i18n } = useTranslation('shell');
  const styles = useStyles();
  const { field, fieldState } = useController({ name });
  const message = useUnpressed(isDisabled ? undefined : fieldState.error?.message);
  const chosen: string[] = Array.isArray(field.value) ? field.value : [];
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
          {chosen.map((one) => (
            <Tag
              key={one}
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
    </div>
  );
}
