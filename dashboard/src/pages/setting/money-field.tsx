import { Input, Text } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../../api/status.ts';
import { TextField } from '../../components/form/field.tsx';
import { FormField } from '../../components/form/form-field.tsx';
import { useFormat } from '../../state/format.ts';

interface MoneyFieldProps {
  name: string;
  label: string;
  hint: string;
}

/** Quota, typed in dollars where the console shows dollars; the form keeps units. */
export function MoneyField(props: MoneyFieldProps) {
  const { t } = useTranslation('setting');
  const { quota_per_unit: perUnit, display_in_currency: isMoney } = useStatus();
  if (isMoney && perUnit > 0) return <DollarField {...props} perUnit={perUnit} />;
  return <TextField {...props} type="number" contentAfter={<Text size={200}>{t('option:unit.quota')}</Text>} />;
}

function DollarField({ perUnit, ...props }: MoneyFieldProps & { perUnit: number }) {
  const { t } = useTranslation('setting');
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const unitsOf = (dollars: string) => (dollars === '' ? Number.NaN : Math.round(Number(dollars) * perUnit));
  const dollarsOf = (units: number) => (Number.isNaN(units) ? '' : String(Number((units / perUnit).toFixed(10))));
  return (
    <FormField {...props}>
      {({ value, onChange, disabled: _disabled, ...field }) => {
        const units = Number(value);
        // What is being typed stays as it is, `1.50` and `1.` too, unless another value has taken its place.
        const isTyped = Object.is(unitsOf(typed), units);
        return (
          <Input
            {...field}
            type="number"
            min={0}
            step="any"
            contentBefore={<Text>$</Text>}
            contentAfter={
              <Text size={200}>{Number.isNaN(units) ? '' : t('inUnits', { units: format.number(units) })}</Text>
            }
            value={isTyped ? typed : dollarsOf(units)}
            onChange={(_event, { value: text }) => {
              setTyped(text);
              onChange(unitsOf(text));
            }}
          />
        );
      }}
    </FormField>
  );
}
