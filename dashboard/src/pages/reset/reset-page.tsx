import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { emailSchema } from '../../../../core/schemas/email.ts';
import { requestReset } from '../../api/account.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { Form } from '../../components/form/form.tsx';
import { TextField } from '../../components/form/text-field.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import { LockedButton, useCodeLock } from '../../components/sign-in/code-button.tsx';
import { useHumanCheck } from '../../components/sign-in/human-check.tsx';
import { SignInCard } from '../../components/sign-in/sign-in-card.tsx';
import { TextLink } from '../../components/text-link.tsx';

const schema = z.object({ email: emailSchema });

/** Ask for a mail that leads to a new password. */
export function ResetPage() {
  const { t } = useTranslation('sign-in');
  const notify = useNotify();
  const humanCheck = useHumanCheck();
  const form = useSchemaForm(schema, { email: '' });

  async function ask(): Promise<boolean> {
    const check = humanCheck.take();
    if (check === undefined) {
      notify.warning(t('humanCheck'));
      return false;
    }
    return requestReset(form.getValues('email').trim(), check).then(
      () => {
        notify.success(t('reset.sent'));
        return true;
      },
      (error: unknown) => {
        notify.error(error);
        return false;
      },
    );
  }

  const { left, send } = useCodeLock(ask);

  return (
    <SignInCard
      title={t('reset.title')}
      purpose={t('reset.purpose')}
      links={<TextLink to="/login">{t('reset.login')}</TextLink>}
    >
      <Form form={form} onSubmit={send} isGuarded={false}>
        <TextField name="email" type="email" label={t('field.email')} autoComplete="email" isRequired autoFocus />
        <div ref={humanCheck.place} />
        <LockedButton label={t('reset.submit')} left={left} appearance="primary" />
      </Form>
    </SignInCard>
  );
}
