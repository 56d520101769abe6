import type { SqliteConnection } from '../database/sqlite-connection.ts';
import {
  type Batch,
  type BatchResult,
  type CreditRow,
  creditKey,
  type EndRow,
  type HoldRow,
  type KillPointHook,
  type LedgerStore,
  type Owner,
  StoreError,
} from './ledger-store.ts';
import { missingSubject } from './missing-subject.ts';
import { openRenewable } from './renewable-sqlite.ts';
import { createSqliteBatch, isOtherHold, isPlainEnd, setUpBatch } from './sqlite-batch.ts';
import { takeHolds } from './sqlite-hold.ts';
import { createSqliteOwners } from './sqlite-owner.ts';
import { bookEnds } from './sqlite-settle.ts';
import { bookParked, bookStrays } from './sqlite-stray.ts';
import { createTransact } from './sqlite-transaction.ts';

/**
 * The ledger on SQLite: one writer connection, one transaction at a time. Each statement serves a whole batch and takes
 * its rows as one JSON parameter, because a statement costs a trip to another thread whatever it does.
 */
export async function openSqliteLedger(
  file: string,
  owner: Owner,
  killPoint: KillPointHook,
  onRenewed: () => void,
): Promise<LedgerStore> {
  // Short: SQLite's own waiting sleeps up to 100 ms between looks at the lock; the committer tries again within 5 ms.
  const { connection, flush: flushLog, renew } = await openRenewable(file, { busyTimeoutMs: 10 }, setUpBatch);
  let lastLogged: EndRow | undefined;
  const { transact, flush } = createTransact({
    connection,
    flush: flushLog,
    async renew(isUnflushed) {
      await renew({ last: lastLogged, isUnflushed });
      onRenewed();
    },
  });
  const atOnce = createSqliteBatch(connection);
  const owners = createSqliteOwners(connection, owner, transact, killPoint);

  /** What nearly every batch is made of goes in one statement; the rest, and holds that did not fit together, step by step. */
  async function apply(batch: Batch): Promise<BatchResult> {
    if (batch.repeated || batch.credits.length > 0 || !batch.ends.every(isPlainEnd)) return applyInSteps(batch);
    const first = batch.holds.filter(({ part, budgets }) => part === 1 && !budgets);
    let refused: HoldRow[];
    try {
      refused = await applyAtOnce(batch.ends, first);
    } catch (error) {
      if (isOtherHold(error)) return applyInSteps(batch);
      throw error;
    }
    const holds = first.length < batch.holds.length ? batch.holds.filter((hold) => !first.includes(hold)) : [];
    holds.push(...refused);
    try {
      const rest = holds.length > 0 ? await applyInSteps({ holds, ends: [], credits: [], repeated: false }) : undefined;
      const ended = new Set(batch.ends.map(({ id }) => id));
      const result = { refused: rest?.refused ?? new Map(), ended, credited: new Set<string>(), strays: [] };
      return { ...result, flushed: flushed(batch) };
    } catch (error) {
      // The first transaction is committed: a retry of this batch must first check what it has booked.
      throw error instanceof StoreError ? new StoreError(error.kind, true, error.cause) : error;
    }
  }

  async function applyAtOnce(ends: EndRow[], holds: HoldRow[]): Promise<HoldRow[]> {
    let refused: HoldRow[] = [];
    if (ends.length + holds.length === 0) return refused;
    await transact({
      isOneStatement: true,
      async work() {
        refused = await atOnce(ends, holds, owner.id);
      },
      beforeCommit: () => announce({ ends, holds }, 'before', killPoint),
    });
    announce({ ends, holds }, 'after', killPoint);
    return refused;
  }

  async function applyInSteps(batch: Batch): Promise<BatchResult> {
    const result: BatchResult = { refused: new Map(), ended: new Set(), credited: new Set(), strays: [] };
    await transact({
      async work() {
        if (batch.ends.length > 0) {
          result.ended = await bookEnds(connection, batch.ends);
          result.strays = await bookStrays(connection, owner.id, withoutHold(batch.ends, result.ended));
        }
        for (const credit of batch.credits) {
          if (await bookCredit(connection, credit)) result.credited.add(creditKey(credit));
        }
        if (batch.holds.length > 0) result.refused = await takeHolds(connection, owner.id, batch);
      },
      beforeCommit: () => announce(batch, 'before', killPoint),
    });
    announce(batch, 'after', killPoint);
    return { ...result, flushed: flushed(batch) };
  }

  /**
   * What was charged or credited must stay so. Holds alone need no flush: only a power cut loses them, and it ends the calls that hold as
   * well, so they are returned then.
   */
  function flushed({ ends, credits }: Batch): Promise<void> | undefined {
    if (credits.length === 0 && !ends.some(({ counted }) => counted === 1)) return undefined;
    return flush().then(() => {
      lastLogged = ends.findLast(({ log }) => log) ?? lastLogged;
    });
  }

  return {
    apply,
    beat: owners.beat,
    abandonedHolds: owners.abandonedHolds,
    ownHolds: owners.ownHolds,
    disown: owners.disown,
    sweep: owners.sweep,
    tidy: owners.tidy,
    async bookParked(id) {
      let isBooked = false;
      await transact({
        async work() {
          isBooked = await bookParked(connection, owner.id, id);
        },
      });
      await flush();
      return isBooked;
    },
    async close() {
      // Without its row an owner counts as dead, so a failure here costs nothing but an early sweep elsewhere.
      await owners.leave().catch(() => {});
      await connection.close();
    },
  };
}

const withoutHold = (ends: EndRow[], ended: Set<string>) =>
  ends.filter(({ id, counted }) => counted === 1 && !ended.has(id));

function announce(batch: Pick<Batch, 'holds' | 'ends'>, when: 'before' | 'after', killPoint: KillPointHook): void {
  if (batch.holds.length > 0) killPoint(`hold.${when}`);
  if (batch.ends.length > 0) killPoint(`settle.${when}`);
}

async function bookCredit(connection: SqliteConnection, credit: CreditRow): Promise<boolean> {
  const { userId, tokenId, kind, ref, amount, actorId, note } = credit;
  const written = await connection.all(
    `INSERT INTO quota_entries (user_id, token_id, kind, ref, amount, actor_id, created_at, note)
     VALUES (?, ?, ?, ?, ?, ?, unixepoch(), ?) ON CONFLICT (kind, ref) DO NOTHING RETURNING id`,
    [userId, tokenId, kind, ref, amount, actorId, note],
  );
  if (written.length === 0) return false;
  const changed =
    tokenId === 0
      ? await connection.all('UPDATE users SET quota = quota + ? WHERE id = ? RETURNING id', [amount, userId])
      : await connection.all('UPDATE tokens SET remain_quota = remain_quota + ? WHERE id = ? RETURNING id', [
          amount,
          tokenId,
        ]);
  if (changed.length === 0) throw missingSubject(userId, tokenId);
  return true;
}
