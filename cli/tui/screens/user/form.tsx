import { systemActor } from '../../../../core/schemas/actor.ts';
import { type User, userAdjustQuotaSchema, userCreateSchema, userUpdateSchema } from '../../../../core/schemas/user.ts';
import { quotaSentence } from '../../../print/quota-change.ts';
import { quotaFormat } from '../../../print/quota-format.ts';
import { Form } from '../../components/form.tsx';
import { useEnvironment } from '../../environment.ts';
import { readQuota, touched, worthHint, written } from '../../form-text.ts';
import { grouped } from '../../grouped.ts';
import { useOverwrite } from '../../hooks/use-overwrite.ts';
import { useQuota } from '../../hooks/use-quota.ts';
import { useSmallQuota } from '../../hooks/use-small-quota.ts';

interface UserFormProps {
  user: User;
  onSaved(): void;
}

/** Undefined for a new one. */
export function UserForm({ user, onSaved }: { user: User | undefined; onSaved(id: number): Promise<void> | void }) {
  return user ? <EditForm user={user} onSaved={() => void onSaved(user.id)} /> : <NewForm onSaved={onSaved} />;
}

function NewForm({ onSaved }: { onSaved(id: number): Promise<void> | void }) {
  const { app, speak } = useEnvironment();
  return (
    <Form
      title={speak('tui.user.newTitle')}
      fields={[
        { name: 'username', label: speak('tui.user.field.name'), hint: speak('tui.user.hint.name') },
        {
          name: 'password',
          label: speak('tui.user.field.password'),
          hint: speak('tui.user.hint.password'),
          isSecret: true,
        },
        { name: 'display_name', label: speak('tui.user.field.displayName') },
      ]}
      schema={userCreateSchema}
      save={async (input) => {
        const { id, username } = await app.services.users.create(systemActor, input);
        await onSaved(id);
        return speak('user.created', { id, name: username });
      }}
    />
  );
}

function EditForm({ user, onSaved }: UserFormProps) {
  const { app, speak } = useEnvironment();
  const { id, username, display_name, group } = user;
  const initial = { username, display_name, group };
  const overwrite = useOverwrite();
  return (
    <Form
      title={speak('tui.user.title', { id, name: username })}
      fields={[
        { name: 'username', label: speak('tui.user.field.name'), hint: speak('tui.user.hint.name'), isNeeded: true },
        { name: 'display_name', label: speak('tui.user.field.displayName') },
        { name: 'group', label: speak('tui.user.field.group'), isNeeded: true },
      ]}
      initial={initial}
      schema={userUpdateSchema}
      toInput={(values) => ({ ...touched(values, initial), id })}
      save={async (input) => {
        const changed = await overwrite((input) => app.services.users.update(systemActor, input), input, initial);
        return speak('user.updated', { id, name: changed.username });
      }}
      onSaved={onSaved}
    />
  );
}

/** Adds to the balance, or takes from it. */
export function QuotaForm({ user: { id, username, quota }, onSaved }: UserFormProps) {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const { options } = app.services;
  const small = useSmallQuota();
  const format = useQuota();
  const { amount } = userAdjustQuotaSchema.shape;
  return (
    <Form
      title={speak('tui.user.quotaTitle', { name: username, quota: format(quota) })}
      fields={[
        {
          name: 'amount',
          label: speak('tui.user.field.amount'),
          hint: worthHint('amount', speak('tui.user.hint.amount'), environment),
        },
        { name: 'note', label: speak('tui.user.field.note'), hint: speak('tui.user.hint.note') },
      ]}
      schema={userAdjustQuotaSchema.extend({ amount: written(amount, readQuota(environment), environment) })}
      toInput={(values) => {
        small.note(values.amount);
        return { ...values, id };
      }}
      save={async (input) => {
        await small.confirm();
        const changed = await app.services.users.adjustQuota(systemActor, input);
        return quotaSentence(speak, changed, { amount: input.amount, format: quotaFormat(options), shown: grouped });
      }}
      onSaved={onSaved}
    />
  );
}

export function PasswordForm({ user: { id, username }, onSaved }: UserFormProps) {
  const { app, speak } = useEnvironment();
  return (
    <Form
      title={speak('tui.user.passwordTitle', { name: username })}
      fields={[
        {
          name: 'password',
          label: speak('tui.user.field.password'),
          hint: speak('tui.user.hint.reset'),
          isSecret: true,
        },
      ]}
      schema={userCreateSchema.pick({ password: true })}
      save={async ({ password }) => {
        await app.services.users.setPassword(systemActor, id, password);
        return speak('user.passwordSet', { name: username });
      }}
      onSaved={onSaved}
    />
  );
}
