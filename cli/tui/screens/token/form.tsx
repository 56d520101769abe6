import { useRef } from 'react';
import { z } from 'zod';
import { systemActor } from '../../../../core/schemas/actor.ts';
import {
  neverExpires,
  type Token,
  type TokenUpdate,
  tokenCreateSchema,
  tokenUpdateSchema,
} from '../../../../core/schemas/token.ts';
import { Form, type FormField, type FormValues } from '../../components/form.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';
import { readExpiry, readQuota, touched, worthHint, writeExpiry, writeQuota, written } from '../../form-text.ts';
import { useNavigation } from '../../hooks/use-navigation.tsx';
import { useOverwrite } from '../../hooks/use-overwrite.ts';
import { useSmallQuota } from '../../hooks/use-small-quota.ts';
import { type OwnedToken, TokenKey } from './details.tsx';

interface TokenFormProps {
  /** Undefined for a new one. */
  token: Token | undefined;
  /** Whose a new one is, unless another name is written. */
  owner?: string | undefined;
  onSaved(id: number): Promise<void> | void;
}

export function TokenForm({ token, owner, onSaved }: TokenFormProps) {
  return token ? <EditForm token={token} onSaved={onSaved} /> : <NewForm owner={owner} onSaved={onSaved} />;
}

/** Shows the key when the token is there: later it is masked. */
function NewForm({ owner = '', onSaved }: Omit<TokenFormProps, 'token'>) {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const { push } = useNavigation();
  const small = useSmallQuota();
  const created = useRef<OwnedToken>(undefined);
  const { remain_quota, expired_time } = tokenCreateSchema.shape;
  const schema = tokenCreateSchema.extend({
    user: z.string().trim().min(1),
    remain_quota: written(remain_quota.unwrap().optional(), ifGiven(readQuota(environment)), environment),
    expired_time: written(expired_time.unwrap(), readExpiry(neverExpires), environment),
  });

  async function save({ user, remain_quota, ...input }: z.output<typeof schema>): Promise<string> {
    await small.confirm();
    const account = await app.services.users.find(systemActor, user);
    const fields = { ...input, remain_quota: remain_quota ?? 0, unlimited_quota: remain_quota === undefined };
    const token = await app.services.tokens.create(systemActor, fields, { userId: account.id });
    created.current = { ...token, owner: account.username };
    await onSaved(token.id);
    return speak('token.created', { id: token.id, name: token.name });
  }

  return (
    <Form
      title={speak('tui.token.newTitle')}
      fields={fieldsFor(environment, true)}
      initial={{ user: owner }}
      schema={schema}
      toInput={(values) => {
        small.note(values.remain_quota);
        return inputOf(values);
      }}
      save={save}
      onSaved={() => {
        if (created.current) push(<TokenKey token={created.current} />);
      }}
    />
  );
}

function EditForm({ token, onSaved }: TokenFormProps & { token: Token }) {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const small = useSmallQuota();
  const overwrite = useOverwrite();
  // Calls change it all the time: what is written counts from the quota that was shown.
  const { id, remain_quota: shownQuota, ...opened } = token;
  const initial = valuesOf(token, environment);
  const { remain_quota, expired_time } = tokenUpdateSchema.shape;
  const schema = tokenUpdateSchema.extend({
    remain_quota: written(remain_quota, ifGiven(readQuota(environment)), environment).optional(),
    expired_time: written(expired_time, readExpiry(neverExpires), environment).optional(),
  });

  async function save({ remain_quota, ...input }: z.output<typeof schema>): Promise<string> {
    await small.confirm();
    const limit = remain_quota === undefined ? {} : { remain_quota, remain_quota_loaded: shownQuota };
    const save = (input: TokenUpdate) => app.services.tokens.update(systemActor, input);
    const { name } = await overwrite(save, { ...input, ...limit }, opened);
    return speak('token.updated', { id, name });
  }

  return (
    <Form
      title={speak('tui.token.title', { id, name: token.name })}
      fields={fieldsFor(environment, false)}
      initial={initial}
      schema={schema}
      toInput={(values) => {
        const changes = touched(values, initial);
        small.note(changes.remain_quota);
        return { ...changesIn(changes), id };
      }}
      save={save}
      onSaved={() => void onSaved(id)}
    />
  );
}

/** An empty quota is none: only the owner's balance ends the token. */
const ifGiven = (read: (text: string) => number) => (text: string) => (text === '' ? undefined : read(text));

function valuesOf(token: Token, environment: Environment): FormValues {
  return {
    name: token.name,
    remain_quota: token.unlimited_quota ? '' : writeQuota(environment)(token.remain_quota),
    expired_time: writeExpiry(token.expired_time),
    model_limits: token.model_limits_enabled ? token.model_limits : '',
    allow_ips: token.allow_ips,
    group: token.group,
  };
}

const inputOf = (values: FormValues) => ({
  ...values,
  model_limits_enabled: (values.model_limits ?? '').trim() !== '',
});

/** With what follows from a changed quota and a changed list of models. */
const changesIn = ({ remain_quota, ...changes }: FormValues) => ({
  ...changes,
  ...(remain_quota !== undefined && { remain_quota, unlimited_quota: remain_quota.trim() === '' }),
  ...(changes.model_limits !== undefined && { model_limits_enabled: changes.model_limits.trim() !== '' }),
});

function fieldsFor(environment: Environment, isNew: boolean): FormField[] {
  const { speak } = environment;
  const quotaHint = worthHint('remain_quota', speak('tui.token.hint.quota'), environment);
  const owner = { name: 'user', label: speak('tui.token.field.user'), hint: speak('tui.token.hint.user') };
  return [
    { name: 'name', label: speak('tui.token.field.name') },
    ...(isNew ? [owner] : []),
    { name: 'remain_quota', label: speak('tui.token.field.quota'), hint: quotaHint },
    { name: 'expired_time', label: speak('tui.token.field.expires'), hint: speak('tui.token.hint.expires') },
    {
      name: 'model_limits',
      label: speak('tui.token.field.models'),
      hint: speak('tui.token.hint.models'),
      isList: true,
    },
    {
      name: 'allow_ips',
      label: speak('tui.token.field.addresses'),
      hint: speak('tui.token.hint.addresses'),
      hasLines: true,
    },
    { name: 'group', label: speak('tui.token.field.group'), hint: speak('tui.token.hint.group') },
  ];
}
