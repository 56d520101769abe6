import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type UserCreate, userCreateSchema } from '../../../../core/schemas/user.ts';
import { useUserActions } from '../../api/user.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { PasswordField, TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import { randomUuid } from '../../state/random-uuid.ts';

const formSchema = userCreateSchema.omit({ role: true, request_key: true });

/** A new account, opened by an admin. */
export function UserAdder({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('user');
  const notify = useNotify();
  const { create } = useUserActions();
  const requestKey = useRef(randomUuid());
  const form = useSchemaForm(formSchema, { username: '', display_name: '', password: '' });

  async function save(user: Omit<UserCreate, 'role' | 'request_key'>): Promise<void> {
    await create({ ...user, request_key: requestKey.current });
    notify.success(t('created'));
    onClose();
  }

  return (
    <FormDrawer title={t('add')} action={t('create')} {...{ form, onClose }} onSubmit={save}>
      <TextField name="username" label={t('field.username')} hint={t('form.usernameHint')} isRequired />
      <TextField name="display_name" label={t('field.displayName')} />
      <PasswordField
        name="password"
        label={t('field.password')}
        placeholder={t('form.passwordHint')}
        autoComplete="new-password"
        isRequired
      />
    </FormDrawer>
  );
}
