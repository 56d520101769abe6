import { Button } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { beginSession, finishSignIn } from '../../api/session.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { TextField } from '../../components/form/field.tsx';
import { Form } from '../../components/form/form.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import { SignInCard } from '../../components/sign-in/sign-in-card.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { placeBefore } from '../../state/session-guard.tsx';

const formSchema = z.object({ code: z.string().trim().min(1, { error: 'sign-in:code.missing' }) });

/** After the password: a code of the authenticator app. */
export function SecondStepPage() {
  const { t } = useTranslation('sign-in');
  const navigate = useNavigate();
  const { state } = useLocation();
  const notify = useNotify();
  const form = useSchemaForm(formSchema, { code: '' });

  async function submit({ code }: z.output<typeof formSchema>): Promise<void> {
    beginSession(await finishSignIn(code));
    notify.success(t('login.done'));
    await navigate(placeBefore(state) ?? '/token', { replace: true });
  }

  return (
    <SignInCard
      title={t('code.title')}
      purpose={t('code.purpose')}
      links={<TextLink to="/login">{t('code.login')}</TextLink>}
    >
      <Form form={form} onSubmit={submit} isGuarded={false}>
        <TextField
          name="code"
          label={t('code.field')}
          hint={t('code.hint')}
          autoComplete="one-time-code"
          isRequired
          autoFocus
        />
        <Button type="submit" appearance="primary" size="large" disabledFocusable={form.formState.isSubmitting}>
          {t('code.submit')}
        </Button>
      </Form>
    </SignInCard>
  );
}
