import { useInput, useStdin } from 'ink';
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createKeySplitter, type Key } from '../keys.ts';
import { useIsVisible } from './use-visible.ts';

/** Who hears a key first: the highest layer, and in it the latest component. */
export const keyLayer = { global: 0, screen: 1, pane: 2, input: 3, question: 4 } as const;

/** True when the key has been used up. */
export type KeyHandler = (key: Key) => boolean;

interface Listener {
  layer: number;
  takesText: boolean;
  handle: KeyHandler;
}

interface KeyOptions {
  layer: number;
  isActive?: boolean;
  /** Characters that came at once are heard as one `text`. */
  takesText?: boolean;
}

const KeyContext = createContext<{ add(listener: Listener): () => void } | undefined>(undefined);

/**
 * Reads the keyboard for all screens. What arrives at once is split into single keys, and each is heard only when what the one before
 * it changed is on the screen: `/abc` typed at once opens the filter and writes into it.
 */
export function KeyProvider({ children }: { children: ReactNode }) {
  const listeners = useRef<Listener[]>([]);
  const waiting = useRef<Key[]>([]);
  const isBusy = useRef(false);
  const split = useRef(createKeySplitter());
  const [turn, setTurn] = useState(0);

  const next = () => {
    isBusy.current = waiting.current.length > 0;
    if (!isBusy.current) return;
    const ordered = listeners.current
      .map((listener, order) => ({ listener, order }))
      .sort((a, b) => b.listener.layer - a.listener.layer || b.order - a.order)
      .map(({ listener }) => listener);
    const key = takeKey(waiting.current, ordered[0]?.takesText ?? false);
    ordered.find((listener) => listener.handle(key));
    setTurn((count) => count + 1);
  };

  // Heard before Ink's own reading of it, which gives Delete and Backspace one name.
  const { internal_eventEmitter: unread } = useStdin();
  const sequence = useRef('');
  useEffect(() => {
    const note = (text: string) => {
      sequence.current = text;
    };
    unread?.on('input', note);
    return () => void unread?.off('input', note);
  }, [unread]);

  useInput((input, key) => {
    waiting.current.push(...split.current(input, key, sequence.current));
    if (!isBusy.current) next();
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the next key has its turn when the screen has settled after the last.
  useEffect(() => {
    if (isBusy.current) setImmediate(next);
  }, [turn]);

  const context = useRef({
    add(listener: Listener) {
      listeners.current.push(listener);
      return () => {
        listeners.current = listeners.current.filter((other) => other !== listener);
      };
    },
  });
  return <KeyContext.Provider value={context.current}>{children}</KeyContext.Provider>;
}

function takeKey(waiting: Key[], asText: boolean): Key {
  const first = waiting.shift() ?? { name: '', text: '' };
  if (!asText || first.text === '') return first;
  let { text } = first;
  while (waiting[0]?.text) text += waiting.shift()?.text ?? '';
  return { name: 'text', text };
}

/** Hears keys while it is active and on the screen. */
export function useKeys(handle: KeyHandler, { layer, isActive = true, takesText = false }: KeyOptions): void {
  const keys = useContext(KeyContext);
  const isVisible = useIsVisible();
  const latest = useRef(handle);
  latest.current = handle;
  const hears = isActive && (isVisible || layer === keyLayer.global || layer === keyLayer.question);
  // In the moment it is drawn: a question on the screen that does not hear yet would lose its answer.
  useLayoutEffect(
    () => (hears ? keys?.add({ layer, takesText, handle: (key) => latest.current(key) }) : undefined),
    [keys, hears, layer, takesText],
  );
}

/** A handler from a table of keys. */
export function onKeys(table: Record<string, (() => void) | undefined>): KeyHandler {
  return ({ name }) => {
    const act = Object.hasOwn(table, name) ? table[name] : undefined;
    act?.();
    return act !== undefined;
  };
}
