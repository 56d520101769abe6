import { useRef } from 'react';
import type { z } from 'zod';
import { systemActor } from '../../../../core/schemas/actor.ts';
import {
  defaultCodeQuota,
  maxCodesPerBatch,
  type Redemption,
  type RedemptionUpdate,
  redemptionCreateSchema,
  redemptionListSchema,
  redemptionUpdateSchema,
} from '../../../../core/schemas/redemption.ts';
import { wholeNumber } from '../../../flag/value.ts';
import { Form, type FormField } from '../../components/form.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';
import { readExpiry, readQuota, touched, worthHint, writeExpiry, writeQuota, written } from '../../form-text.ts';
import { useNavigation } from '../../hooks/use-navigation.tsx';
import { useOverwrite } from '../../hooks/use-overwrite.ts';
import { useSmallQuota } from '../../hooks/use-small-quota.ts';
import { NewCodes } from './details.tsx';

/** Codes that never expire have 0 where tokens have -1. */
const endless = 0;

/** A batch; when it is made, the codes are shown whole. */
export function NewCodesForm({ onSaved }: { onSaved(id: number): Promise<void> }) {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const { push } = useNavigation();
  const small = useSmallQuota();
  const made = useRef<Parameters<typeof NewCodes>[0]>(undefined);
  const { quota, count, expired_time } = redemptionCreateSchema.shape;
  const schema = redemptionCreateSchema.extend({
    quota: written(quota.unwrap(), orDefault(readQuota(environment)), environment),
    count: written(count.unwrap(), wholeNumber, environment),
    expired_time: written(expired_time.unwrap(), readExpiry(endless), environment),
  });

  async function save(input: z.output<typeof schema>): Promise<string> {
    await small.confirm();
    const keys = await app.services.redemptions.create(systemActor, input);
    made.current = { keys, name: input.name, quota: input.quota };
    await onSaved(await idOf(keys.at(-1) ?? ''));
    return speak('tui.redemption.madeNote', { count: keys.length });
  }

  /** 0 when it cannot be read: the codes are made, and must be shown whatever happens. */
  async function idOf(keyword: string): Promise<number> {
    const query = redemptionListSchema.parse({ keyword });
    const { items } = await app.services.redemptions.list(systemActor, query).catch(() => ({ items: [] }));
    return items[0]?.id ?? 0;
  }

  return (
    <Form
      title={speak('tui.redemption.newTitle')}
      fields={fieldsFor(environment, true)}
      initial={{ count: '1' }}
      schema={schema}
      toInput={(values) => {
        small.note(values.quota);
        return values;
      }}
      save={save}
      onSaved={() => {
        if (made.current) push(<NewCodes {...made.current} />);
      }}
    />
  );
}

/** As in the console and on the command line. */
const orDefault = (read: (text: string) => number) => (text: string) => (text === '' ? defaultCodeQuota : read(text));

/** Of an unused code. */
export function EditCodeForm({ code, onSaved }: { code: Redemption; onSaved(): void }) {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const small = useSmallQuota();
  const overwrite = useOverwrite();
  const { id, name } = code;
  const initial = { name, quota: writeQuota(environment)(code.quota), expired_time: writeExpiry(code.expired_time) };
  const { quota, expired_time } = redemptionUpdateSchema.shape;
  const schema = redemptionUpdateSchema.extend({
    quota: written(quota, readQuota(environment), environment).optional(),
    expired_time: written(expired_time, readExpiry(endless), environment).optional(),
  });
  return (
    <Form
      title={speak('tui.redemption.title', { id, name })}
      fields={fieldsFor(environment, false)}
      initial={initial}
      schema={schema}
      // A code that has expired may be renamed: its end is left out.
      toInput={(values) => {
        const changes = touched(values, initial);
        small.note(changes.quota);
        return { ...changes, id };
      }}
      save={async (input) => {
        await small.confirm();
        const save = (input: RedemptionUpdate) => app.services.redemptions.update(systemActor, input);
        const changed = await overwrite(save, input, code);
        return speak('redemption.updated', { id, name: changed.name });
      }}
      onSaved={onSaved}
    />
  );
}

function fieldsFor(environment: Environment, isNew: boolean): FormField[] {
  const { speak } = environment;
  const count: FormField = {
    name: 'count',
    label: speak('tui.redemption.field.count'),
    hint: speak('tui.redemption.hint.count', { max: maxCodesPerBatch }),
  };
  const quotaHint = isNew
    ? speak('tui.redemption.hint.newQuota', { quota: writeQuota(environment)(defaultCodeQuota) })
    : speak('tui.redemption.hint.quota');
  return [
    { name: 'name', label: speak('tui.redemption.field.name') },
    { name: 'quota', label: speak('tui.redemption.field.quota'), hint: worthHint('quota', quotaHint, environment) },
    ...(isNew ? [count] : []),
    { name: 'expired_time', label: speak('tui.redemption.field.expires'), hint: speak('tui.token.hint.expires') },
  ];
}
