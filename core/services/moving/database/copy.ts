import { moveMark } from '../../../database/move-mark.ts';
import { AppError } from '../../../errors/app-error.ts';
import { withoutWorker } from '../export.ts';
import type { PortableTable, Snapshot } from '../table.ts';
import type { TableWriter } from '../writer.ts';
import { createFingerprint, type Fingerprint, noRows, type TableProof } from './fingerprint.ts';

export interface CopyEvents {
  onRows(count: number): void;
  signal: AbortSignal;
}

/**
 * Copies a table page by page; each page and the note of it are one transaction. Of a table that was begun before, the source is read
 * from its first row again: what differs from then is copied again, so that a server that ran in between is noticed.
 */
export async function copyTable(
  snapshot: Snapshot,
  writer: TableWriter,
  table: PortableTable,
  events: CopyEvents,
): Promise<TableProof> {
  const name = moveMark.table(table.name);
  const before = readMark((await writer.marks()).get(name));
  const copied = await copyBehind(snapshot, writer, table, { ...events, before });
  if (copied) return copied;
  await writer.clear(table.name);
  await writer.mark(name, JSON.stringify(noRows), true);
  await writer.turn();
  return (await copyBehind(snapshot, writer, table, { ...events, before: noRows })) as TableProof;
}

/** Undefined when the rows up to `before` are not what they were. */
async function copyBehind(
  snapshot: Snapshot,
  writer: TableWriter,
  table: PortableTable,
  { before, onRows, signal }: CopyEvents & { before: Fingerprint },
): Promise<TableProof | undefined> {
  const fingerprint = createFingerprint(table);
  for await (const rows of snapshot.rows(table)) {
    if (signal.aborted) throw new AppError('cli.interrupted');
    const page = rows.map((row) => withoutWorker(table.name, row));
    const soFar = fingerprint.add(page);
    if (soFar.rows > before.rows) {
      // Also where a page that was the last one has got further rows since.
      if (soFar.rows - page.length < before.rows) return undefined;
      await insert(writer, table, page, soFar);
    } else if (soFar.rows === before.rows && soFar.hash !== before.hash) return undefined;
    onRows(page.length);
  }
  const proof = fingerprint.proof();
  return proof.rows < before.rows ? undefined : proof;
}

async function insert(
  writer: TableWriter,
  table: PortableTable,
  page: Parameters<TableWriter['insert']>[1],
  soFar: Fingerprint,
): Promise<void> {
  try {
    await writer.insert(table, page);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const reason = (error as Error).message;
    throw new AppError('move.rowRefused', { table: table.name, rows: soFar.rows, reason }, { cause: error });
  }
  await writer.mark(moveMark.table(table.name), JSON.stringify(soFar), true);
  await writer.turn();
}

/** A value that does not fit (class 22), or a constraint (23), of PostgreSQL; SQLite takes every value. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return /^2[23]|^SQLITE_CONSTRAINT/.test(String(code));
}

function readMark(text: string | undefined): Fingerprint {
  return text === undefined ? noRows : (JSON.parse(text) as Fingerprint);
}
