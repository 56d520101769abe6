import { Field, Input } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { emailSchema } from '../../../../../core/schemas/email.ts';
import { sendVerificationCode } from '../../../api/account.ts';
import { useSelfActions, useTwoFactor } from '../../../api/self.ts';
import { useNotify } from '../../../components/feedback/notify.tsx';
import { FormDialog } from '../../../components/feedback/panel-dialog.tsx';
import { messageText } from '../../../components/form/message-text.ts';
import { CodeButton } from '../../../components/sign-in/code-button.tsx';
import { useHumanCheck } from '../../../components/sign-in/human-check.tsx';

interface Problems {
  email?: string | undefined;
  code?: string | undefined;
  password?: string | undefined;
}

/** An address is taken over by the code that was sent to it, and the own password: a session that was left open is not enough. */
export function EmailDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation('account');
  const notify = useNotify();
  const humanCheck = useHumanCheck();
  const { bindEmail } = useSelfActions();
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<Problems>({});
  const { data: factor } = useTwoFactor();
  const isPasswordNeeded = factor?.password_needed ?? true;

  function emailProblem(): string | undefined {
    if (email.trim() === '') return t('email.missing');
    const message = emailSchema.safeParse(email).error?.issues[0]?.message;
    return message && messageText(message, i18n.language);
  }

  async function send(): Promise<boolean> {
    const problem = emailProblem();
    setWrong({ email: problem });
    if (problem !== undefined) return false;
    const check = humanCheck.take();
    if (check === undefined) {
      notify.warning(t('email.humanCheck'));
      return false;
    }
    try {
      await sendVerificationCode(email.trim(), check);
      notify.success(t('email.sent'));
      return true;
    } catch (error) {
      notify.error(error);
      return false;
    }
  }

  async function submit(): Promise<void> {
    const problems: Problems = {
      email: emailProblem(),
      code: code.trim() === '' ? t('email.codeMissing') : undefined,
      password: isPasswordNeeded && password === '' ? t('email.passwordMissing') : undefined,
    };
    setWrong(problems);
    if (Object.values(problems).some((problem) => problem !== undefined)) return;
    try {
      await bindEmail({ email: email.trim(), code: code.trim(), password });
      notify.success(t('email.done'));
      onClose();
    } catch (error) {
      notify.error(error);
    }
  }

  const fieldState = (problem: string | undefined) =>
    ({ validationState: problem === undefined ? 'none' : 'error', validationMessage: problem }) as const;

  return (
    <FormDialog title={t('email.title')} action={t('binding.bind')} onSubmit={submit} onClose={onClose}>
      <Field label={t('email.address')} required {...fieldState(wrong.email)}>
        <Input
          type="email"
          autoComplete="email"
          value={email}
          onChange={(_event, { value }) => setEmail(value)}
          contentAfter={<CodeButton label={t('email.send')} onSend={send} appearance="transparent" />}
        />
      </Field>
      <Field label={t('email.code')} required {...fieldState(wrong.code)}>
        <Input autoComplete="one-time-code" value={code} onChange={(_event, { value }) => setCode(value)} />
      </Field>
      {isPasswordNeeded && (
        <Field label={t('password.current')} required {...fieldState(wrong.password)}>
          <Input
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(_event, { value }) => setPassword(value)}
          />
        </Field>
      )}
      <div ref={humanCheck.place} />
    </FormDialog>
  );
}
