import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../../components/feedback/panel-dialog.tsx';
import { CodeField, useCodeForm } from './code-field.tsx';

interface CodeDialogProps {
  title: string;
  /** A rejection is shown; the dialog stays. */
  onSubmit: (code: string) => Promise<void>;
  onClose: () => void;
  isDangerous?: boolean;
}

/** Asks for a code of the app, or a backup code, before something is done. */
export function CodeDialog({ title, onSubmit, onClose, isDangerous = false }: CodeDialogProps) {
  const { t } = useTranslation('account');
  const form = useCodeForm(onSubmit);
  return (
    <FormDialog title={title} action={title} isBusy={form.isSending} onSubmit={form.submit} onClose={onClose}>
      <CodeField form={form} hint={t(isDangerous ? 'twoFactor.disableHint' : 'twoFactor.codeHint')} />
    </FormDialog>
  );
}
