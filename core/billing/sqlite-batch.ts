import type { SqliteConnection } from '../database/sqlite-connection.ts';
import { type EndRow, type HoldRow, StoreError } from './ledger-store.ts';
import { liveToken, liveUser, otherHold } from './sqlite-hold.ts';
import { isSingleSettlement, settleSingle, setUpSingle, takeSingleHold } from './sqlite-single.ts';
import { sumEnds, sumHolds } from './sqlite-sums.ts';

/**
 * A whole batch in one statement. What costs on this driver is not the work but the trips: every statement crosses to another
 * thread and back. So the statements of a batch are the body of triggers on temporary views of this connection, compiled once;
 * writing one row into `ledger_batch` runs them all, as one transaction of its own.
 *
 * Sums come ready-made, and each row that they change is found by its key: a GROUP BY or an UPDATE ... FROM here opens a table of
 * its own, some ten microseconds each, and two dozen of them were most of what a small batch cost. The rows come as JSON, because a
 * bound parameter costs more than to read a value out of JSON; jsonb_each hands each row on in SQLite's own form, so that it is
 * parsed once and not for every value. What is temporary stays in memory.
 *
 * A hold that is not there as the process knows it undoes the batch (`otherHold`): its sums are wrong then.
 */
const setUp = `
  PRAGMA temp_store = MEMORY;
  CREATE TEMP VIEW ledger_batch AS SELECT NULL AS ends, NULL AS logs, NULL AS changes, NULL AS hours, NULL AS wants, NULL AS holds, NULL AS owner;
  CREATE TEMP VIEW ending AS SELECT NULL AS id, NULL AS user_id, NULL AS token_id, NULL AS held, NULL AS budgets;
  CREATE TEMP VIEW changing AS SELECT NULL AS kind, NULL AS id, NULL AS a, NULL AS b, NULL AS c, NULL AS d;
  CREATE TEMP VIEW wanting AS SELECT NULL AS kind, NULL AS id, NULL AS total, NULL AS user_id;
  CREATE TEMP TABLE short (kind TEXT, id INTEGER, PRIMARY KEY (kind, id)) WITHOUT ROWID;

  CREATE TEMP TRIGGER end_hold INSTEAD OF INSERT ON ending BEGIN
    DELETE FROM quota_holds WHERE id = NEW.id AND user_id = NEW.user_id AND token_id = NEW.token_id AND amount = NEW.held
      AND state = 0 AND budgets = NEW.budgets;
    SELECT RAISE(ROLLBACK, '${otherHold}') WHERE changes() = 0;
  END;

  CREATE TEMP TRIGGER change_user INSTEAD OF INSERT ON changing WHEN NEW.kind = 'user' BEGIN
    UPDATE users SET quota = quota + NEW.a, used_quota = used_quota + NEW.b, request_count = request_count + NEW.c
      WHERE id = NEW.id;
  END;
  CREATE TEMP TRIGGER change_token INSTEAD OF INSERT ON changing WHEN NEW.kind = 'token' BEGIN
    UPDATE tokens SET remain_quota = remain_quota + NEW.a, used_quota = used_quota + NEW.b,
        accessed_time = max(accessed_time, NEW.d)
      WHERE id = NEW.id;
  END;
  CREATE TEMP TRIGGER change_channel INSTEAD OF INSERT ON changing WHEN NEW.kind = 'channel' BEGIN
    UPDATE channels SET used_quota = used_quota + NEW.b WHERE id = NEW.id;
  END;
  CREATE TEMP TRIGGER change_budget INSTEAD OF INSERT ON changing WHEN NEW.kind = 'budget' BEGIN
    UPDATE limit_usage SET used = used + NEW.a, unlogged = unlogged + NEW.b
      WHERE limit_id = NEW.id AND window_start = NEW.c AND subject = NEW.d;
  END;
  CREATE TEMP TRIGGER change_unlogged INSTEAD OF INSERT ON changing WHEN NEW.kind = 'unlogged' BEGIN
    INSERT INTO unlogged_sums (subject, subject_id, quota) VALUES (NEW.d, NEW.id, NEW.a)
      ON CONFLICT (subject, subject_id) DO UPDATE SET quota = quota + excluded.quota;
  END;
  CREATE TEMP TRIGGER note_end INSTEAD OF INSERT ON changing WHEN NEW.kind = 'ended' BEGIN
    INSERT INTO ended_calls (id, ended_at) VALUES (NEW.d, unixepoch()) ON CONFLICT (id) DO NOTHING;
  END;
  CREATE TEMP TRIGGER change_mark INSTEAD OF INSERT ON changing WHEN NEW.kind = 'mark' BEGIN
    INSERT INTO ledger_marks (name, at) VALUES (NEW.d, NEW.a)
      ON CONFLICT (name) DO UPDATE SET at = excluded.at WHERE at < excluded.at;
  END;

  CREATE TEMP TRIGGER take_from_user INSTEAD OF INSERT ON wanting WHEN NEW.kind = 'user' BEGIN
    UPDATE users SET quota = quota - NEW.total WHERE id = NEW.id AND ${liveUser} AND quota >= NEW.total;
    INSERT INTO short SELECT 'user', NEW.id WHERE changes() = 0;
  END;
  CREATE TEMP TRIGGER take_from_token INSTEAD OF INSERT ON wanting WHEN NEW.kind = 'token'
    AND NOT EXISTS (SELECT 1 FROM temp.short WHERE kind = 'user' AND id = NEW.user_id) BEGIN
    UPDATE tokens SET remain_quota = remain_quota - NEW.total
      WHERE id = NEW.id AND ${liveToken} AND (unlimited_quota OR remain_quota >= NEW.total);
    INSERT INTO short SELECT 'token', NEW.id WHERE changes() = 0;
    UPDATE users SET quota = quota + NEW.total
      WHERE id = NEW.user_id AND EXISTS (SELECT 1 FROM temp.short WHERE kind = 'token' AND id = NEW.id);
  END;

  CREATE TEMP TRIGGER apply_batch INSTEAD OF INSERT ON ledger_batch BEGIN
    DELETE FROM short;
    INSERT INTO ending SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM jsonb_each(NEW.ends);
    INSERT INTO logs (request_id, user_id, token_id, channel_id, quota, created_at, type, content, username, token_name,
        model_name, prompt_tokens, completion_tokens, use_time, is_stream, "group", other)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, 2, value ->> 6, value ->> 7,
        value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, value ->> 15
      FROM jsonb_each(NEW.logs);
    INSERT INTO changing SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
      FROM jsonb_each(NEW.changes);
    INSERT INTO usage_data (user_id, model_name, created_at, username, token_used, count, quota)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
      FROM jsonb_each(NEW.hours) WHERE true
      ON CONFLICT (user_id, model_name, created_at) DO UPDATE SET username = excluded.username,
        token_used = token_used + excluded.token_used, count = count + excluded.count, quota = quota + excluded.quota;

    INSERT INTO wanting SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM jsonb_each(NEW.wants);
    INSERT INTO quota_holds (id, user_id, token_id, amount, owner, parts, state, created_at)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, NEW.owner, 1, 0, unixepoch() FROM jsonb_each(NEW.holds)
      WHERE NOT EXISTS (SELECT 1 FROM temp.short WHERE kind = 'user' AND id = value ->> 1)
        AND NOT EXISTS (SELECT 1 FROM temp.short WHERE kind = 'token' AND id = value ->> 2);
  END;`;

// A failure undoes the transaction, which is this statement and nothing else: without OR ROLLBACK each page that the batch changes
// would be copied first, so that the statement alone could be undone.
const apply = `INSERT OR ROLLBACK INTO ledger_batch (ends, logs, changes, hours, wants, holds, owner) VALUES (?, ?, ?, ?, ?, ?, ?)
  RETURNING (SELECT count(*) FROM temp.short) AS short`;
// What the batch before left there.
const shortSubjects = 'SELECT kind, id FROM temp.short';

/** Whether nothing but a hold that is not as the process knows it kept the batch from being applied. */
export const isOtherHold = (error: unknown): boolean =>
  error instanceof StoreError && error.message.includes(otherHold);

/** Whether an end can go into such a batch: its hold is known, and it begins no job. */
export const isPlainEnd = ({ held, task }: EndRow): boolean => held !== undefined && task === undefined;

/** On each new connection, before the first batch. */
export async function setUpBatch(connection: SqliteConnection): Promise<void> {
  await connection.exec(setUp);
  await setUpSingle(connection);
}

/**
 * Returns what applies a batch in one transaction of its own: all of its ends (`isPlainEnd`), and those holds that fit together. Resolves with
 * the holds that were not taken.
 */
export function createSqliteBatch(connection: SqliteConnection) {
  /** A hold is taken unless all that its user, or its token, asks for in this batch is more than there is. */
  async function notTaken(holds: HoldRow[]): Promise<HoldRow[]> {
    const found = await connection.all<{ kind: string; id: number }>(shortSubjects).catch((error: unknown) => {
      // The batch is committed; a retry must first check what it has booked.
      throw new StoreError('outage', true, error);
    });
    const short = new Set(found.map(({ kind, id }) => `${kind} ${id}`));
    return holds.filter(({ userId, tokenId }) => short.has(`user ${userId}`) || short.has(`token ${tokenId}`));
  }

  async function applyTogether(ends: EndRow[], holds: HoldRow[], owner: string): Promise<HoldRow[]> {
    const { changes, hours } = sumEnds(ends);
    const [row] = await connection.all<{ short: number }>(apply, [
      JSON.stringify(ends.map(holdValues)),
      JSON.stringify(ends.flatMap(logValues)),
      JSON.stringify(changes),
      JSON.stringify(hours),
      JSON.stringify(sumHolds(holds)),
      JSON.stringify(holds.map(({ id, userId, tokenId, amount }) => [id, userId, tokenId, amount])),
      owner,
    ]);
    return row?.short === 0 ? [] : notTaken(holds);
  }

  return async (ends: EndRow[], holds: HoldRow[], owner: string): Promise<HoldRow[]> => {
    const [end] = ends;
    const [hold] = holds;
    if (ends.length + holds.length > 1) return applyTogether(ends, holds, owner);
    if (hold) return (await takeSingleHold(connection, hold, owner)) ? [] : [hold];
    if (!end || !isSingleSettlement(end)) return applyTogether(ends, holds, owner);
    await settleSingle(connection, end);
    return [];
  };
}

const holdValues = ({ id, userId, tokenId, held, budgets = '' }: EndRow) => [id, userId, tokenId, held, budgets];

/** One row, in the order the trigger reads it, or none. */
function logValues({ id, userId, tokenId, channelId, actual, log }: EndRow): unknown[][] {
  if (!log) return [];
  const { created_at, content, username, token_name, model_name, prompt_tokens, completion_tokens, use_time } = log;
  const call = [id, userId, tokenId, channelId, actual, created_at, content, username, token_name, model_name];
  return [[...call, prompt_tokens, completion_tokens, use_time, log.is_stream, log.group, log.other]];
}
