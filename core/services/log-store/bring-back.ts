import type { Database } from '../../database/connect.ts';
import { readLogStore, setPhase } from '../../database/log-store.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import { bookChanges, withLogs } from './change.ts';
import { rowsAtOnce } from './move.ts';
import { putRows, requireNoneRefused, rowsAfter } from './row.ts';

export interface BringBackRequest {
  main: Database;
  logs: Database;
  audit: Pick<AuditService, 'record'>;
  signal?: AbortSignal;
  onRows?(count: number): void;
  /** Where a test stops the process. */
  killPoint?(name: 'begun' | 'batch' | 'whole' | 'emptied'): void;
}

export const countLogs = (database: Database): Promise<number> => database.logs.count();

/**
 * Copies the rows of the log database back into the main one and then empties it; no server runs meanwhile. Wherever it is stopped,
 * the next run goes on, and no server starts before it has finished. False when it was told to stop.
 */
export async function bringBack(actor: Actor, request: BringBackRequest): Promise<boolean> {
  requireRole(actor, role.root);
  const { main, logs, audit, signal, killPoint } = request;
  const state = await readLogStore(main);
  if (!state) throw new AppError('logStore.nothingToBring');
  const { id } = state;
  if (state.phase === 'used') {
    await withLogs(logs, (transaction) => bookChanges({ main, logs }, transaction));
    await audit.record(actor, { action: 'log.bringBack', id });
    await setPhase(main, { id, phase: 'returning' });
    killPoint?.('begun');
  }
  if (state.phase === 'used' || state.phase === 'returning') {
    await copyBack(request, id);
    if (signal?.aborted) return false;
  }
  // While it was filled, nothing was taken away here.
  await setPhase(main, { id, phase: 'returned' });
  killPoint?.('whole');
  await empty(logs);
  killPoint?.('emptied');
  await setPhase(main, { id, phase: undefined });
  await audit.record(actor, { action: 'log.broughtBack', id });
  return true;
}

async function copyBack({ main, logs, signal, onRows, killPoint }: BringBackRequest, id: string): Promise<void> {
  while (!signal?.aborted) {
    const after = (await readLogStore(main))?.copied_id ?? 0;
    const rows = await rowsAfter(logs, after, rowsAtOnce);
    const last = rows.at(-1);
    if (!last) break;
    await main.transaction(async (transaction) => {
      const put = await putRows(main, rows, transaction);
      await main.sequelize.query('UPDATE log_store SET copied_id = :last WHERE id = :id', {
        replacements: { id, last: last.id },
        transaction,
      });
      // Thrown here: the batch is not passed over.
      requireNoneRefused(put.refused);
    });
    onRows?.(rows.length);
    killPoint?.('batch');
  }
  if (signal?.aborted) return;
  const [expected, found] = [await countLogs(logs), await countLogs(main)];
  if (found < expected) throw new AppError('logStore.notAll', { expected, found });
}

/** Without the row that names the installation it can be used again. */
async function empty(logs: Database): Promise<void> {
  await logs.transaction(async (transaction) => {
    const run = (sql: string) => logs.sequelize.query(sql, { transaction });
    await run(logs.engine === 'postgres' ? 'TRUNCATE logs' : 'DELETE FROM logs');
    await run('DELETE FROM log_store');
  });
}
