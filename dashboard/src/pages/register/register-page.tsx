import { Button } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { type Register, registerSchema } from '../../../../core/schemas/account.ts';
import { passwordSchema, usernameSchema } from '../../../../core/schemas/user.ts';
import { coded } from '../../../../core/text/coded.ts';
import { register, sendVerificationCode } from '../../api/account.ts';
import { beginSession, signIn } from '../../api/session.ts';
import { useStatus } from '../../api/status.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { Form } from '../../components/form/form.tsx';
import { PasswordField, TextField } from '../../components/form/text-field.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import { CodeButton } from '../../components/sign-in/code-button.tsx';
import { useHumanCheck } from '../../components/sign-in/human-check.tsx';
import { OutsideSignIn } from '../../components/sign-in/outside-sign-in.tsx';
import { SignInCard } from '../../components/sign-in/sign-in-card.tsx';
import { useSecondStep } from '../../components/sign-in/use-second-step.ts';
import { TextLink } from '../../components/text-link.tsx';
import { afterRegistration } from '../../state/after-registration.ts';
import { invitationCode } from '../../state/preference.ts';
import { useInvitation } from '../../state/use-invitation.ts';

const given = z.string().min(1);
/** What is missing stands below its own field, where the server has one sentence for all of it. */
const formSchema = z
  .object({ ...registerSchema.shape, username: usernameSchema, password: given.pipe(passwordSchema), password2: given })
  .refine(({ password, password2 }) => password2 === password, {
    path: ['password2'],
    message: coded('input.passwordsDiffer'),
  });

/** Also while other fields are wrong: everything that is missing is named at once. */
const always = { when: () => true };
/** With verification on, an address and the code sent to it are part of the account. */
const verifiedSchema = formSchema
  .refine(({ email }) => email !== '', { path: ['email'], message: 'sign-in:register.emailMissing', ...always })
  .refine((fields) => fields.verification_code !== '', {
    path: ['verification_code'],
    message: 'sign-in:register.codeMissing',
    ...always,
  });

/** Open an account. */
export function RegisterPage() {
  const { t } = useTranslation('sign-in');
  const navigate = useNavigate();
  const notify = useNotify();
  const humanCheck = useHumanCheck();
  const isSignedIn = useSecondStep();
  const { email_verification: asksForEmail } = useStatus();
  const form = useSchemaForm(asksForEmail ? verifiedSchema : formSchema, {
    username: '',
    password: '',
    password2: '',
    email: '',
    verification_code: '',
  });
  useInvitation();

  async function submit(fields: Register): Promise<void> {
    const check = humanCheck.take();
    if (check === undefined) return notify.warning(t('humanCheck'));
    await register({ ...fields, aff_code: invitationCode.get() }, check);
    invitationCode.set('');
    notify.success(t('register.done'));
    const { username, password } = fields;
    // Where the installation asks for more than a password, the sign-in page knows what.
    const response = await signIn({ username, password }, '').catch(() => undefined);
    if (response && isSignedIn(response, '/token')) beginSession(response);
    if (!response || !('require_2fa' in response)) await navigate('/login', { state: afterRegistration });
  }

  async function sendCode(): Promise<boolean> {
    const email = String(form.getValues('email') ?? '').trim();
    if (email === '') {
      form.setError('email', { message: 'sign-in:register.emailMissing' }, { shouldFocus: true });
      return false;
    }
    if (!(await form.trigger('email', { shouldFocus: true }))) return false;
    const check = humanCheck.take();
    if (check === undefined) {
      notify.warning(t('humanCheck'));
      return false;
    }
    return sendVerificationCode(email, check).then(
      () => {
        notify.success(t('register.codeSent'));
        return true;
      },
      (error: unknown) => {
        notify.error(error);
        return false;
      },
    );
  }

  return (
    <SignInCard title={t('register.title')} links={<TextLink to="/login">{t('register.login')}</TextLink>}>
      <Form form={form} onSubmit={submit} isGuarded={false}>
        <TextField
          name="username"
          label={t('field.username')}
          hint={t('field.usernameHint')}
          autoComplete="username"
          isRequired
          autoFocus
        />
        <PasswordField
          name="password"
          label={t('field.password')}
          placeholder={t('field.passwordHint')}
          autoComplete="new-password"
          isRequired
        />
        <PasswordField name="password2" label={t('field.passwordAgain')} autoComplete="new-password" isRequired />
        {asksForEmail && (
          <>
            <TextField
              name="email"
              type="email"
              label={t('field.email')}
              autoComplete="email"
              isRequired
              contentAfter={<CodeButton label={t('register.sendCode')} onSend={sendCode} appearance="transparent" />}
            />
            <TextField name="verification_code" label={t('field.code')} autoComplete="one-time-code" isRequired />
          </>
        )}
        <div ref={humanCheck.place} />
        <Button type="submit" appearance="primary" size="large" disabledFocusable={form.formState.isSubmitting}>
          {t('register.submit')}
        </Button>
      </Form>
      <OutsideSignIn />
    </SignInCard>
  );
}
