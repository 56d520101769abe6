import { Button, Input, type InputProps } from '@fluentui/react-components';
import { Eye20Regular } from '@fluentui/react-icons/svg/eye';
import { EyeOff20Regular } from '@fluentui/react-icons/svg/eye-off';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FieldBase, FormField } from './form-field.tsx';

export interface TextFieldProps extends FieldBase {
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
