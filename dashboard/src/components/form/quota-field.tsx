import { useWatch } from 'react-hook-form';
import { useFormat } from '../../state/format.ts';
import type { FieldBase } from './form-field.tsx';
import { PresetField } from './preset-field.tsx';

interface QuotaFieldProps extends Omit<FieldBase, 'hint'> {
  presetLabel: string;
  /** Says the amount in money. */
  means: (amount: string) => string;
}

/** Presets of the operations spec, section 9. */
const presets = [500_000, 5_000_000, 25_000_000, 50_000_000, 250_000_000, 500_000_000];

/** An amount of quota, with what it is worth. */
export function QuotaField({ means, ...field }: QuotaFieldProps) {
  const format = useFormat();
  const quota: unknown = useWatch({ name: field.name });
  return (
    <PresetField
      {...field}
      type="number"
      hint={Number.isFinite(quota) ? means(format.quota(Number(quota))) : undefined}
      presets={presets.map((preset) => ({ key: String(preset), text: format.quota(preset), value: () => preset }))}
    />
  );
}
