import { type FieldBase, FormField } from '../../components/form/form-field.tsx';
import { SearchCombobox } from '../../components/form/search-combobox.tsx';

/** The zones this browser knows; UTC is not among those of all of them. */
const zones = () =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({ value: zone, text: zone }));

/** One of the time zones of the world: type a city to narrow them down. */
export function TimeZoneField(props: FieldBase) {
  return (
    <FormField {...props}>
      {({ ref, value, onChange, onBlur }) => (
        <SearchCombobox
          ref={ref}
          choices={zones()}
          chosen={[String(value)]}
          text={String(value)}
          onBlur={onBlur}
          onChoose={([zone]) => zone !== undefined && onChange(zone)}
        />
      )}
    </FormField>
  );
}
