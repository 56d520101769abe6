import type { Context } from '../context.ts';
import { startProgress } from './progress.ts';

export interface Counter {
  add(rows: number): void;
  /** A table is done. */
  table(report: { table: string; read: number }): void;
  end(): void;
}

/** Fewer rows are done before the first line would be read. */
const rowsPerLine = 10_000;

type RowsText = 'import.rowsDone' | 'export.rowsDone' | 'dbMove.rowsCopied' | 'dbMove.rowsProven';

/** Rows that were worked through: a bar on a screen, else a line now and then, for a log. */
export function startCounter(context: Context, total: number, text: RowsText = 'import.rowsDone'): Counter {
  const { host, output, speak } = context;
  const progress = startProgress(context, total);
  const isPlain = !host.stderr.isTTY;
  const step = Math.max(rowsPerLine, Math.ceil(total / 10));
  let done = 0;
  return {
    add(rows) {
      const before = done;
      done += rows;
      progress.at(done);
      const isNext = Math.floor(done / step) > Math.floor(before / step);
      if (isPlain && isNext) output.say(speak(text, { done, total: Math.max(done, total) }));
    },
    table({ table, read }) {
      if (isPlain) output.say(speak('import.tableDone', { table, read }));
    },
    end: progress.end,
  };
}
