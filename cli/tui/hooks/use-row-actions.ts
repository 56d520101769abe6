import type { Sentence } from '../../text.ts';
import type { ListControl } from '../components/list-screen.tsx';
import { useEnvironment } from '../environment.ts';
import { shortNames } from '../short-names.ts';
import { useBodySize } from './use-size.ts';
import { type StatusActions, useStatus } from './use-status.tsx';

export interface Switch<T> {
  isOn(row: T): boolean;
  /** All of them or none. */
  set(rows: T[], isOn: boolean): Promise<unknown>;
  /** Sentences of what was done, with `{name}`. */
  on: Sentence;
  off: Sentence;
}

export interface Removal<T> {
  /** All of them or none. */
  remove(rows: T[]): Promise<unknown>;
  /** With `{count}` and `{names}`. */
  ask: Sentence;
  done: Sentence;
}

const maxByKey = 10;

/** One key says yes to a few rows; for more than are seen at a glance the word must be typed. */
export const askForRows = (
  { ask, askWord }: Pick<StatusActions, 'ask' | 'askWord'>,
  text: string,
  { count, word = 'delete' }: { count: number; word?: string },
): Promise<boolean> => (count > maxByKey ? askWord(text, word) : ask(text));

/** Of a line: what was done to the rows, and the key that takes it back. */
const sentenceCells = 40;

/** What all lists do with their rows: switch them with a way back, remove them after a question. */
export function useRowActions<T>(nameOf: (row: T) => string) {
  const { speak } = useEnvironment();
  const shorten = useShortNames();
  const status = useStatus();

  /** Several follow the first: what it is turned into is what all of them become. */
  function toggle({ isOn, set, on, off }: Switch<T>, rows: T[], list: ListControl): void {
    const [first] = rows;
    if (first === undefined) return;
    const wanted = !isOn(first);
    const wrong = rows.filter((row) => isOn(row) !== wanted);
    void status.act(async () => {
      await set(wrong, wanted).finally(() => settle(list));
      status.offerUndo(speak(wanted ? on : off, namesIn(wrong)), async () => {
        await set(wrong, !wanted).finally(list.reload);
        return speak(wanted ? off : on, namesIn(wrong));
      });
      return undefined;
    });
  }

  async function remove({ remove: work, ask, done }: Removal<T>, rows: T[], list: ListControl): Promise<void> {
    if (!(await askForRows(status, speak(ask, namesIn(rows)), { count: rows.length }))) return;
    await status.act(async () => {
      await work(rows).finally(() => settle(list));
      return speak(done, namesIn(rows));
    });
  }

  function namesIn(rows: T[]): { count: number; name: string; names: string } {
    const text = shorten(rows.map(nameOf));
    return { count: rows.length, name: text, names: text };
  }

  return {
    toggle,
    remove: (removal: Removal<T>, rows: T[], list: ListControl) => void remove(removal, rows, list),
  };
}

/** Names as short as they must be for the rest of the sentence to fit into the status line. */
export function useShortNames(): (names: readonly string[]) => string {
  const { width } = useBodySize();
  const { symbols } = useEnvironment();
  return (names) => shortNames(names, width - sentenceCells, symbols.ellipsis);
}

function settle({ reload, clearMarks }: ListControl): void {
  clearMarks();
  reload();
}
