import { Divider, Field, Input } from '@fluentui/react-components';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { type User, userUpdateSchema } from '../../../../core/schemas/user.ts';
import { useGroupNames } from '../../api/group.ts';
import { readUser, useUserActions } from '../../api/user.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { PasswordField, SelectField, TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { MoneyField } from '../../components/form/money-field.tsx';
import { useLoadedRecord } from '../../components/form/use-loaded-record.tsx';
import { changedValues, useSchemaForm } from '../../components/form/use-schema-form.ts';
import { FormSection } from '../../components/object/form-section.tsx';
import { randomUuid } from '../../state/random-uuid.ts';
import { LoadedUser } from './loaded-user.tsx';

const { display_name, password, group } = userUpdateSchema.shape;

/** As long as a sign-in elsewhere may have made it; the server looks at a new one, and would leave an empty one as it is. */
const username = z.string().trim().min(1).max(64);

/** As it is stored, also where it is no address; the server looks at a new one. */
const email = z.string().trim().max(254);

const formSchema = z.object({
  username,
  display_name,
  password,
  email,
  group,
  quota: z.number({ error: 'user:form.quotaMissing' }).int({ error: 'user:form.quotaWhole' }),
});

const boundAccounts = ['github_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'oidc_id'] as const;

/** Another user's account, as it is stored at this moment. */
export const UserEditor = (props: { id: number; onClose: () => void }) => (
  <LoadedUser {...props}>{(user) => <UserForm user={user} onClose={props.onClose} />}</LoadedUser>
);

/** The same on the user's own page. The form is filled from stored values again after each save. */
export function UserSettings({ id }: { id: number }) {
  const [version, setVersion] = useState(0);
  return (
    <LoadedUser key={version} id={id} onClose={() => {}}>
      {(user) => <UserForm user={user} onClose={() => setVersion(version + 1)} isPart />}
    </LoadedUser>
  );
}

const labels: Record<string, string> = {
  username: 'field.username',
  display_name: 'field.displayName',
  email: 'bound.email',
  group: 'field.group',
};

const valuesOf = ({ username, display_name, email, group, quota }: User) => ({
  ...{ username, display_name, email, group, quota },
  password: '',
});

function UserForm({ user, onClose, isPart = false }: { user: User; onClose: () => void; isPart?: boolean }) {
  const { t } = useTranslation('user');
  const notify = useNotify();
  const { update } = useUserActions();
  // As the form shows it, also when the account is read again behind it; with a key, so that a second press after a lost response books nothing.
  const quota = useRef({ quota_loaded: user.quota, quota_key: randomUuid() });
  const groups = useGroupNames().data ?? [];
  const form = useSchemaForm(formSchema, valuesOf(user));
  const saveLoaded = useLoadedRecord({
    form,
    record: user,
    valuesOf,
    read: async () => {
      const now = await readUser(user.id);
      quota.current.quota_loaded = now.quota;
      return now;
    },
    describe: (field, value) => ({ name: t(labels[field] ?? field), value: String(value ?? '') }),
  });
  // A group that was taken from the list is still this account's.
  const choices = [...new Set([user.group, ...groups])].map((name) => ({ value: name, text: name }));

  async function save(output: z.output<typeof formSchema>): Promise<void> {
    const { quota: typedQuota, ...changed } = changedValues(form, output);
    if (typedQuota === undefined && Object.keys(changed).length === 0) return notify.warning(t('shell:form.unchanged'));
    const address = changed.email === undefined ? {} : { email: changed.email || null };
    // Calls go on meanwhile: only the difference to what was shown is booked.
    const sum = typedQuota !== undefined && { quota: typedQuota, ...quota.current };
    const send = (fields: object) => update({ id: user.id, ...fields, ...sum });
    if (!(await saveLoaded({ ...changed, ...address }, send))) return;
    notify.success(t('updated'));
    onClose();
  }

  const Frame = isPart ? FormSection : FormDrawer;
  return (
    <Frame title={t('edit', { name: user.username })} {...{ form, onClose }} onSubmit={save}>
      <TextField name="username" label={t('field.username')} hint={t('form.usernameHint')} isRequired />
      <TextField name="display_name" label={t('field.displayName')} />
      <PasswordField
        name="password"
        label={t('field.password')}
        hint={t('form.passwordKept')}
        placeholder={t('form.passwordHint')}
        autoComplete="new-password"
      />
      <TextField name="email" label={t('bound.email')} hint={t('form.emailHint')} />
      <SelectField name="group" label={t('field.group')} choices={choices} />
      <MoneyField name="quota" label={t('field.quota')} />
      <Divider>{t('form.bound')}</Divider>
      {boundAccounts.map((name) => (
        <Field key={name} label={t(`bound.${name}`)}>
          <Input value={user[name]} placeholder={t('form.notBound')} readOnly appearance="filled-darker" />
        </Field>
      ))}
    </Frame>
  );
}
