import { useCallback, useRef, useState } from 'react';
import { keyLayer, useKeys } from './use-keys.tsx';

export interface Question {
  text: string;
  /** What must be typed; one key answers a question without it. */
  word: string | undefined;
  typed: string;
}

export interface Confirm {
  question: Question | undefined;
  /** Default is no: any key but `y` says it. */
  ask(text: string): Promise<boolean>;
  /** For what hits many at once: the word must be typed. */
  askWord(text: string, word: string): Promise<boolean>;
}

/** One question at a time in the status line; while it is there, it has the keyboard. */
export function useConfirm(): Confirm {
  const [question, setQuestion] = useState<Question>();
  const answer = useRef<(isYes: boolean) => void>(undefined);

  const close = (isYes: boolean) => {
    setQuestion(undefined);
    answer.current?.(isYes);
    answer.current = undefined;
  };

  useKeys(
    ({ name, text }) => {
      if (question?.word === undefined) close(/^[yY]/.test(name === 'text' ? text : name));
      else if (name === 'escape' || name === 'ctrl-c') close(false);
      else if (name === 'enter') close(question.typed.trim() === question.word);
      else if (name === 'backspace') setQuestion({ ...question, typed: [...question.typed].slice(0, -1).join('') });
      else if (text) setQuestion({ ...question, typed: question.typed + text.replace(/\s+/g, ' ') });
      return true;
    },
    { layer: keyLayer.question, isActive: question !== undefined },
  );

  const open = useCallback((text: string, word?: string) => {
    // A question that another one takes the place of has not been answered with yes.
    answer.current?.(false);
    setQuestion({ text, word, typed: '' });
    return new Promise<boolean>((resolve) => {
      answer.current = resolve;
    });
  }, []);

  return { question, ask: open, askWord: open };
}
