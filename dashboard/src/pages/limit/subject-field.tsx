import { Field } from '@fluentui/react-components';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { LimitSubjectKind } from '../../../../core/schemas/limit.ts';
import type { SearchHit } from '../../../../core/schemas/search.ts';
import { useGroupNames } from '../../api/group.ts';
import { useSearch } from '../../api/search.ts';
import type { Choice } from '../../components/form/field.tsx';
import { useFieldLabel } from '../../components/form/field-label.ts';
import { messageText } from '../../components/form/message-text.ts';
import { SearchCombobox } from '../../components/form/search-combobox.tsx';
import { useUnpressed } from '../../state/pressed.ts';
import { useSettled } from '../../state/use-settled.ts';

/** The one that is limited: looked up by name or ID; a group or model may also be one that comes later. */
export function SubjectField({ kind }: { kind: LimitSubjectKind }) {
  const { t, i18n } = useTranslation('limit');
  const label = t(`kind.${kind}`);
  useFieldLabel('subject', label);
  const { field, fieldState } = useController({ name: 'subject' });
  const [text, setText] = useState('');
  const [typed, setTyped] = useState('');
  const choices = useChoices(kind, typed);
  const isNamed = kind === 'group' || kind === 'model';
  const own = typed.trim();
  const isNew = isNamed && own !== '' && !choices.some(({ value }) => value === own);
  const all = isNew ? [...choices, { value: own, text: own }] : choices;
  const message = useUnpressed(fieldState.error?.message);
  return (
    <Field
      label={label}
      required
      validationState={message === undefined ? 'none' : 'error'}
      validationMessage={message === undefined ? undefined : messageText(message, i18n.language)}
    >
      <SearchCombobox
        ref={field.ref}
        placeholder={t(`form.search.${kind}`)}
        choices={all}
        chosen={field.value === '' ? [] : [field.value]}
        text={field.value === '' ? '' : text}
        find={() => all}
        onTyping={setTyped}
        onChoose={([picked]) => {
          if (picked === undefined) return;
          setText(all.find(({ value }) => value === picked)?.text ?? picked);
          field.onChange(picked);
        }}
        onBlur={field.onBlur}
      />
    </Field>
  );
}

function useChoices(kind: LimitSubjectKind, typed: string): Choice[] {
  const settled = useSettled(typed.trim());
  const { data: hits = [] } = useSearch(settled, kind === 'group' ? 'model' : kind);
  const { data: groups = [] } = useGroupNames();
  if (kind === 'group') {
    const wanted = typed.trim().toLowerCase();
    return groups.filter((name) => name.toLowerCase().includes(wanted)).map((name) => ({ value: name, text: name }));
  }
  return hits.filter((hit) => hit.kind === kind).map(choiceOf);
}

/** Tokens of several users may have the same name. */
function choiceOf({ kind, id, name, detail }: SearchHit): Choice {
  if (kind === 'model') return { value: name, text: name };
  return { value: String(id), text: [name, detail, `#${id}`].filter(Boolean).join(' · ') };
}
