import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  tokens,
} from '@fluentui/react-components';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Closed by its buttons only: what it shows is shown once. */
  isKept?: boolean;
  /** Asks for a decision: a click beside it does not close it. */
  isAlert?: boolean;
  isWide?: boolean;
  children: ReactNode;
}

interface PanelDialogProps extends DialogProps {
  /** Without them, one button that closes. */
  actions?: ReactNode;
}

interface FormDialogProps extends DialogProps {
  /** On the button that submits. */
  action: string;
  isBusy?: boolean;
  onSubmit: (event: FormEvent) => void | Promise<void>;
}

const useStyles = makeStyles({
  title: { overflowWrap: 'anywhere' },
  wide: { maxWidth: 'min(860px, 100vw)' },
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, minWidth: 0 },
});

/** A dialog that is open as long as it is rendered. */
export function PanelDialog({ actions, ...dialog }: PanelDialogProps) {
  const { t } = useTranslation('shell');
  const close = (
    <Button appearance="primary" onClick={dialog.onClose}>
      {t('action.close')}
    </Button>
  );
  return (
    <Frame {...dialog}>
      <Body {...dialog} actions={actions ?? close} />
    </Frame>
  );
}

/** A dialog with one thing to send. */
export function FormDialog({ action, isBusy = false, onSubmit, ...dialog }: FormDialogProps) {
  const { t } = useTranslation('shell');
  const actions = (
    <>
      <Button onClick={dialog.onClose}>{t('action.cancel')}</Button>
      <Button type="submit" appearance="primary" disabledFocusable={isBusy}>
        {action}
      </Button>
    </>
  );
  const isSending = useRef(false);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // The page below may be a form, too.
    event.stopPropagation();
    // A second click or Enter while the first is on its way would send everything twice.
    if (isBusy || isSending.current) return;
    isSending.current = true;
    try {
      await onSubmit(event);
    } finally {
      isSending.current = false;
    }
  }
  return (
    <Frame {...dialog}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <Body {...dialog} actions={actions} />
      </form>
    </Frame>
  );
}

function Frame({ onClose, isKept = false, isAlert = isKept, isWide = false, children }: Omit<DialogProps, 'title'>) {
  const styles = useStyles();
  return (
    <Dialog
      open
      modalType={isAlert ? 'alert' : 'modal'}
      onOpenChange={(_event, { open }) => open || isKept || onClose()}
    >
      <DialogSurface className={isWide ? styles.wide : undefined}>{children}</DialogSurface>
    </Dialog>
  );
}

function Body({ title, actions, children }: Pick<PanelDialogProps, 'title' | 'actions' | 'children'>) {
  const styles = useStyles();
  return (
    <DialogBody>
      <DialogTitle className={styles.title}>{title}</DialogTitle>
      <DialogContent className={styles.content}>{children}</DialogContent>
      <DialogActions fluid>{actions}</DialogActions>
    </DialogBody>
  );
}
