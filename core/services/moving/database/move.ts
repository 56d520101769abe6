import { type VerifyReport, verifyLedger } from '../../../billing/verify-ledger.ts';
import { connect } from '../../../database/connect.ts';
import { type Migration, migrate } from '../../../database/migrate.ts';
import { moveMark } from '../../../database/move-mark.ts';
import { AppError } from '../../../errors/app-error.ts';
import { type Actor, role } from '../../../schemas/actor.ts';
import { requireRole } from '../../actor.ts';
import { createAuditService } from '../../audit.ts';
import { requireEmpty } from '../load.ts';
import { openSnapshot, type PortableTable } from '../table.ts';
import { openWriter, type TableWriter } from '../writer.ts';
import { type CopyEvents, copyTable } from './copy.ts';
import { createFingerprint, noRows, type TableProof } from './fingerprint.ts';
import { type DatabasePlace, shownPlace } from './place.ts';
import { bytesOf, sizesOf, type TableSize } from './size.ts';
import { checkSource, type LockedSource, lockSource, requireSettled } from './source.ts';
import { checkTarget, type TargetState } from './target.ts';

export interface MoveRequest {
  source: DatabasePlace;
  target: DatabasePlace;
  migrations: Migration[];
  /** Where settlements wait that the database could not take. */
  spoolDirectory: string;
}

export interface MovePlan {
  from: string;
  to: string;
  sizes: TableSize[];
  rows: number;
  bytes: number | undefined;
  state: TargetState;
}

export interface MovedTable extends TableProof {
  table: string;
}

export interface MoveReport {
  tables: MovedTable[];
  ledger: VerifyReport;
}

export interface MoveEvents extends CopyEvents {
  onCopied(table: MovedTable): void;
  /** Every row is in the target; it is read back from now on. */
  onProof(): void;
}

/** What would be moved, after every check that needs no lock. Changes nothing. */
export async function planMove(actor: Actor, request: MoveRequest): Promise<MovePlan> {
  requireRole(actor, role.root);
  const { source, target, migrations } = request;
  const [from, to] = [shownPlace(source), shownPlace(target)];
  if (from === to) throw new AppError('move.samePlace', { place: to });
  const isDone = await checkSource(source, migrations, to);
  await requireSettled(source, request.spoolDirectory);
  const sizes = await sizesOf(source);
  const bytes = bytesOf(sizes);
  const state = await checkTarget(target, { migrations, from, bytes }).catch((error: unknown) => {
    throw isDone && error instanceof AppError && error.code === 'move.targetFull' ? isDone : error;
  });
  // Killed between the last two steps, it is still to be finished.
  if (isDone && state !== 'begun') throw isDone;
  return { from, to, sizes, rows: sizes.reduce((sum, { rows }) => sum + rows, 0), bytes, state };
}

/**
 * Copies every row, reads all of them back, and compares the ledgers. Killed at whatever point, the same call goes on where it was:
 * until it is done a server starts on neither database, or on the old one alone.
 */
export async function moveDatabase(
  actor: Actor,
  request: MoveRequest,
  plan: MovePlan,
  events: MoveEvents,
): Promise<MoveReport> {
  requireRole(actor, role.root);
  const locked = await lockSource(request.source);
  try {
    // Once more: what a server left open that ended before the lock.
    await requireSettled(request.source, request.spoolDirectory);
    return await moveLocked(actor, request, plan, { events, locked });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('move.broken', { reason: (error as Error).message }, { cause: error });
  } finally {
    await locked.close();
  }
}

async function moveLocked(
  actor: Actor,
  { source, target, migrations }: MoveRequest,
  { from, to }: MovePlan,
  { events, locked }: { events: MoveEvents; locked: LockedSource },
): Promise<MoveReport> {
  await migrate(target, migrations);
  const tables = await copyAll(source, target, from, events);
  events.onProof();
  await proveAll(target, tables, events);
  const ledger = await verifyLedger(target);
  requireEqual(await verifyLedger(source), ledger);
  // From here on the old database starts no server; before the new one does.
  await locked.leave(to);
  await finish(actor, target, from);
  return { tables, ledger };
}

async function copyAll(
  source: DatabasePlace,
  target: DatabasePlace,
  from: string,
  events: MoveEvents,
): Promise<MovedTable[]> {
  const writer = await openWriter(target, { isRelaxed: true });
  const snapshot = await openSnapshot(source).catch(async (error: unknown) => {
    await writer.close();
    throw error;
  });
  try {
    await begin(writer, target, from);
    const moved: MovedTable[] = [];
    for (const table of await snapshot.tables()) {
      const proof = await copyTable(snapshot, writer, table, events);
      if (table.lastId !== undefined) await writer.skipIds(table.name, table.lastId);
      moved.push({ table: table.name, ...proof });
      events.onCopied({ table: table.name, ...proof });
    }
    // Notes about the rows that came in, for processes that do not run.
    await writer.clear('changes');
    await writer.commit();
    return moved;
  } finally {
    await snapshot.close();
    await writer.close();
  }
}

/** The first writer of the mark has the target for itself. */
async function begin(writer: TableWriter, target: DatabasePlace, from: string): Promise<void> {
  const isBegun = (await writer.marks()).has(moveMark.movingFrom);
  await writer.mark(moveMark.movingFrom, from, false);
  const begun = (await writer.marks()).get(moveMark.movingFrom) ?? '';
  if (begun !== from) throw new AppError('move.otherBegun', { place: shownPlace(target), from: begun });
  if (!isBegun) {
    await requireEmpty(writer);
    for (const { name } of await writer.tables()) await writer.clear(name);
  }
  await writer.turn();
}

/** Reads back what was written: every value, in the order of the source. */
async function proveAll(target: DatabasePlace, expected: MovedTable[], { onRows, signal }: CopyEvents): Promise<void> {
  const snapshot = await openSnapshot(target);
  try {
    const tables = new Map<string, PortableTable>((await snapshot.tables()).map((table) => [table.name, table]));
    for (const { table: name, rows, hash } of expected) {
      const table = tables.get(name);
      const fingerprint = createFingerprint(table ?? { name, columns: [], key: [], lastId: undefined });
      for await (const page of table ? snapshot.rows(table) : []) {
        if (signal.aborted) throw new AppError('cli.interrupted');
        fingerprint.add(page);
        onRows(page.length);
      }
      const found = fingerprint.proof();
      if (found.hash === hash) continue;
      await forget(target, name);
      throw new AppError('move.differs', { table: name, expected: rows, found: found.rows });
    }
  } finally {
    await snapshot.close();
  }
}

/** The next run copies the table again. */
async function forget(target: DatabasePlace, table: string): Promise<void> {
  const writer = await openWriter(target);
  try {
    await writer.clear(table);
    await writer.mark(moveMark.table(table), JSON.stringify(noRows), true);
    await writer.commit();
  } finally {
    await writer.close();
  }
}

/** What was wrong before is wrong after: a move neither hides nor adds a difference. */
function requireEqual(source: VerifyReport, target: VerifyReport): void {
  const shape = ({ checked, differences, differenceCount, strays }: VerifyReport) =>
    JSON.stringify([checked, differences, differenceCount, strays.parked]);
  if (shape(source) === shape(target)) return;
  throw new AppError('move.ledgerDiffers', { source: source.differenceCount, target: target.differenceCount });
}

async function finish(actor: Actor, target: DatabasePlace, from: string): Promise<void> {
  const database = await connect(target, 1);
  try {
    const audit = createAuditService({ database });
    await database.transaction(async (transaction) => {
      await audit.record(actor, { action: 'database.move', id: from }, transaction);
      // SQL: the table has no model.
      await database.sequelize.query('DELETE FROM move_marks', { transaction });
    });
  } finally {
    await database.close();
  }
}
