import pg from 'pg';
import type { PostgresTarget } from '../config/database.ts';
import { limitedQuery } from '../database/limited-query.ts';
import { driverUrl, isPooled } from '../database/postgres-client.ts';
import '../database/postgres-types.ts';
import { leaveMs, waitAtMost } from '../lib/patience.ts';
import { createStepWatch } from './clock-step.ts';
import {
  type Batch,
  type BatchResult,
  type FailureKind,
  type HoldRefusal,
  type KillPointHook,
  type LedgerStore,
  type Owner,
  orphanDays,
  StoreError,
  type Stray,
  statementLimitMs,
} from './ledger-store.ts';
import { missingSubject } from './missing-subject.ts';
import { toParameter } from './postgres-batch.ts';

/** Raised by the database's own functions: no such user or token. */
const subjectMissing = 'TG404';

const limits = { statementMs: statementLimitMs, lockMs: 2000 };
/** Well over the time that the reply to a hold may take. */
const ownSeconds = 60;

interface ApplyResult {
  ended: string[];
  credited: string[];
  refused: Record<string, HoldRefusal>;
  strays?: Stray[];
}

/**
 * The ledger on PostgreSQL: a batch is one call of `ledger_apply` (see the migration that makes it), which is one
 * transaction and one round trip. Times and leases are the server's.
 */
export function openPostgresLedger(database: PostgresTarget, owner: Owner, killPoint: KillPointHook): LedgerStore {
  const isShared = isPooled(database);
  const pool = new pg.Pool({
    connectionString: driverUrl(database.url),
    // One for the committer, one for heartbeat and sweeper.
    max: 2,
    connectionTimeoutMillis: 2000,
    // A pooler refuses them; there each query brings its own.
    ...(!isShared && { statement_timeout: limits.statementMs, lock_timeout: limits.lockMs }),
    // The server's own limit comes first; this one is for a link that drops the reply.
    query_timeout: statementLimitMs + 500,
    keepAlive: true,
    application_name: 'tollgate-ledger',
  });
  // A link that breaks is replaced at the next use, and a query that runs on it is told; without listeners it would end
  // the process. On connect: the server's last words may come in the same packet as its first.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw new StoreError('outage', false, error);
    }
    try {
      const result = isShared
        ? await client.query<Row>(limitedQuery(text, values, limits))
        : await client.query<Row>(text, values);
      client.release();
      return rowsOf(result);
    } catch (error) {
      const failure = asFailure(error);
      // After an outage the link is not trusted again: it may be dead, or lead to a server that became read-only.
      client.release(failure.kind === 'outage');
      throw failure;
    }
  }

  async function apply(batch: Batch): Promise<BatchResult> {
    announce(batch, 'before', killPoint);
    const rows = await query<{ answer: ApplyResult }>('SELECT ledger_apply($1::jsonb) AS answer', [
      toParameter(batch, owner.id),
    ]);
    announce(batch, 'after', killPoint);
    const result = rows[0]?.answer;
    return {
      refused: new Map(Object.entries(result?.refused ?? {})),
      ended: new Set(result?.ended),
      credited: new Set(result?.credited),
      strays: result?.strays ?? [],
    };
  }

  const isStepped = createStepWatch();
  async function wasClockStepped(): Promise<boolean> {
    const [clock] = await query<{ seconds: number }>('SELECT extract(epoch FROM now())::float8 AS seconds', []);
    return clock !== undefined && isStepped(clock.seconds);
  }

  return {
    apply: (batch) => apply(batch).catch((error: unknown) => Promise.reject(explain(error, batch))),

    async beat() {
      await query(
        `INSERT INTO ledger_owners (id, host, pid, key_ids, started_at, seen_at)
         VALUES ($1, $2, $3, $4, extract(epoch FROM now())::bigint, extract(epoch FROM now())::bigint)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
        [owner.id, owner.host, owner.pid, owner.keyIds.join(' ')],
      );
    },

    async abandonedHolds(limit) {
      if (await wasClockStepped()) return [];
      const rows = await query<{ id: string }>(
        `SELECT id FROM quota_holds WHERE state = 0 AND owner <> $1
           AND owner NOT IN (SELECT id FROM ledger_live_owners) LIMIT $2`,
        [owner.id, limit],
      );
      return rows.map(({ id }) => id);
    },

    async ownHolds(limit) {
      const rows = await query<{ id: string }>(
        `SELECT id FROM quota_holds WHERE state = 0 AND owner = $1
           AND created_at < extract(epoch FROM now())::bigint - ${ownSeconds} LIMIT $2`,
        [owner.id, limit],
      );
      return rows.map(({ id }) => id);
    },

    async disown(ids) {
      await query("UPDATE quota_holds SET owner = '' WHERE id = ANY ($1::text[]) AND state = 0 AND owner = $2", [
        ids,
        owner.id,
      ]);
    },

    async sweep(ids) {
      killPoint('sweep.before');
      const rows = await query<{ count: number }>('SELECT ledger_sweep($1::text[], $2) AS count', [ids, owner.id]);
      killPoint('sweep.after');
      return rows[0]?.count ?? 0;
    },

    async bookParked(id) {
      const rows = await query<{ done: boolean }>('SELECT ledger_book_parked($1) AS done', [id]);
      return rows[0]?.done ?? false;
    },

    async tidy() {
      if (await wasClockStepped()) return;
      await query(
        `DELETE FROM ended_calls WHERE ended_at < extract(epoch FROM now())::bigint - ${orphanDays} * 86400`,
        [],
      );
      await query(
        `DELETE FROM quota_holds WHERE state = 1
           AND created_at < extract(epoch FROM now())::bigint - ${orphanDays} * 86400`,
        [],
      );
      await query(
        `DELETE FROM ledger_owners WHERE id <> $1 AND id NOT IN (SELECT id FROM ledger_live_owners)
           AND NOT EXISTS (SELECT 1 FROM quota_holds WHERE owner = ledger_owners.id)`,
        [owner.id],
      );
    },

    async close() {
      // Without its row an owner counts as dead, so a failure here costs nothing but an early sweep elsewhere.
      await waitAtMost(leaveMs, query('DELETE FROM ledger_owners WHERE id = $1', [owner.id])).catch(() => {});
      await waitAtMost(leaveMs, pool.end());
    },
  };
}

/** Several statements in one message have a result each. */
function rowsOf<Row extends pg.QueryResultRow>(result: pg.QueryResult<Row> | pg.QueryResult<Row>[]): Row[] {
  return Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows;
}

function announce(batch: Batch, when: 'before' | 'after', killPoint: KillPointHook): void {
  if (batch.holds.length > 0) killPoint(`hold.${when}`);
  if (batch.ends.length > 0) killPoint(`settle.${when}`);
}

/** A missing user or token is told by name; the ledger tries a failing credit alone in the end. */
function explain(error: unknown, { credits }: Batch): unknown {
  const [credit] = credits;
  const code = (error as { cause?: { code?: unknown } }).cause?.code;
  if (code !== subjectMissing || !credit) return error;
  return new StoreError('item', false, missingSubject(credit.userId, credit.tokenId));
}

const rowAtFault = /^(22|23|42|TG)/;
// Serialization failure, deadlock, lock not available in time.
const tryAgain = ['40001', '40P01', '55P03'];

function asFailure(error: unknown): StoreError {
  const code = (error as { code?: unknown }).code;
  // Only the server sends a severity: its reply is certain, everything else leaves the outcome open.
  const isServerError = typeof (error as { severity?: unknown }).severity === 'string' && typeof code === 'string';
  let kind: FailureKind = 'outage';
  if (isServerError && rowAtFault.test(code)) kind = 'item';
  else if (isServerError && tryAgain.includes(code)) kind = 'busy';
  // A backend that is terminated while it commits responds with 57P01, too.
  const isCertain = isServerError && !/^(08|57P)/.test(code);
  return new StoreError(kind, !isCertain, error);
}
