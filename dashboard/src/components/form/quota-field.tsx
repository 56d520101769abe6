import { useFormat } from '../../state/format.ts';
import type { FieldBase } from './form-field.tsx';
import { MoneyField } from './money-field.tsx';
import { PresetField } from './preset-field.tsx';

/** Presets of the operations spec, section 9. */
const presets = [500_000, 5_000_000, 25_000_000, 50_000_000, 250_000_000, 500_000_000];

/** An amount of quota, with usual ones below it. */
export function QuotaField(props: FieldBase & { presetLabel: string }) {
  const format = useFormat();
  return (
    <PresetField
      {...props}
      Base={MoneyField}
      presets={presets.map((preset) => ({ key: String(preset), text: format.quota(preset), value: () => preset }))}
    />
  );
}
