import { timeText } from '../../state/format.ts';
import type { FieldBase } from './form-field.tsx';
import { PresetField } from './preset-field.tsx';

interface ExpiryFieldProps extends FieldBase {
  placeholder: string;
  presetLabel: string;
  /** For an empty field. */
  never: string;
  /** How far from now, with its name. */
  after: { seconds: number; text: string }[];
}

/** A time as text; empty is never. */
export function ExpiryField({ never, after, ...field }: ExpiryFieldProps) {
  return (
    <PresetField
      {...field}
      presets={[
        { key: 'never', text: never, value: () => '' },
        ...after.map(({ seconds, text }) => ({
          key: text,
          text,
          value: () => timeText(Math.floor(Date.now() / 1000) + seconds),
        })),
      ]}
    />
  );
}
