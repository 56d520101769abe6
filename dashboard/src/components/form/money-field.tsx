import { type FieldBase, FormField } from './form-field.tsx';
import { MoneyInput } from './money-input.tsx';

/** An amount of quota; the form keeps units. */
export function MoneyField(props: FieldBase) {
  return (
    <FormField {...props}>
      {({ value, onChange, disabled: _disabled, ...field }) => (
        <MoneyInput {...field} units={Number(value)} onUnits={onChange} disabled={props.isDisabled} />
      )}
    </FormField>
  );
}
