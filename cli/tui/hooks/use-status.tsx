import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { AppError } from '../../../core/errors/app-error.ts';
import { readable } from '../../failure.ts';
import { useEnvironment } from '../environment.ts';
import { type Confirm, type Question, useConfirm } from './use-confirm.ts';
import { useUndo } from './use-undo.ts';
import { type Report, useWork, type WorkProgress } from './use-work.ts';

interface Notice {
  text: string;
  tone: 'green' | 'red';
  /** `u` takes back what it tells of. */
  undoable?: boolean;
}

/** What is in the status line, the most urgent first. */
export interface StatusView {
  question: Question | undefined;
  progress: WorkProgress | undefined;
  notice: Notice | undefined;
  undoSeconds: number;
}

export interface StatusActions extends Pick<Confirm, 'ask' | 'askWord'> {
  say(text: string): void;
  fail(error: unknown): void;
  /** Does something and says what came of it: the sentence it returns, or the error. True when it went well. */
  act(run: () => Promise<string | undefined>): Promise<boolean>;
  /** Says what was done; `u` calls `undo` for ten seconds, and what it returns is said. */
  offerUndo(text: string, undo: () => Promise<string>): void;
  /** Long work, with a bar in the status line; one at a time. Its last sentence is said. */
  work(label: string, run: (report: Report, signal: AbortSignal) => Promise<string>): void;
  stopWork(): void;
}

const noticeMs = 10_000;

const ViewContext = createContext<StatusView | undefined>(undefined);
const ActionContext = createContext<StatusActions | undefined>(undefined);

export function StatusProvider({ children }: { children: ReactNode }) {
  const { speak } = useEnvironment();
  const errorText = useErrorText();
  const { question, ask, askWord } = useConfirm();
  const undo = useUndo();
  const work = useWork();
  const [notice, setNotice] = useState<Notice>();

  useEffect(() => {
    const timer = notice && setTimeout(() => setNotice(undefined), noticeMs);
    return () => clearTimeout(timer);
  }, [notice]);

  const tools = useRef({ errorText, speak });
  tools.current = { errorText, speak };
  const { offer } = undo;
  const { start, stop } = work;
  const actions = useMemo((): StatusActions => {
    const say = (text: string) => setNotice({ text, tone: 'green' });
    const fail = (error: unknown) => setNotice({ text: tools.current.errorText(error), tone: 'red' });
    const act = async (run: () => Promise<string | undefined>) => {
      try {
        const text = await run();
        if (text !== undefined) say(text);
        return true;
      } catch (error) {
        fail(error);
        return false;
      }
    };
    return {
      ask,
      askWord,
      say,
      fail,
      act,
      offerUndo(text, undo) {
        setNotice({ text, tone: 'green', undoable: true });
        offer(() => void act(undo));
      },
      work(label, run) {
        const running = start(label, run);
        if (running) running.then(say, fail);
        else setNotice({ text: tools.current.speak('tui.workBusy'), tone: 'red' });
      },
      stopWork: stop,
    };
  }, [ask, askWord, offer, start, stop]);

  const view = { question, progress: work.progress, notice, undoSeconds: undo.left };
  return (
    <ActionContext.Provider value={actions}>
      <ViewContext.Provider value={view}>{children}</ViewContext.Provider>
    </ActionContext.Provider>
  );
}

/** Sentences and questions for the person in front of the screen. */
export function useStatus(): StatusActions {
  const actions = useContext(ActionContext);
  if (!actions) throw new Error('a screen stands outside of the status line');
  return actions;
}

export function useStatusView(): StatusView {
  const view = useContext(ViewContext);
  if (!view) throw new Error('a screen stands outside of the status line');
  return view;
}

/** An error as a sentence in the language of the reader. */
export function useErrorText(): (error: unknown) => string {
  const { language } = useEnvironment();
  return (error) => {
    const shown = readable(error);
    if (shown instanceof AppError) return shown.text(language);
    return shown instanceof Error ? shown.message : String(shown);
  };
}
