import { Dropdown, type DropdownProps, makeStyles, Option, Switch, Textarea } from '@fluentui/react-components';
import { type FieldBase, FormField } from './form-field.tsx';
import { useListBox } from './use-list-box.ts';

export { PasswordField, TextField } from './text-field.tsx';

/** Several lines of text. */
export function TextAreaField({ rows = 4, placeholder, ...base }: FieldBase & { rows?: number; placeholder?: string }) {
  return (
    <FormField {...base}>
      {({ value, onChange, disabled: _disabled, ...field }) => (
        <Textarea
          {...field}
          rows={rows}
          placeholder={placeholder}
          resize="vertical"
          disabled={base.isDisabled}
          value={value ?? ''}
          onChange={(_event, { value: text }) => onChange(text)}
        />
      )}
    </FormField>
  );
}

/** Its track begins where the other fields begin. */
const useStyles = makeStyles({ switch: { marginLeft: '-8px' } });

/** Yes or no; the label is beside it. */
export function SwitchField({ label, ...base }: FieldBase) {
  const styles = useStyles();
  return (
    <FormField {...base}>
      {({ value, onChange, disabled: _disabled, ...field }) => (
        <Switch
          {...field}
          className={styles.switch}
          label={label}
          disabled={base.isDisabled}
          checked={value === true}
          onChange={(_event, { checked }) => onChange(checked)}
        />
      )}
    </FormField>
  );
}

export interface Choice {
  value: string;
  text: string;
}

interface SelectFieldProps extends FieldBase {
  choices: Choice[];
  placeholder?: string;
  multiselect?: DropdownProps['multiselect'];
}

/** One of a list; of several the value is a list. */
export function SelectField({ choices, placeholder, multiselect = false, ...base }: SelectFieldProps) {
  const list = useListBox();
  return (
    <FormField {...base}>
      {({ value, onChange, disabled: _disabled, ...field }) => {
        const chosen: string[] = Array.isArray(value) ? value : [String(value ?? '')];
        const texts = choices.filter((choice) => chosen.includes(choice.value)).map(({ text }) => text);
        return (
          <Dropdown
            {...field}
            {...{ placeholder, multiselect }}
            {...list}
            disabled={base.isDisabled}
            selectedOptions={chosen}
            value={texts.join(', ')}
            onOptionSelect={(_event, { optionValue = '', selectedOptions }) =>
              onChange(multiselect ? selectedOptions : optionValue)
            }
          >
            {choices.map((choice) => (
              <Option key={choice.value} value={choice.value} text={choice.text}>
                {choice.text}
              </Option>
            ))}
          </Dropdown>
        );
      }}
    </FormField>
  );
}
