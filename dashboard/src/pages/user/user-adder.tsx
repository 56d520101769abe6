import { useTranslation } from 'react-i18next';
import { type UserCreate, userCreateSchema } from '../../../../core/schemas/user.ts';
import { useUserActions } from '../../api/user.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { PasswordField, TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';

const formSchema = userCreateSchema.omit({ role: true });

/** A new account, opened by an admin. */
export function UserAdder({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('user');
  const notify = useNotify();
  const { create } = useUserActions();
  const form = useSchemaForm(formSchema, { username: '', display_name: '', password: '' });

  async function save(user: Omit<UserCreate, 'role'>): Promise<void> {
    await create(user);
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
