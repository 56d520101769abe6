import type { Sentence } from '../../text.ts';
import type { ListControl } from '../components/list-screen.tsx';
import { useEnvironment } from '../environment.ts';
import { useErrorText, useStatus } from './use-status.tsx';

export interface Switch<T> {
  isOn(row: T): boolean;
  set(row: T, isOn: boolean): Promise<unknown>;
  /** Sentences of what was done, with `{name}`. */
  on: Sentence;
  off: Sentence;
}

export interface Removal<T> {
  remove(row: T): Promise<unknown>;
  /** With `{count}` and `{names}`. */
  ask: Sentence;
  done: Sentence;
}

const namesShown = 3;

/** What all lists do with their rows: switch them with a way back, remove them after a question. */
export function useRowActions<T>(nameOf: (row: T) => string) {
  const { speak, symbols } = useEnvironment();
  const status = useStatus();
  const errorText = useErrorText();

  /** Several follow the first: what it is turned into is what all of them become. */
  function toggle({ isOn, set, on, off }: Switch<T>, rows: T[], list: ListControl): void {
    const [first] = rows;
    if (first === undefined) return;
    const wanted = !isOn(first);
    const wrong = rows.filter((row) => isOn(row) !== wanted);
    void status.act(async () => {
      const result = await forEach(wrong, (row) => set(row, wanted)).finally(() => settle(list));
      const text = told(result, wanted ? on : off);
      if (result.done.length === 0) return text;
      status.offerUndo(text, async () => {
        const back = await forEach(result.done, (row) => set(row, !wanted)).finally(list.reload);
        return told(back, wanted ? off : on);
      });
      return undefined;
    });
  }

  async function remove({ remove: work, ask, done }: Removal<T>, rows: T[], list: ListControl): Promise<void> {
    if (!(await status.ask(speak(ask, namesIn(rows))))) return;
    await status.act(async () => told(await forEach(rows, work).finally(() => settle(list)), done));
  }

  /** One that cannot be changed keeps none of the others back. */
  async function forEach(rows: T[], work: (row: T) => Promise<unknown>): Promise<Result<T>> {
    const result: Result<T> = { done: [], faults: [] };
    for (const row of rows) {
      try {
        await work(row);
        result.done.push(row);
      } catch (error) {
        if (rows.length === 1) throw error;
        result.faults.push(`${nameOf(row)}: ${errorText(error)}`);
      }
    }
    return result;
  }

  function told({ done, faults }: Result<T>, sentence: Sentence): string {
    const [fault] = faults;
    const good = done.length > 0 ? [speak(sentence, namesIn(done))] : [];
    if (fault === undefined) return good.join('');
    const details = { done: done.length, total: done.length + faults.length, failed: faults.length };
    return [speak('batch.partly', details), `${symbols.bad} ${fault}`, ...good].join('; ');
  }

  function namesIn(rows: T[]): { count: number; name: string; names: string } {
    const names = rows.slice(0, namesShown).map(nameOf);
    const text = names.join(', ') + (rows.length > namesShown ? `, ${symbols.ellipsis}` : '');
    return { count: rows.length, name: text, names: text };
  }

  return {
    toggle,
    remove: (removal: Removal<T>, rows: T[], list: ListControl) => void remove(removal, rows, list),
  };
}

interface Result<T> {
  done: T[];
  faults: string[];
}

function settle({ reload, clearMarks }: ListControl): void {
  clearMarks();
  reload();
}
