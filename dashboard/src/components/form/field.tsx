import {
  Button,
  Dropdown,
  type DropdownProps,
  Field,
  Input,
  type InputProps,
  makeStyles,
  Option,
  Switch,
  Textarea,
} from '@fluentui/react-components';
import { Eye20Regular } from '@fluentui/react-icons/svg/eye';
import { EyeOff20Regular } from '@fluentui/react-icons/svg/eye-off';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { type ControllerRenderProps, type FieldValues, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { messageText } from './message-text.ts';

interface FieldBase {
  name: string;
  label: string;
  hint?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
}

/** The frame of every field: label, hint, and what is wrong, below it. */
function FormField(
  props: Omit<FieldBase, 'label'> & {
    label?: string;
    children: (field: ControllerRenderProps<FieldValues, string>) => ReactNode;
  },
) {
  const { name, label, hint, isRequired, isDisabled, children } = props;
  const { i18n } = useTranslation();
  const { field, fieldState } = useController({ name, disabled: false });
  const message = isDisabled ? undefined : fieldState.error?.message;
  return (
    <Field
      label={label}
      hint={hint}
      required={isRequired}
      validationState={message === undefined ? 'none' : 'error'}
      validationMessage={message === undefined ? undefined : messageText(message, i18n.language)}
    >
      {children(field)}
    </Field>
  );
}

interface TextFieldProps extends FieldBase {
  type?: 'text' | 'email' | 'number' | 'url';
  placeholder?: string;
  /** What browsers and password keepers fill in. */
  autoComplete?: string;
  autoFocus?: boolean;
  contentAfter?: InputProps['contentAfter'];
  contentBefore?: InputProps['contentBefore'];
}

/** One line of text; a number is kept as a number, an emptied one as NaN, which no schema takes. */
export function TextField({ type = 'text', placeholder, autoComplete = 'off', autoFocus, ...props }: TextFieldProps) {
  const { contentAfter, contentBefore, ...base } = props;
  return (
    <FormField {...base}>
      {({ value, onChange, disabled: _disabled, ...field }) => (
        <Input
          {...field}
          {...{ type, placeholder, autoComplete, autoFocus, contentAfter, contentBefore }}
          disabled={base.isDisabled}
          value={typeof value === 'number' ? (Number.isNaN(value) ? '' : String(value)) : (value ?? '')}
          onChange={(_event, { value: text }) =>
            onChange(type === 'number' ? (text === '' ? Number.NaN : Number(text)) : text)
          }
        />
      )}
    </FormField>
  );
}

type PasswordFieldProps = FieldBase & Pick<TextFieldProps, 'placeholder' | 'autoComplete' | 'autoFocus'>;

/** Hidden text that can be shown; says when caps lock is on. */
export function PasswordField({
  placeholder,
  autoComplete = 'current-password',
  autoFocus,
  ...base
}: PasswordFieldProps) {
  const { t } = useTranslation('shell');
  const [isShown, setShown] = useState(false);
  const [hasCapsLock, setCapsLock] = useState(false);
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState?.('CapsLock') ?? false);
  return (
    <FormField {...base} hint={hasCapsLock ? t('form.capsLock') : base.hint}>
      {({ value, onChange, disabled: _disabled, ...field }) => (
        <Input
          {...field}
          {...{ placeholder, autoComplete, autoFocus }}
          type={isShown ? 'text' : 'password'}
          value={value ?? ''}
          disabled={base.isDisabled}
          onChange={(_event, { value: text }) => onChange(text)}
          onKeyUp={watch}
          contentAfter={
            <Button
              appearance="transparent"
              size="small"
              icon={isShown ? <EyeOff20Regular /> : <Eye20Regular />}
              aria-label={t(isShown ? 'form.hide' : 'form.show')}
              onClick={() => setShown(!isShown)}
            />
          }
        />
      )}
    </FormField>
  );
}

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

/** Yes or no; the label stands beside it. */
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
  return (
    <FormField {...base}>
      {({ value, onChange, disabled: _disabled, ...field }) => {
        const chosen: string[] = Array.isArray(value) ? value : [String(value ?? '')];
        const texts = choices.filter((choice) => chosen.includes(choice.value)).map(({ text }) => text);
        return (
          <Dropdown
            {...field}
            {...{ placeholder, multiselect }}
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
