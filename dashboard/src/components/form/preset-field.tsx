import { makeStyles, tokens } from '@fluentui/react-components';
import type { ComponentType } from 'react';
import { useFormContext } from 'react-hook-form';
import { PresetRow } from '../preset-row.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

interface PresetFieldProps extends TextFieldProps {
  presetLabel: string;
  presets: { key: string; text: string; value: () => number | string }[];
  /** What is typed into; a text field unless said otherwise. */
  Base?: ComponentType<TextFieldProps>;
}

const useStyles = makeStyles({
  with: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
});

/** A field with its usual values below it. */
export function PresetField({ presetLabel, presets, Base = TextField, ...field }: PresetFieldProps) {
  const styles = useStyles();
  const { setValue } = useFormContext();
  const put = (value: number | string) => setValue(field.name, value, { shouldDirty: true, shouldValidate: true });
  return (
    <div className={styles.with}>
      <Base {...field} />
      <PresetRow
        label={presetLabel}
        isDisabled={field.isDisabled}
        presets={presets.map(({ key, text, value }) => ({ key, text, onSelect: () => put(value()) }))}
      />
    </div>
  );
}
