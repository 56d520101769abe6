import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useRef, useState } from 'react';
import type { Question } from './confirm-dialog.tsx';

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx').then((file) => ({ default: file.ConfirmDialog })));

export type { Question };

type Ask = (question: Question) => Promise<boolean>;

const ConfirmContext = createContext<Ask>(() => Promise.resolve(false));

/** `if (await confirm({ title, text, action, isDangerous: true })) remove()` */
export const useConfirm = (): Ask => useContext(ConfirmContext);

const DismissContext = createContext<() => void>(() => {});

/** Takes an open question back, as if it was answered with no: the page that asked is gone. */
export const useDismissQuestion = (): (() => void) => useContext(DismissContext);

/** Contains the one dialog that asks before something is done. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>();
  const [isOpen, setOpen] = useState(false);
  const settle = useRef<(answer: boolean) => void>(() => {});

  const ask = useCallback<Ask>((next) => {
    setQuestion(next);
    setOpen(true);
    return new Promise((resolve) => {
      settle.current = resolve;
    });
  }, []);

  const answer = useCallback((value: boolean): void => {
    setOpen(false);
    settle.current(value);
  }, []);
  const isForAnyPage = useRef(false);
  isForAnyPage.current = question?.isForAnyPage === true;
  const dismiss = useCallback(() => {
    if (!isForAnyPage.current) answer(false);
  }, [answer]);

  return (
    <ConfirmContext value={ask}>
      <DismissContext value={dismiss}>{children}</DismissContext>
      <Suspense fallback={null}>
        {question && <ConfirmDialog question={question} isOpen={isOpen} onAnswer={answer} />}
      </Suspense>
    </ConfirmContext>
  );
}
