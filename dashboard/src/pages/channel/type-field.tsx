import { Combobox, Field, Option } from '@fluentui/react-components';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { channelTypes } from '../../../../core/schemas/channel-type.ts';
import { useTypeName } from './channel-type.ts';

/** The kind of upstream: type to narrow the list down, by name or number. */
export function TypeField({ onPick }: { onPick: (type: number) => void }) {
  const { t } = useTranslation('channel');
  const typeName = useTypeName();
  const { field } = useController({ name: 'type' });
  const [search, setSearch] = useState<string>();
  const wanted = (search ?? '').trim().toLowerCase();
  const hits = channelTypes.filter(({ number, name, label }) =>
    [String(number), name, label.toLowerCase(), typeName(number).toLowerCase()].some((text) => text.includes(wanted)),
  );
  return (
    <Field label={t('field.type')} required>
      <Combobox
        ref={field.ref}
        placeholder={t('form.typePlaceholder')}
        selectedOptions={[String(field.value)]}
        value={search ?? typeName(field.value)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setSearch(event.target.value)}
        onOptionSelect={(_event, { optionValue }) => {
          setSearch(undefined);
          if (optionValue === undefined) return;
          field.onChange(Number(optionValue));
          onPick(Number(optionValue));
        }}
        onBlur={() => {
          setSearch(undefined);
          field.onBlur();
        }}
      >
        {hits.map(({ number }) => (
          <Option key={number} value={String(number)} text={typeName(number)}>
            {typeName(number)}
          </Option>
        ))}
        {hits.length === 0 && (
          <Option disabled value="" text={t('shell:state.noHit')}>
            {t('shell:state.noHit')}
          </Option>
        )}
      </Combobox>
    </Field>
  );
}
