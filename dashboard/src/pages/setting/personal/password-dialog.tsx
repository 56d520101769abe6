import { Field, Input, Text } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../../components/feedback/panel-dialog.tsx';
import { sessionUser } from '../../../state/session.ts';

interface PasswordDialogProps {
  title: string;
  purpose: string;
  /** A rejection is shown under the field; the dialog stays. */
  onSubmit: (password: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the own password once more: a session that was left open is not enough for what follows. */
export function PasswordDialog({ title, purpose, onSubmit, onClose }: PasswordDialogProps) {
  const { t } = useTranslation('account');
  const me = sessionUser.use();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function submit(): Promise<void> {
    if (isSending) return;
    if (password === '') return setProblem(t('shell:form.required'));
    setSending(true);
    try {
      await onSubmit(password);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setSending(false);
    }
  }

  return (
    <FormDialog
      title={title}
      action={t('password.continue')}
      isBusy={isSending}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Text>{purpose}</Text>
      {/* Whose password it is, for password keepers. */}
      <input hidden readOnly autoComplete="username" value={me?.username ?? ''} />
      <Field label={t('password.current')} validationMessage={problem} required>
        <Input
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(_event, { value }) => {
            setPassword(value);
            setProblem(undefined);
          }}
        />
      </Field>
    </FormDialog>
  );
}
