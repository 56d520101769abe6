import { movedSeconds } from '../../billing/ledger-store.ts';
import type { Database } from '../../database/connect.ts';
import { type LogStoreRow, readLogStore, setPhase } from '../../database/log-store.ts';
import type { LogRow } from '../../database/models/log.ts';
import { bookChanges, withLogs } from './change.ts';
import { putRows, requireNoneRefused, rowsAfter } from './row.ts';

export interface MovingLogs {
  main: Database;
  logs: Database;
  /** Where a test stops the process. */
  killPoint?: ((name: 'copying' | 'copied' | 'deleted') => void) | undefined;
}

export const rowsAtOnce = 1000;
/** Lists that were begun in the main database are done by then. */
const graceSeconds = 5;

/**
 * One batch on its way to the log database. A row is deleted here only once it is committed there, and one that is there already is
 * not written again: so it may be killed anywhere, and a second process does no harm. Returns how many rows were taken; less than
 * `rowsAtOnce` means that none are left.
 */
export async function moveLogs(moving: MovingLogs): Promise<number> {
  const state = await readLogStore(moving.main);
  if (state?.phase === 'filling') return fill(moving, state);
  if (state?.phase !== 'used') return 0;
  const rows = await copy(moving, 0);
  if (rows === undefined) return 0;
  if (rows.there.length > 0 && state.age >= graceSeconds) await forget(moving.main, rows.there);
  moving.killPoint?.('deleted');
  requireNoneRefused(rows.refused);
  return state.age >= graceSeconds ? rows.there.length : 0;
}

/** While lists are read here, rows are only copied; when all are there, lists are read there. */
async function fill({ main, logs, killPoint }: MovingLogs, state: LogStoreRow): Promise<number> {
  const rows = await copy({ main, logs, killPoint }, state.copied_id);
  if (rows === undefined) return 0;
  requireNoneRefused(rows.refused);
  const last = rows.there.at(-1);
  if (last && rows.there.length === rowsAtOnce) {
    await main.sequelize.query(
      "UPDATE log_store SET copied_id = :last WHERE id = :id AND phase = 'filling' AND copied_id < :last",
      { replacements: { id: state.id, last: last.id } },
    );
    return rows.there.length;
  }
  await main.transaction(async (transaction) => {
    const now = await readLogStore(main, transaction);
    if (now?.phase === 'filling') await setPhase(main, { id: state.id, phase: 'used' }, transaction);
  });
  return 0;
}

function copy({ main, logs, killPoint }: MovingLogs, after: number) {
  return withLogs(
    logs,
    async (transaction) => {
      await bookChanges({ main, logs }, transaction);
      const put = await putRows(logs, await rowsAfter(main, after, rowsAtOnce), transaction);
      killPoint?.('copying');
      return put;
    },
    false,
  ).then((put) => {
    killPoint?.('copied');
    return put;
  });
}

/** Deletes rows of the main database that the log database has; what was charged stays known by its id for a while. */
export async function forget(main: Database, rows: Pick<LogRow, 'id' | 'created_at' | 'request_id'>[]): Promise<void> {
  const times = rows.map(({ created_at }) => created_at);
  const requests = rows.flatMap(({ request_id }) => request_id ?? []);
  const now = main.engine === 'sqlite' ? 'unixepoch()' : 'extract(epoch FROM now())::bigint';
  // On PostgreSQL the times say in which months the rows are.
  const scope = main.engine === 'postgres' ? 'created_at BETWEEN :first AND :last AND ' : '';
  await main.transaction(async (transaction) => {
    const run = (sql: string, replacements: Record<string, unknown>) =>
      main.sequelize.query(sql, { replacements, transaction });
    if (requests.length > 0) {
      await run(
        `INSERT INTO moved_calls (id, moved_at) VALUES ${requests.map((_, at) => `(:id${at}, ${now})`).join(', ')}
          ON CONFLICT (id) DO NOTHING`,
        Object.fromEntries(requests.map((id, at) => [`id${at}`, id])),
      );
    }
    await run(`DELETE FROM logs WHERE ${scope}id IN (:ids)`, {
      ids: rows.map(({ id }) => id),
      first: Math.min(...times),
      last: Math.max(...times),
    });
    await run(
      `DELETE FROM moved_calls WHERE id IN
        (SELECT id FROM moved_calls WHERE moved_at < ${now} - ${movedSeconds} ORDER BY moved_at LIMIT 2000)`,
      {},
    );
  });
}
