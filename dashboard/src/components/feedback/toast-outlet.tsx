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
import { type MouseEvent, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeptFocus } from './kept-focus.ts';
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

export type TakeDown = () => void;
export type Show = (notice: Notice) => TakeDown;

const toasterId = 'notify';
const shownMs = 4000;
const undoMs = 8000;
const untilClosed = -1;
/** Each notice has a name of its own, by which it is taken down. */
let counted = 0;
/** From the edges of the window. */
const margin = { horizontal: 20, vertical: 16 };

/** Where notices appear, and by whom they are read out. */
export function ToastOutlet({ onReady }: { onReady: (show: Show) => void }) {
  // Here, and not in the app: what a page needs only later comes later.
  useKeptFocus();
  const { announce } = useAnnounce();
  const { dispatchToast, dismissToast } = useToastController(toasterId);
  const vertical = margin.vertical + useHeightBelowToasts();
  useEffect(() => {
    onReady((notice) => {
      const { intent, takeBack, id: toastId = `notice ${counted++}` } = notice;
      const timeout = takeBack ? undoMs : intent === 'error' ? untilClosed : shownMs;
      const politeness = intent === 'error' ? 'assertive' : 'polite';
      dispatchToast(<NoticeToast {...notice} />, {
        intent,
        timeout,
        pauseOnHover: true,
        politeness,
        toastId,
      });
      return () => dismissToast(toastId);
    });
  }, [onReady, dispatchToast, dismissToast]);
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
  function press({ currentTarget }: MouseEvent<HTMLElement>): void {
    // Or else the focus would go to the next notice, a moment later, from wherever it is then.
    currentTarget.blur();
    takeBack?.();
  }
  const word = takeBack ? t('action.undo') : intent === 'error' ? t('action.close') : undefined;
  const link = word && <Link onClick={press}>{word}</Link>;
  return (
    <Toast>
      <ToastTitle action={link && <ToastTrigger>{link}</ToastTrigger>}>{text}</ToastTitle>
      {detail && <ToastBody subtitle={detail} />}
    </Toast>
  );
}
