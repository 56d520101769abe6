import { Combobox, Field, makeStyles, Option, Tag, TagGroup, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { messageText } from './message-text.ts';

interface PickFieldProps {
  name: string;
  label: string;
  hint?: string;
  choices: string[];
  placeholder?: string;
  isDisabled?: boolean;
  isRequired?: boolean;
}

/** More would make the list slow, and nobody reads that far. */
const mostShown = 100;

const useStyles = makeStyles({
  tags: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalXS, paddingTop: tokens.spacingVerticalS },
});

/** Several of many names: type to narrow them down, take one away by its tag. The value is a list. */
export function PickField(props: PickFieldProps) {
  const { name, label, hint, choices, placeholder, isDisabled, isRequired } = props;
  const { t, i18n } = useTranslation('shell');
  const styles = useStyles();
  const { field, fieldState } = useController({ name });
  const message = isDisabled ? undefined : fieldState.error?.message;
  const [search, setSearch] = useState('');
  const chosen: string[] = Array.isArray(field.value) ? field.value : [];
  const hits = choices.filter((choice) => choice.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <div>
      <Field
        label={label}
        hint={hint}
        required={isRequired}
        validationState={message === undefined ? 'none' : 'error'}
        validationMessage={message === undefined ? undefined : messageText(message, i18n.language)}
      >
        <Combobox
          ref={field.ref}
          multiselect
          placeholder={placeholder}
          disabled={isDisabled}
          selectedOptions={chosen}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onOptionSelect={(_event, { selectedOptions }) => {
            field.onChange(selectedOptions);
            setSearch('');
          }}
          onBlur={() => {
            setSearch('');
            field.onBlur();
          }}
        >
          {hits.slice(0, mostShown).map((choice) => (
            <Option key={choice} value={choice} text={choice}>
              {choice}
            </Option>
          ))}
        </Combobox>
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
