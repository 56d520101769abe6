import { makeStyles, tokens } from '@fluentui/react-components';
import { useFormContext } from 'react-hook-form';
import { useFormat } from '../../state/format.ts';
import { PresetRow } from '../preset-row.tsx';
import type { FieldBase } from './form-field.tsx';
import { MoneyField } from './money-field.tsx';

/** Presets of the operations spec, section 9. */
const presets = [500_000, 5_000_000, 25_000_000, 50_000_000, 250_000_000, 500_000_000];

const useStyles = makeStyles({
  with: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
});

/** An amount of quota, with usual ones below it. */
export function QuotaField({ presetLabel, ...field }: FieldBase & { presetLabel: string }) {
  const styles = useStyles();
  const format = useFormat();
  const { setValue } = useFormContext();
  const put = (value: number) => setValue(field.name, value, { shouldDirty: true, shouldValidate: true });
  return (
    <div className={styles.with}>
      <MoneyField {...field} />
      <PresetRow
        label={presetLabel}
        isDisabled={field.isDisabled}
        presets={presets.map((preset) => ({
          key: String(preset),
          text: format.quota(preset),
          onSelect: () => put(preset),
        }))}
      />
    </div>
  );
}
