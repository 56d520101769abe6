import {
  Link,
  Toast,
  ToastBody,
  Toaster,
  type ToastIntent,
  ToastTitle,
  ToastTrigger,
  useAnnounce,
  useToastController,
} from '@fluentui/react-components';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';

const toasterId = 'notify';
const shownMs = 4000;
const undoMs = 8000;

export interface Notify {
  success(text: string): void;
  warning(text: string): void;
  /** A failed call with its request id; stays until it is closed. Also takes a plain text. */
  error(error: unknown): void;
  /** Says what was done and offers to take it back for eight seconds. */
  undo(text: string, takeBack: () => void): void;
}

/** Toasts at the bottom end of the page, read out to those who do not see them. */
export function useNotify(): Notify {
  const { dispatchToast } = useToastController(toasterId);
  const { t } = useTranslation('shell');
  return useMemo(() => {
    function show(intent: ToastIntent, text: string, { detail = '', timeout = shownMs, undo }: ToastOptions = {}) {
      const undoLink = undo && (
        <ToastTrigger>
          <Link onClick={undo}>{t('action.undo')}</Link>
        </ToastTrigger>
      );
      const closeLink = timeout < 0 && (
        <ToastTrigger>
          <Link>{t('action.close')}</Link>
        </ToastTrigger>
      );
      dispatchToast(
        <Toast>
          <ToastTitle action={undoLink || closeLink || undefined}>{text}</ToastTitle>
          {detail && <ToastBody subtitle={detail} />}
        </Toast>,
        { intent, timeout, pauseOnHover: true, politeness: intent === 'error' ? 'assertive' : 'polite' },
      );
    }
    return {
      success: (text) => show('success', text),
      warning: (text) => show('warning', text),
      error(error) {
        const text = error instanceof Error ? error.message : String(error);
        const requestId = error instanceof ApiError ? error.requestId : '';
        show('error', text, { detail: requestId && t('error.request', { id: requestId }), timeout: -1 });
      },
      undo: (text, takeBack) => show('success', text, { timeout: undoMs, undo: takeBack }),
    };
  }, [dispatchToast, t]);
}

interface ToastOptions {
  detail?: string;
  timeout?: number;
  undo?: () => void;
}

/** Stands once, in the app. */
export function NotifyOutlet() {
  const { announce } = useAnnounce();
  return (
    <Toaster
      toasterId={toasterId}
      position="bottom-end"
      announce={(message, { politeness }) => announce(message, { alert: politeness === 'assertive' })}
    />
  );
}
