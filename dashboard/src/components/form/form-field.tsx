import { Field } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { type ControllerRenderProps, type FieldValues, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useUnpressed } from '../../state/pressed.ts';
import { useFieldLabel } from './field-label.ts';
import { messageText } from './message-text.ts';

export interface FieldBase {
  name: string;
  label: string;
  hint?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
}

/** The frame of every field: label, hint, and what is wrong, below it. */
export function FormField(
  props: Omit<FieldBase, 'label'> & {
    label?: string;
    children: (field: ControllerRenderProps<FieldValues, string>) => ReactNode;
  },
) {
  const { name, label, hint, isRequired, isDisabled, children } = props;
  const { i18n } = useTranslation();
  useFieldLabel(name, label);
  const { field, fieldState } = useController({ name, disabled: false });
  const error = useUnpressed(isDisabled ? undefined : fieldState.error?.message);
  const message = error === undefined ? undefined : messageText(error, i18n.language);
  return (
    <Field
      label={label}
      // A limit that was told already is not told twice.
      hint={hint === message ? undefined : hint}
      required={isRequired}
      validationState={message === undefined ? 'none' : 'error'}
      validationMessage={message}
    >
      {children(field)}
    </Field>
  );
}
