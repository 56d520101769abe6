import { lazy, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { waitMsOf } from '../../api/retry.ts';
import { Deferred } from '../deferred.tsx';
import type { Notice } from './toast-outlet.tsx';

const ToastOutlet = lazy(() => import('./toast-outlet.tsx').then((file) => ({ default: file.ToastOutlet })));

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
  const { t } = useTranslation('shell');
  return useMemo(
    () => ({
      success: (text) => say({ intent: 'success', text }),
      warning: (text) => say({ intent: 'warning', text }),
      error(error) {
        if (error instanceof ApiError && error.isSaid) return;
        const text = error instanceof Error ? error.message : String(error);
        // Nothing is broken, and it needs saying only once.
        if (waitMsOf(error) !== undefined) return say({ intent: 'warning', text, id: 'wait' });
        const requestId = error instanceof ApiError ? error.requestId : '';
        say({ intent: 'error', text, detail: requestId && t('error.request', { id: requestId }) });
      },
      undo: (text, takeBack) => say({ intent: 'success', text, takeBack }),
    }),
    [t],
  );
}

/** What was said before there was a place to show it. */
const early: Notice[] = [];
let show: ((notice: Notice) => void) | undefined;

function say(notice: Notice): void {
  if (show) show(notice);
  else early.push(notice);
}

function showBy(shower: (notice: Notice) => void): void {
  show = shower;
  for (const notice of early.splice(0)) shower(notice);
}

/** Stands once, in the app. */
export function NotifyOutlet() {
  return (
    <Deferred>
      <ToastOutlet onReady={showBy} />
    </Deferred>
  );
}
