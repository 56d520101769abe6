import { Button, MessageBar, MessageBarBody } from '@fluentui/react-components';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import type { SignIn } from '../../../../core/schemas/session.ts';
import { beginSession, signIn } from '../../api/session.ts';
import { useStatus, useStatusState } from '../../api/status.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { Form } from '../../components/form/form.tsx';
import { PasswordField, TextField } from '../../components/form/text-field.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import { useHumanCheck } from '../../components/sign-in/human-check.tsx';
import { OutsideSignIn } from '../../components/sign-in/outside-sign-in.tsx';
import { SignInCard } from '../../components/sign-in/sign-in-card.tsx';
import { useSecondStep } from '../../components/sign-in/use-second-step.ts';
import { TextLink } from '../../components/text-link.tsx';
import { isRegistered } from '../../state/after-registration.ts';
import { session, sessionUser } from '../../state/session.ts';
import { placeBefore } from '../../state/session-guard.tsx';
import { useInvitation } from '../../state/use-invitation.ts';
import { useDefaultPasswordWarning } from './default-password-warning.ts';

const loadSchema = async () => (await import('../../../../core/schemas/session.ts')).signInSchema;

/** Sign in by password, or by an account elsewhere. */
export function LoginPage() {
  const { t } = useTranslation('sign-in');
  const navigate = useNavigate();
  const { state } = useLocation();
  const user = sessionUser.use();
  const [search] = useSearchParams();
  const notify = useNotify();
  const warnOfDefaultPassword = useDefaultPasswordWarning();
  const humanCheck = useHumanCheck();
  const isSignedIn = useSecondStep();
  const { setup: isSetUp } = useStatus();
  const { isCurrent } = useStatusState();
  const form = useSchemaForm(loadSchema, { username: '', password: '' });
  useInvitation();
  useEffect(() => session.acknowledgeExpiry(), []);

  async function submit(credentials: SignIn): Promise<void> {
    const check = humanCheck.take();
    if (check === undefined) return notify.warning(t('humanCheck'));
    const response = await signIn(credentials, check);
    const next = placeBefore(state) ?? '/token';
    if (!isSignedIn(response, next)) return;
    beginSession(response);
    notify.success(t('login.done'));
    await navigate(next, { replace: true });
    await warnOfDefaultPassword(credentials);
  }

  if (user && isRegistered(state)) return <Navigate to="/token" replace />;
  return (
    <SignInCard
      title={t('login.title')}
      links={
        <>
          <TextLink to="/register">{t('login.register')}</TextLink>
          <TextLink to="/reset">{t('login.reset')}</TextLink>
        </>
      }
    >
      {search.get('expired') === 'true' && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{t('shell:error.signedOut')}</MessageBarBody>
        </MessageBar>
      )}
      {isCurrent && !isSetUp && (
        <MessageBar intent="info" layout="multiline">
          <MessageBarBody>
            {t('login.notSetUp')} <TextLink to="/setup">{t('login.setUp')}</TextLink>
          </MessageBarBody>
        </MessageBar>
      )}
      <Form form={form} onSubmit={submit} isGuarded={false}>
        <TextField name="username" label={t('field.username')} autoComplete="username" isRequired autoFocus />
        <PasswordField name="password" label={t('field.password')} isRequired />
        <div ref={humanCheck.place} />
        <Button type="submit" appearance="primary" size="large" disabledFocusable={form.formState.isSubmitting}>
          {t('login.submit')}
        </Button>
      </Form>
      <OutsideSignIn />
    </SignInCard>
  );
}
