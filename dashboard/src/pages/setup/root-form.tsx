import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { type Setup, setupSchema } from '../../../../core/schemas/setup.ts';
import { coded } from '../../../../core/text/coded.ts';
import { setUp } from '../../api/account.ts';
import { queryClient } from '../../api/query-client.ts';
import { beginSession, endSession, signIn } from '../../api/session.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { Form } from '../../components/form/form.tsx';
import { PasswordField, TextField } from '../../components/form/text-field.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import { useSecondStep } from '../../components/sign-in/use-second-step.ts';

const schema = setupSchema.refine(({ password, confirmPassword }) => password === confirmPassword, {
  path: ['confirmPassword'],
  message: coded('input.passwordsDiffer'),
});

const useStyles = makeStyles({
  fields: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, maxWidth: '400px' },
  button: { alignSelf: 'flex-start' },
});

/** Root gets a name and a password of its own, and is signed in with them as on the sign-in page. */
export function RootForm() {
  const { t } = useTranslation('sign-in');
  const styles = useStyles();
  const navigate = useNavigate();
  const notify = useNotify();
  const isSignedIn = useSecondStep();
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
    const { username, password } = fields;
    const response = await signIn({ username, password }, '').catch(() => undefined);
    if (response && isSignedIn(response, '/setup')) beginSession(response);
    await queryClient.invalidateQueries({ queryKey: ['status'] });
    if (response) return;
    // Where the installation asks for more than a password, the sign-in page knows what.
    notify.success(t('setup.done'));
    await navigate('/login', { state: { from: '/setup' } });
  }

  return (
    <Form form={form} onSubmit={submit} isGuarded={false}>
      <div className={styles.fields}>
        <PasswordField
          name="password"
          label={t('field.password')}
          placeholder={t('field.passwordHint')}
          autoComplete="new-password"
          isRequired
          autoFocus
        />
        <PasswordField name="confirmPassword" label={t('field.passwordAgain')} autoComplete="new-password" isRequired />
        <TextField name="username" label={t('field.username')} autoComplete="username" isRequired />
        <Button
          type="submit"
          appearance="primary"
          className={styles.button}
          disabledFocusable={form.formState.isSubmitting}
        >
          {t('setup.submit')}
        </Button>
      </div>
    </Form>
  );
}
