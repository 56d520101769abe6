import type { SqliteConnection } from '../database/sqlite-connection.ts';
import { runs } from '../lib/live-process.ts';
import { leaveMs } from '../lib/patience.ts';
import { type KillPointHook, type LedgerStore, type Owner, orphanDays, StoreError } from './ledger-store.ts';
import type { Transact, Transaction } from './sqlite-transaction.ts';

/** An owner elsewhere (another machine or container on the same file) that is silent for this long is taken for dead. */
const silentMs = 600_000;

/** How long housekeeping waits for another program's lock. */
const patienceMs = 5000;

/** Ledgers of this very process: the same pid under another id is a predecessor, unless it is one of these. */
const ownersHere = new Set<string>();

interface OwnerRow extends Omit<Owner, 'keyIds'> {
  seen_at: number;
}

/** Who holds quota on this file, and what becomes of the holds of those who are gone. */
export function createSqliteOwners(
  connection: SqliteConnection,
  owner: Owner,
  transact: Transact,
  killPoint: KillPointHook,
): Pick<LedgerStore, 'beat' | 'abandonedHolds' | 'ownHolds' | 'disown' | 'sweep' | 'tidy'> & {
  leave(): Promise<void>;
} {
  ownersHere.add(owner.id);
  const transactPatiently = withPatience(transact, patienceMs);
  const isSilent = createSilenceWatch();

  async function deadOwners(): Promise<string[]> {
    const rows = await connection.all<OwnerRow>('SELECT id, host, pid, seen_at FROM ledger_owners');
    return rows.filter((row) => isGone(row, owner) || isSilent(row)).map(({ id }) => id);
  }

  return {
    beat: () =>
      transactPatiently({
        async work() {
          await connection.run(
            `INSERT INTO ledger_owners (id, host, pid, key_ids, started_at, seen_at)
             VALUES (?, ?, ?, ?, unixepoch(), unixepoch())
             ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
            [owner.id, owner.host, owner.pid, owner.keyIds.join(' ')],
          );
          // In the header of the file, where an older copy that was written over it shows (file-identity.ts).
          const [header] = await connection.all<{ user_version: number }>('PRAGMA user_version');
          await connection.exec(`PRAGMA user_version = ${(header?.user_version ?? 0) + 1}`);
        },
      }),

    async abandonedHolds(limit) {
      const dead = JSON.stringify(await deadOwners());
      const rows = await connection.all<{ id: string }>(
        `SELECT id FROM quota_holds WHERE state = 0 AND owner <> ?
           AND (owner IN (SELECT value FROM json_each(?)) OR owner NOT IN (SELECT id FROM ledger_owners)) LIMIT ?`,
        [owner.id, dead, limit],
      );
      return rows.map(({ id }) => id);
    },

    // Nothing lies between this process and the file that could bring a statement late.
    ownHolds: async () => [],
    disown: async () => undefined,

    async sweep(ids) {
      let count = 0;
      await transactPatiently({
        async work() {
          count = await returnHolds(connection, ids);
        },
        beforeCommit: () => killPoint('sweep.before'),
      });
      killPoint('sweep.after');
      return count;
    },

    async tidy() {
      const dead = JSON.stringify(await deadOwners());
      await transactPatiently({
        async work() {
          await connection.run(
            `DELETE FROM quota_holds WHERE state = 1 AND created_at < unixepoch() - ${orphanDays} * 86400`,
          );
          await connection.run(`DELETE FROM ended_calls WHERE ended_at < unixepoch() - ${orphanDays} * 86400`);
          await connection.run(
            `DELETE FROM ledger_owners WHERE id IN (SELECT value FROM json_each(?))
               AND NOT EXISTS (SELECT 1 FROM quota_holds WHERE owner = ledger_owners.id)`,
            [dead],
          );
        },
      });
    },

    async leave() {
      ownersHere.delete(owner.id);
      await withPatience(
        transact,
        leaveMs,
      )({
        work: () => connection.run('DELETE FROM ledger_owners WHERE id = ?', [owner.id]),
      });
    },
  };
}

/** Whether a process that runs on this machine holds quota on this file. */
export async function hasLiveOwner(connection: SqliteConnection, self: Omit<Owner, 'keyIds'>): Promise<boolean> {
  const rows = await connection.all<OwnerRow>('SELECT id, host, pid, seen_at FROM ledger_owners WHERE host = ?', [
    self.host,
  ]);
  return rows.some((row) => !isGone(row, self));
}

interface ReturnedHold {
  id: string;
  user_id: number;
  token_id: number;
  amount: number;
}

async function returnHolds(connection: SqliteConnection, ids: string[]): Promise<number> {
  const returned = await connection.all<ReturnedHold>(
    `UPDATE quota_holds SET state = 1 WHERE state = 0 AND id IN (SELECT value FROM json_each(?))
     RETURNING id, user_id, token_id, amount`,
    [JSON.stringify(ids)],
  );
  if (returned.length === 0) return 0;
  const rows = JSON.stringify(returned.map(({ id, user_id, token_id, amount }) => [id, user_id, token_id, amount]));
  const sums = (column: number) =>
    `(SELECT value ->> ${column} AS id, sum(value ->> 3) AS total FROM json_each(?) GROUP BY 1) AS back`;
  await connection.run(`UPDATE users SET quota = quota + back.total FROM ${sums(1)} WHERE users.id = back.id`, [rows]);
  await connection.run(
    `UPDATE tokens SET remain_quota = remain_quota + back.total FROM ${sums(2)} WHERE tokens.id = back.id`,
    [rows],
  );
  // No request_id in its column: it is unique, and a late settlement of the same call still writes its own row.
  await connection.run(
    `INSERT INTO logs (user_id, created_at, type, content, username, token_id, token_name, quota, other)
     SELECT back.user_id, unixepoch(), 4,
       char(30) || json_array('notice', 'log.holdReturned', json_object('quota', back.amount, 'request', back.id)) || char(30),
       coalesce(users.username, ''), back.token_id, coalesce(tokens.name, ''), back.amount,
       json_object('request_id', back.id, 'reason', 'unclean_stop')
     FROM (SELECT value ->> 0 AS id, value ->> 1 AS user_id, value ->> 2 AS token_id, value ->> 3 AS amount
       FROM json_each(?)) AS back
     LEFT JOIN users ON users.id = back.user_id LEFT JOIN tokens ON tokens.id = back.token_id`,
    [rows],
  );
  return returned.length;
}

function isGone(row: OwnerRow, self: Omit<Owner, 'keyIds'>): boolean {
  if (row.id === self.id || row.host !== self.host) return false;
  return row.pid === self.pid ? !ownersHere.has(row.id) : !runs(row.pid);
}

/** Silence is measured on our own monotonic clock, so that stepping the wall clock declares no owner dead. */
function createSilenceWatch(): (row: OwnerRow) => boolean {
  const last = new Map<string, { seenAt: number; sinceMs: number }>();
  return ({ id, seen_at }) => {
    const known = last.get(id);
    if (known?.seenAt === seen_at) return performance.now() - known.sinceMs > silentMs;
    last.set(id, { seenAt: seen_at, sinceMs: performance.now() });
    return false;
  };
}

/** The committer retries a locked file by itself; housekeeping has no such retry. */
function withPatience(transact: Transact, limitMs: number): Transact {
  return async (transaction: Transaction) => {
    const untilMs = performance.now() + limitMs;
    for (;;) {
      try {
        return await transact(transaction);
      } catch (error) {
        const isBusy = error instanceof StoreError && error.kind === 'busy';
        if (!isBusy || performance.now() > untilMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, 1 + 4 * Math.random()));
      }
    }
  };
}
