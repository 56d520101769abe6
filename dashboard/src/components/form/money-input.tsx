import { Input, type InputProps, Text } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../../api/status.ts';
import { useFormat } from '../../state/format.ts';

interface MoneyInputProps extends Omit<InputProps, 'value' | 'onChange'> {
  /** Units of quota; NaN for an empty field. */
  units: number;
  onUnits: (units: number) => void;
}

/** Quota, typed in dollars where the console shows dollars; says how many units it is. */
export function MoneyInput({ units, onUnits, ...input }: MoneyInputProps) {
  const { t } = useTranslation('shell');
  const format = useFormat();
  const { quota_per_unit: perUnit, display_in_currency: inCurrency } = useStatus();
  const isMoney = inCurrency && perUnit > 0;
  const [typed, setTyped] = useState('');
  const unitsOf = (text: string) =>
    text === '' ? Number.NaN : isMoney ? Math.round(Number(text) * perUnit) : Number(text);
  const textOf = (value: number) => (isMoney ? String(Number((value / perUnit).toFixed(10))) : String(value));
  // What is being typed stays as it is, `1.50` and `1.` too, unless another value has taken its place.
  const isTyped = Object.is(unitsOf(typed), units);
  const shown = Number.isNaN(units) ? '' : textOf(units);
  return (
    <Input
      {...input}
      type="number"
      step="any"
      contentBefore={isMoney ? <Text>$</Text> : undefined}
      contentAfter={
        <Text size={200}>{Number.isNaN(units) ? '' : t('form.units', { units: format.number(units) })}</Text>
      }
      value={isTyped ? typed : shown}
      onChange={(_event, { value: text }) => {
        setTyped(text);
        onUnits(unitsOf(text));
      }}
    />
  );
}
