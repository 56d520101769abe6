import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
  makeStyles,
  Text,
  tokens,
} from '@fluentui/react-components';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionUser } from '../../../state/session.ts';

interface PasswordDialogProps {
  title: string;
  purpose: string;
  /** A rejection is shown under the field; the dialog stays. */
  onSubmit: (password: string) => Promise<void>;
  onClose: () => void;
}

const useStyles = makeStyles({
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
});

/** Asks for the own password once more: a session that was left open is not enough for what follows. */
export function PasswordDialog({ title, purpose, onSubmit, onClose }: PasswordDialogProps) {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const me = sessionUser.use();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
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
    <Dialog open onOpenChange={(_event, { open }) => open || onClose()}>
      <DialogSurface>
        <form noValidate onSubmit={(event) => void submit(event)}>
          <DialogBody>
            <DialogTitle>{title}</DialogTitle>
            <DialogContent className={styles.content}>
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
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>{t('shell:action.cancel')}</Button>
              <Button type="submit" appearance="primary" disabledFocusable={isSending}>
                {t('password.continue')}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
