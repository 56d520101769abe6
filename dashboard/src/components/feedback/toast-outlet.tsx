import {
  Link,
  Toast,
  ToastBody,
  Toaster,
  ToastTitle,
  ToastTrigger,
  useAnnounce,
  useToastController,
} from '@fluentui/react-components';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useHeightBelowToasts } from './toast-place.ts';

/** A short message to the user. */
export interface Notice {
  intent: 'success' | 'warning' | 'error';
  text: string;
  detail?: string;
  /** Of several with the same one, only the first is shown. */
  id?: string;
  /** What undoes it. */
  takeBack?: () => void;
}

const toasterId = 'notify';
const shownMs = 4000;
const undoMs = 8000;
const untilClosed = -1;
/** From the edges of the window. */
const margin = { horizontal: 20, vertical: 16 };

/** Where notices appear, and by whom they are read out. */
export function ToastOutlet({ onReady }: { onReady: (show: (notice: Notice) => void) => void }) {
  const { announce } = useAnnounce();
  const { dispatchToast } = useToastController(toasterId);
  const vertical = margin.vertical + useHeightBelowToasts();
  useEffect(() => {
    onReady((notice) => {
      const { intent, takeBack, id } = notice;
      const timeout = takeBack ? undoMs : intent === 'error' ? untilClosed : shownMs;
      const politeness = intent === 'error' ? 'assertive' : 'polite';
      dispatchToast(<NoticeToast {...notice} />, {
        intent,
        timeout,
        pauseOnHover: true,
        politeness,
        ...(id && { toastId: id }),
      });
    });
  }, [onReady, dispatchToast]);
  return (
    <Toaster
      toasterId={toasterId}
      position="bottom-end"
      offset={{ ...margin, vertical }}
      announce={(message, { politeness }) => announce(message, { alert: politeness === 'assertive' })}
    />
  );
}

function NoticeToast({ intent, text, detail, takeBack }: Notice) {
  const { t } = useTranslation('shell');
  const link = takeBack ? (
    <Link onClick={takeBack}>{t('action.undo')}</Link>
  ) : intent === 'error' ? (
    <Link>{t('action.close')}</Link>
  ) : undefined;
  return (
    <Toast>
      <ToastTitle action={link && <ToastTrigger>{link}</ToastTrigger>}>{text}</ToastTitle>
      {detail && <ToastBody subtitle={detail} />}
    </Toast>
  );
}
