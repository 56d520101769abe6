import { useState } from 'react';
import type { Key } from '../keys.ts';
import { keyLayer, useKeys } from './use-keys.tsx';

interface TextEdit {
  /** Another one begins with the caret at its end. */
  name?: string;
  value: string;
  onChange(value: string): void;
  isActive?: boolean;
  /** What line breaks of pasted text become; blanks unless said. */
  lineBreak?: '\n' | ',' | ' ';
  /** Keys that do not write. True when the key has been used up. */
  onKey(key: Key): boolean;
}

/** Writes into a text; returns the place of the caret, counted in characters. */
export function useTextEdit({ name = '', value, onChange, isActive = true, lineBreak = ' ', onKey }: TextEdit): number {
  const characters = [...value];
  const [place, setPlace] = useState({ name, at: characters.length });
  const caret = Math.min(place.name === name ? place.at : characters.length, characters.length);
  const setWanted = (at: number) => setPlace({ name, at });

  const replace = (from: number, to: number, text: string) => {
    const added = [...text];
    onChange([...characters.slice(0, from), ...added, ...characters.slice(to)].join(''));
    setWanted(from + added.length);
  };
  const edits: Record<string, () => void> = {
    left: () => setWanted(Math.max(0, caret - 1)),
    right: () => setWanted(caret + 1),
    home: () => setWanted(0),
    'ctrl-a': () => setWanted(0),
    end: () => setWanted(characters.length),
    'ctrl-e': () => setWanted(characters.length),
    backspace: () => replace(Math.max(0, caret - 1), caret, ''),
    delete: () => replace(caret, caret + 1, ''),
    'ctrl-u': () => replace(0, caret, ''),
    'ctrl-k': () => replace(caret, characters.length, ''),
    'ctrl-w': () => replace(wordStart(characters, caret), caret, ''),
  };

  useKeys(
    (key) => {
      if (key.text) {
        replace(caret, caret, withBreaks(key.text, lineBreak));
        return true;
      }
      const edit = Object.hasOwn(edits, key.name) ? edits[key.name] : undefined;
      edit?.();
      return edit !== undefined || onKey(key);
    },
    { layer: keyLayer.input, isActive, takesText: true },
  );
  return caret;
}

/** Copied text often ends with a line break, which is not a part of it. */
const withBreaks = (text: string, lineBreak: string) =>
  lineBreak === '\n'
    ? text
    : text
        .replace(/[\r\n]+$/, '')
        .replace(/\s*[\r\n]+/g, lineBreak)
        .replace(/\t+/g, ' ');

function wordStart(characters: string[], caret: number): number {
  let start = caret;
  while (start > 0 && characters[start - 1] === ' ') start--;
  while (start > 0 && characters[start - 1] !== ' ') start--;
  return start;
}
