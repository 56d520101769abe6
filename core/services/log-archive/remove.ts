import type { LogRow } from '../../database/models/log.ts';
import { AppError } from '../../errors/app-error.ts';
import { sumsOf } from '../log/kept-sum.ts';
import { removeInBatches } from '../log/pace.ts';
import type { LogHome } from '../log-store/home.ts';
import { readPages } from './file.ts';

export interface ArchivedRemoval {
  file: string;
  /** Rows before this time may be gone afterwards. */
  before: number;
  signal?: AbortSignal | undefined;
  /** After each batch: rows that went, and rows of the file that were looked at. */
  onRows(removed: number, read: number): void;
}

/** Deletes the rows of a file, those that are still there, as clearing does. False when it was told to stop before the end. */
export async function removeArchived(
  home: LogHome,
  { file, before, signal, onRows }: ArchivedRemoval,
): Promise<boolean> {
  const rows = rowsOf(file);
  let isWhole = false;
  await removeInBatches(
    async (limit) => {
      const batch = await take(rows, limit);
      isWhole = batch.length < limit;
      onRows(batch.length > 0 ? await removeRows(home, file, batch, before) : 0, batch.length);
      return batch.length;
    },
    { signal },
  );
  await rows.return(undefined);
  return isWhole;
}

async function* rowsOf(file: string): AsyncGenerator<LogRow, undefined> {
  for await (const page of readPages(file)) yield* page;
  return undefined;
}

async function take(rows: AsyncGenerator<LogRow, undefined>, count: number): Promise<LogRow[]> {
  const taken: LogRow[] = [];
  while (taken.length < count) {
    const { value } = await rows.next();
    if (!value) break;
    taken.push(value);
  }
  return taken;
}

type Removed = Pick<LogRow, 'id' | 'created_at' | 'type' | 'user_id' | 'token_id' | 'channel_id' | 'quota'>;

function removeRows({ logs, change }: LogHome, file: string, batch: LogRow[], before: number): Promise<number> {
  const times = batch.map(({ created_at }) => created_at);
  const ids = batch.map(({ id }) => id);
  // On PostgreSQL the times say in which month the rows are.
  const scope = logs.engine === 'postgres' ? 'created_at BETWEEN :first AND :last AND ' : '';
  return change(
    async (transaction, keep) => {
      // SQL: what was deleted is known only by RETURNING.
      const removed = await logs.select<Removed>(
        `DELETE FROM logs WHERE ${scope}id IN (:ids) RETURNING id, created_at, type, user_id, token_id, channel_id, quota`,
        { ids, first: Math.min(...times), last: Math.max(...times) },
        transaction,
      );
      requireSame(file, batch, removed);
      if (removed.length > 0) await keep({ sums: sumsOf(removed), before }, transaction);
      return removed.length;
    },
    { before },
  );
}

/** An archive of another installation has rows with the same numbers: nothing of this one is deleted for them. */
function requireSame(file: string, batch: LogRow[], removed: Removed[]): void {
  const written = new Map(batch.map((row) => [row.id, row]));
  if (!removed.every((row) => isSameRow(row, written.get(row.id)))) throw new AppError('archive.otherRows', { file });
}

export function isSameRow(
  row: Pick<LogRow, 'created_at' | 'user_id' | 'type' | 'quota'>,
  other: LogRow | undefined,
): boolean {
  if (!other) return false;
  return (['created_at', 'user_id', 'type', 'quota'] as const).every((name) => row[name] === other[name]);
}
