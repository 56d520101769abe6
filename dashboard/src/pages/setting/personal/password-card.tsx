import { Button, makeStyles } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { passwordSchema } from '../../../../../core/schemas/user.ts';
import { coded } from '../../../../../core/text/coded.ts';
import { refreshTwoFactor, useSelfActions, useTwoFactor } from '../../../api/self.ts';
import { useNotify } from '../../../components/feedback/notify.tsx';
import { PasswordField } from '../../../components/form/field.tsx';
import { Form } from '../../../components/form/form.tsx';
import { useSchemaForm } from '../../../components/form/use-schema-form.ts';
import { SectionCard } from '../../../components/section-card.tsx';
import { sessionUser } from '../../../state/session.ts';

const useStyles = makeStyles({ button: { alignSelf: 'flex-start' } });

const formSchema = z
  .object({ original_password: z.string(), password: passwordSchema, password2: z.string() })
  .refine(({ password, password2 }) => password === password2, {
    path: ['password2'],
    message: coded('input.passwordsDiffer'),
  });

/** A new password; typed twice, because it is hidden, and only with the current one. */
export function PasswordCard() {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const notify = useNotify();
  const { update } = useSelfActions();
  const me = sessionUser.use();
  const form = useSchemaForm(formSchema, { original_password: '', password: '', password2: '' });
  const hasPassword = useTwoFactor().data?.password_needed ?? true;

  async function save({ original_password, password }: z.output<typeof formSchema>): Promise<void> {
    await update({ original_password, password });
    await refreshTwoFactor();
    notify.success(t('password.done'));
    form.reset();
  }

  return (
    <SectionCard title={t('password.title')} purpose={t('password.purpose')}>
      <Form form={form} onSubmit={save}>
        {/* Whose password it is, for password keepers. */}
        <input hidden readOnly autoComplete="username" value={me?.username ?? ''} />
        {hasPassword && <PasswordField name="original_password" label={t('password.current')} isRequired />}
        <PasswordField
          name="password"
          label={t('password.new')}
          placeholder={t('password.hint')}
          autoComplete="new-password"
          isRequired
        />
        <PasswordField name="password2" label={t('password.again')} autoComplete="new-password" isRequired />
        <Button
          type="submit"
          appearance={form.formState.isDirty ? 'primary' : 'secondary'}
          className={styles.button}
          disabledFocusable={form.formState.isSubmitting}
        >
          {t('password.action')}
        </Button>
      </Form>
    </SectionCard>
  );
}
