import { Button } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router-dom';
import { type Setup, setupSchema } from '../../../../core/schemas/setup.ts';
import { coded } from '../../../../core/text/coded.ts';
import { setUp } from '../../api/account.ts';
import { queryClient } from '../../api/query-client.ts';
import { endSession } from '../../api/session.ts';
import { useStatus, useStatusState } from '../../api/status.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { PasswordField, SwitchField, TextField } from '../../components/form/field.tsx';
import { Form } from '../../components/form/form.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import { SignInCard } from '../../components/sign-in/sign-in-card.tsx';
import { useOptionText } from '../../i18n/option-text.ts';

const schema = setupSchema.refine(({ password, confirmPassword }) => password === confirmPassword, {
  path: ['confirmPassword'],
  message: coded('input.passwordsDiffer'),
});

/** The first minute of an installation: root gets a name and a password of its own. */
export function SetupPage() {
  const { t } = useTranslation('sign-in');
  const optionText = useOptionText();
  const navigate = useNavigate();
  const notify = useNotify();
  const { setup: isDone } = useStatus();
  const { isCurrent } = useStatusState();
  const form = useSchemaForm(schema, {
    username: 'root',
    password: '',
    confirmPassword: '',
    SelfUseModeEnabled: false,
    DemoSiteEnabled: false,
  });

  async function submit(fields: Setup): Promise<void> {
    await setUp(fields);
    // A new password ends every session, including those of others with the old one.
    endSession();
    notify.success(t('setup.done'));
    await queryClient.invalidateQueries({ queryKey: ['status'] });
    await navigate('/login');
  }

  if (isCurrent && isDone && !form.formState.isSubmitted) return <Navigate to="/login" replace />;
  return (
    <SignInCard title={t('setup.title')} purpose={t('setup.purpose')}>
      <Form form={form} onSubmit={submit}>
        <TextField name="username" label={t('field.username')} autoComplete="username" isRequired />
        <PasswordField
          name="password"
          label={t('field.password')}
          placeholder={t('field.passwordHint')}
          autoComplete="new-password"
          isRequired
          autoFocus
        />
        <PasswordField name="confirmPassword" label={t('field.passwordAgain')} autoComplete="new-password" isRequired />
        <SwitchField name="SelfUseModeEnabled" {...optionText('SelfUseModeEnabled')} />
        <SwitchField name="DemoSiteEnabled" {...optionText('DemoSiteEnabled')} />
        <Button type="submit" appearance="primary" size="large" disabledFocusable={form.formState.isSubmitting}>
          {t('setup.submit')}
        </Button>
      </Form>
    </SignInCard>
  );
}
