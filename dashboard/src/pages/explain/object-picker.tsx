import { Field } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchKind } from '../../../../core/schemas/search.ts';
import { useSearch } from '../../api/search.ts';
import { SearchCombobox } from '../../components/form/search-combobox.tsx';
import { useSettled } from '../../state/use-settled.ts';

export interface PickedObject {
  id: number;
  text: string;
}

interface ObjectPickerProps {
  kind: Extract<SearchKind, 'channel' | 'token'>;
  label: string;
  hint: string;
  picked: PickedObject | undefined;
  onPick: (picked: PickedObject | undefined) => void;
}

/** Picks a channel or a token by name. The first choice clears the field. */
export function ObjectPicker({ kind, label, hint, picked, onPick }: ObjectPickerProps) {
  const { t } = useTranslation('explain');
  const [typed, setTyped] = useState('');
  const { data: hits = [] } = useSearch(useSettled(typed), kind);
  const found = hits
    .filter((hit) => hit.kind === kind)
    .map(({ id, name, detail }) => ({ value: String(id), text: detail ? `${name} (${detail})` : `${name} #${id}` }));
  return (
    <Field label={label} hint={hint}>
      <SearchCombobox
        placeholder={t('form.any')}
        choices={[{ value: '', text: t('form.any') }, ...found]}
        chosen={[picked ? String(picked.id) : '']}
        text={picked?.text ?? ''}
        find={() => found}
        onTyping={setTyped}
        onChoose={([value = '']) => {
          const text = found.find((one) => one.value === value)?.text;
          onPick(text === undefined ? undefined : { id: Number(value), text });
        }}
      />
    </Field>
  );
}
