import { useRef } from 'react';
import type { DefaultValues, FieldValues, Path, PathValue } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '../../../../core/lib/json-value.ts';
import { ApiError } from '../../api/api-error.ts';
import { useConfirm } from '../feedback/confirm.tsx';
import type { SchemaForm } from './use-schema-form.ts';

interface LoadedRecord<Stored extends object, Input extends FieldValues, Output> {
  form: SchemaForm<Input, Output>;
  /** What the form was filled from. */
  record: Stored | undefined;
  valuesOf(record: Stored): DefaultValues<Input>;
  /** As it is stored now. */
  read(): Promise<Stored>;
  describe: Describe;
}

/** What a field of the API is called in the form, and how its value is shown there. */
type Describe = (field: string, value: unknown) => { name: string; value: string };

/** Saves what was changed of a record without overwriting what another user changed of the same fields meanwhile. */
export function useLoadedRecord<Stored extends object, Input extends FieldValues, Output>(
  options: LoadedRecord<Stored, Input, Output>,
) {
  const { form, record, valuesOf, read, describe } = options;
  const wantsCurrent = useStaleQuestion(describe);
  // As the form shows it, also when the record is read again behind it.
  const shown = useRef(record);

  /** False when nothing was saved: the form has the current values then, if the user wants them, with what was typed on top. */
  return async (changes: JsonObject, send: (body: JsonObject) => Promise<unknown>): Promise<boolean> => {
    try {
      await send({ ...changes, loaded: formerValues(changes, shown.current ?? {}) });
      return true;
    } catch (error) {
      if (await wantsCurrent(error)) {
        shown.current = await read();
        fillAround(form, valuesOf(shown.current));
      }
      return false;
    }
  };
}

/** Shows what another user changed, and asks whether the form is to go on from there. Fails with what is not such a refusal. */
export function useStaleQuestion(describe: Describe, title?: string): (error: unknown) => Promise<boolean> {
  const { t } = useTranslation('conflict');
  const confirm = useConfirm();
  return async (error) => {
    const changed = changedMeanwhile(error);
    if (!changed) throw error;
    const text = <ChangedFields fields={changed} describe={describe} />;
    return confirm({ title: title ?? t('title'), text, action: t('load') });
  };
}

function ChangedFields({ fields, describe }: { fields: JsonObject; describe: Describe }) {
  const { t } = useTranslation('conflict');
  return (
    <>
      {Object.entries(fields).map(([field, stored]) => {
        const { name, value } = describe(field, stored);
        return <div key={field}>{t('now', { name, value: value || t('empty') })}</div>;
      })}
      <div>{t('text')}</div>
    </>
  );
}

export function formerValues(changes: JsonObject, record: object): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name in changes));
}

/** The fields that are not as they were loaded any more, as they are now; undefined when a save failed for another reason. */
function changedMeanwhile(error: unknown): JsonObject | undefined {
  const data = error instanceof ApiError && error.status === 409 ? error.data : undefined;
  return (data as { changed?: JsonObject } | undefined)?.changed;
}

/** New values, except in the fields in which something was typed. */
function fillAround<Input extends FieldValues, Output>(
  form: SchemaForm<Input, Output>,
  values: DefaultValues<Input>,
): void {
  const before: JsonObject = form.formState.defaultValues ?? {};
  const typed = Object.entries(form.getValues()).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  form.reset(values);
  for (const [name, value] of typed)
    form.setValue(name as Path<Input>, value as PathValue<Input, Path<Input>>, { shouldDirty: true });
}
