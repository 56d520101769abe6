/** One line of a list to pick from; found by its label and by its other names. */
export interface Choice<T> {
  value: T;
  label: string;
  names: string[];
}

export interface ChooseState {
  filter: string;
  /** Which of those that match stands out. */
  at: number;
}

export type ChooseKey = 'enter' | 'up' | 'down' | 'escape' | 'backspace' | 'interrupt' | { text: string };

const rows = 6;
const up = '\u001b[A';
const down = '\u001b[B';
const named: Record<string, ChooseKey> = {
  '\r': 'enter',
  '\n': 'enter',
  [up]: 'up',
  [down]: 'down',
  '\u001b': 'escape',
  '\u0008': 'backspace',
  '\u007f': 'backspace',
  '\u0003': 'interrupt',
};

/** A chunk of input cut into single keys; a terminal may send several at once. */
export function splitKeys(chunk: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals name their keys with control characters
  return chunk.match(/\u001b\[[0-9;]*[A-Za-z~]|[\s\S]/gu) ?? [];
}

/** Undefined for a key that means nothing here. */
export function keyOf(piece: string): ChooseKey | undefined {
  return named[piece] ?? (/^[^\p{Cc}]$/u.test(piece) ? { text: piece } : undefined);
}

/** Whole names first, then those that begin so, then those that hold it. */
export function matching<T>(choices: Choice<T>[], filter: string): Choice<T>[] {
  const wanted = filter.trim().toLowerCase();
  const rank = ({ label, names }: Choice<T>) => {
    const words = [label, ...names].map((word) => word.toLowerCase());
    if (words.includes(wanted)) return 0;
    if (words.some((word) => word.startsWith(wanted))) return 1;
    return words.some((word) => word.includes(wanted)) ? 2 : 3;
  };
  return choices
    .map((choice) => ({ choice, rank: rank(choice) }))
    .filter((ranked) => ranked.rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .map(({ choice }) => choice);
}

/** What a key other than Enter does to the list. */
export function afterKey(state: ChooseState, key: ChooseKey, count: number): ChooseState {
  if (key === 'up') return { ...state, at: Math.max(0, state.at - 1) };
  if (key === 'down') return { ...state, at: Math.min(Math.max(0, count - 1), state.at + 1) };
  if (key === 'escape') return { filter: '', at: 0 };
  if (key === 'backspace') return { filter: [...state.filter].slice(0, -1).join(''), at: 0 };
  return typeof key === 'object' ? { filter: state.filter + key.text, at: 0 } : state;
}

/** Room below the question, so that the list does not push it up. */
export const makeRoom = `${'\n'.repeat(rows + 1)}\u001b[${rows + 1}A`;

/** The question, what was typed, and the list below it; the cursor stays behind what was typed. */
export function chooseFrame<T>(
  question: string,
  { filter, at }: ChooseState,
  found: Choice<T>[],
  none: string,
): string {
  const first = Math.min(Math.max(0, at - rows + 1), Math.max(0, found.length - rows));
  const lines = found.slice(first, first + rows).map(({ label }, index) => {
    return first + index === at ? `> \u001b[7m${label}\u001b[27m` : `  ${label}`;
  });
  const more = found.length > first + rows ? [`   +${found.length - first - rows}`] : [];
  const shown = found.length > 0 ? [...lines, ...more] : [`  ${none}`];
  return `\r\u001b[J${question} ${filter}\u001b7${shown.map((line) => `\n\r  ${line}`).join('')}\u001b8`;
}

export const chosenLine = (question: string, label: string) => `\r\u001b[J${question} ${label}\n`;
