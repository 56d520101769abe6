import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
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
    <Dialog open onOpenChange={(_event, { open }) => open || onClose()}>
      <DialogSurface>
        <form noValidate onSubmit={form.submit}>
          <DialogBody>
            <DialogTitle>{title}</DialogTitle>
            <DialogContent>
              <CodeField form={form} hint={t(isDangerous ? 'twoFactor.disableHint' : 'twoFactor.codeHint')} />
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>{t('shell:action.cancel')}</Button>
              <Button type="submit" appearance="primary" disabledFocusable={form.isSending}>
                {title}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
