import { lazy, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { waitMsOf } from '../../api/retry.ts';
import { Deferred } from '../deferred.tsx';
import type { Notice, Show, TakeDown } from './toast-outlet.tsx';

const ToastOutlet = lazy(() => import('./toast-outlet.tsx').then((file) => ({ default: file.ToastOutlet })));

export interface Notify {
  success(text: string): void;
  warning(text: string): void;
  /** A failed call with its request id; stays until it is closed. Also takes a plain text. */
  error(error: unknown): void;
  /** The same, until what is returned takes it down: what failed was tried again. */
  failure(error: unknown): TakeDown;
  /** Says what was done and offers to take it back for eight seconds. */
  undo(text: string, takeBack: () => void): void;
}

/** Toasts at the bottom end of the page, read out to those who do not see them. */
export function useNotify(): Notify {
  const { t } = useTranslation('shell');
  return useMemo(() => {
    function failure(error: unknown): TakeDown {
      if (error instanceof ApiError && error.isSaid) return () => {};
      const text = error instanceof Error ? error.message : String(error);
      // Nothing is broken, and it needs saying only once.
      if (waitMsOf(error) !== undefined) return say({ intent: 'warning', text, id: 'wait' });
      const requestId = error instanceof ApiError ? error.requestId : '';
      return say({ intent: 'error', text, detail: requestId && t('error.request', { id: requestId }) });
    }
    return {
      success: (text) => void say({ intent: 'success', text }),
      warning: (text) => void say({ intent: 'warning', text }),
      error: (error) => void failure(error),
      failure,
      undo: (text, takeBack) => void say({ intent: 'success', text, takeBack }),
    };
  }, [t]);
}

/** What was said before there was a place to show it, and how it is taken down once it is shown. */
const early: { notice: Notice; takeDown?: TakeDown }[] = [];
let show: Show | undefined;

function say(notice: Notice): TakeDown {
  if (show) return show(notice);
  const waiting: (typeof early)[number] = { notice };
  early.push(waiting);
  return () => {
    const index = early.indexOf(waiting);
    if (index >= 0) early.splice(index, 1);
    waiting.takeDown?.();
  };
}

function showBy(shower: Show): void {
  show = shower;
  for (const waiting of early.splice(0)) waiting.takeDown = shower(waiting.notice);
}

/** Stands once, in the app. */
export function NotifyOutlet() {
  return (
    <Deferred>
      <ToastOutlet onReady={showBy} />
    </Deferred>
  );
}
