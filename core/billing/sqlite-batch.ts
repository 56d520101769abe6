import type { SqliteConnection } from '../database/sqlite-connection.ts';
import { type EndRow, type HoldRow, hourlyCell, StoreError, unpairedHourEnd } from './ledger-store.ts';
import { liveToken, liveUser } from './sqlite-hold.ts';

/**
 * A whole batch in one statement. What costs on this driver is not the work but the trips: every statement crosses to another
 * thread and back. So the statements of a batch are the body of a trigger on a temporary view of this connection, compiled once;
 * writing one row into that view runs them all, as one transaction of its own, and returns what became of each item.
 *
 * The rows come as JSON, because a bound parameter costs more than to read a value out of JSON; jsonb_each hands each row on in
 * SQLite's own form, so that it is parsed once and not for every value. What is temporary stays in memory.
 */
const setUp = `
  PRAGMA temp_store = MEMORY;
  CREATE TEMP VIEW ledger_batch AS SELECT NULL AS ends, NULL AS holds, NULL AS owner;
  CREATE TEMP TABLE ended (
    id TEXT PRIMARY KEY, user_id INTEGER, token_id INTEGER, channel_id INTEGER, back INTEGER, actual INTEGER,
    counted INTEGER, seen INTEGER, mark INTEGER, row BLOB, budgets TEXT) WITHOUT ROWID;
  CREATE TEMP TABLE wanted (id TEXT PRIMARY KEY, user_id INTEGER, token_id INTEGER, amount INTEGER) WITHOUT ROWID;
  CREATE TEMP TABLE rich_users (id INTEGER PRIMARY KEY);
  CREATE TEMP TABLE taken (id TEXT PRIMARY KEY, user_id INTEGER, token_id INTEGER, amount INTEGER) WITHOUT ROWID;

  CREATE TEMP TRIGGER apply_batch INSTEAD OF INSERT ON ledger_batch BEGIN
    DELETE FROM ended;
    DELETE FROM wanted;
    DELETE FROM rich_users;
    DELETE FROM taken;

    INSERT INTO ended SELECT hold.id, hold.user_id, hold.token_id, item.value ->> 1,
        CASE hold.state WHEN 0 THEN hold.amount ELSE 0 END - (item.value ->> 2),
        item.value ->> 2, item.value ->> 3, item.value ->> 4, item.value ->> 5, item.value, hold.budgets
      FROM jsonb_each(NEW.ends) AS item JOIN main.quota_holds AS hold ON hold.id = item.value ->> 0;
    DELETE FROM quota_holds WHERE id IN (SELECT id FROM temp.ended);
    UPDATE users SET quota = quota + change.back, used_quota = used_quota + change.used,
        request_count = request_count + change.calls
      FROM (SELECT user_id, sum(back) AS back, sum(actual) AS used, sum(counted) AS calls FROM temp.ended GROUP BY user_id)
        AS change WHERE users.id = change.user_id;
    UPDATE tokens SET remain_quota = remain_quota + change.back, used_quota = used_quota + change.used,
        accessed_time = max(accessed_time, change.seen)
      FROM (SELECT token_id, sum(back) AS back, sum(actual) AS used, max(seen) AS seen FROM temp.ended GROUP BY token_id)
        AS change WHERE tokens.id = change.token_id;
    UPDATE channels SET used_quota = used_quota + change.used
      FROM (SELECT channel_id, sum(actual) AS used FROM temp.ended WHERE counted = 1 GROUP BY channel_id)
        AS change WHERE channels.id = change.channel_id;
    UPDATE limit_usage SET used = limit_usage.used + change.used, unlogged = limit_usage.unlogged + change.unlogged
      FROM (SELECT part.value ->> 0 AS limit_id, part.value ->> 1 AS subject, part.value ->> 2 AS window_start,
          sum(actual) AS used, sum(CASE WHEN row ->> 6 IS NULL THEN actual ELSE 0 END) AS unlogged
        FROM temp.ended AS ended JOIN json_each(nullif(ended.budgets, '')) AS part WHERE counted = 1 GROUP BY 1, 2, 3)
        AS change WHERE limit_usage.limit_id = change.limit_id AND limit_usage.subject = change.subject
          AND limit_usage.window_start = change.window_start;
    INSERT INTO logs (request_id, user_id, created_at, type, content, username, token_id, token_name, model_name, quota,
        prompt_tokens, completion_tokens, use_time, is_stream, channel_id, "group", other)
      SELECT id, user_id, row ->> 6, 2, row ->> 7, row ->> 8, token_id, row ->> 9, row ->> 10, actual,
        row ->> 11, row ->> 12, row ->> 13, row ->> 14, channel_id, row ->> 15, row ->> 16
      FROM temp.ended WHERE counted = 1 AND row ->> 6 IS NOT NULL;
    INSERT INTO usage_data (user_id, model_name, created_at, username, token_used, count, quota)
      SELECT user_id, row ->> 17, row ->> 18, row ->> 19, row ->> 20, 1, actual
      FROM temp.ended WHERE counted = 1 AND row ->> 17 IS NOT NULL
      ON CONFLICT (user_id, model_name, created_at) DO UPDATE SET username = excluded.username,
        token_used = token_used + excluded.token_used, count = count + excluded.count, quota = quota + excluded.quota;
    INSERT INTO unlogged_sums (subject, subject_id, quota)
      SELECT 'user', user_id, sum(actual) FROM temp.ended
        WHERE counted = 1 AND actual > 0 AND row ->> 6 IS NULL GROUP BY user_id
      UNION ALL SELECT 'token', token_id, sum(actual) FROM temp.ended
        WHERE counted = 1 AND actual > 0 AND row ->> 6 IS NULL AND token_id <> 0 GROUP BY token_id
      UNION ALL SELECT 'channel', channel_id, sum(actual) FROM temp.ended
        WHERE counted = 1 AND actual > 0 AND row ->> 6 IS NULL AND channel_id <> 0 GROUP BY channel_id
      ON CONFLICT (subject, subject_id) DO UPDATE SET quota = quota + excluded.quota;
    INSERT INTO ended_calls (id, ended_at) SELECT id, unixepoch() FROM temp.ended WHERE counted = 0 OR row ->> 6 IS NULL
      ON CONFLICT (id) DO NOTHING;
    INSERT INTO ledger_marks (name, at) SELECT 'hourly', max(mark) FROM temp.ended HAVING max(mark) > 0
      ON CONFLICT (name) DO UPDATE SET at = excluded.at WHERE at < excluded.at;

    INSERT INTO wanted SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM jsonb_each(NEW.holds);
    INSERT INTO rich_users SELECT users.id
      FROM (SELECT user_id, sum(amount) AS total FROM temp.wanted GROUP BY user_id) AS sums
      JOIN main.users AS users ON users.id = sums.user_id WHERE ${liveUser} AND quota >= sums.total;
    INSERT INTO taken SELECT wanted.* FROM temp.wanted AS wanted WHERE user_id IN (SELECT id FROM temp.rich_users)
      AND (token_id = 0 OR token_id IN (
        SELECT tokens.id FROM (SELECT token_id, sum(amount) AS total FROM temp.wanted
            WHERE user_id IN (SELECT id FROM temp.rich_users) GROUP BY token_id) AS sums
          JOIN main.tokens AS tokens ON tokens.id = sums.token_id
          WHERE ${liveToken} AND (unlimited_quota OR remain_quota >= sums.total)));
    UPDATE users SET quota = quota - sums.total
      FROM (SELECT user_id, sum(amount) AS total FROM temp.taken GROUP BY user_id) AS sums WHERE users.id = sums.user_id;
    UPDATE tokens SET remain_quota = remain_quota - sums.total
      FROM (SELECT token_id, sum(amount) AS total FROM temp.taken GROUP BY token_id) AS sums WHERE tokens.id = sums.token_id;
    INSERT INTO quota_holds (id, owner, user_id, token_id, amount, parts, state, created_at)
      SELECT id, NEW.owner, user_id, token_id, amount, 1, 0, unixepoch() FROM temp.taken;
  END;`;

// A failure undoes the transaction, which is this statement and nothing else: without OR ROLLBACK each page that the batch changes
// would be copied first, so that the statement alone could be undone.
const apply = `INSERT OR ROLLBACK INTO ledger_batch (ends, holds, owner) VALUES (?, ?, ?)
  RETURNING (SELECT count(*) FROM temp.ended) AS ended, (SELECT count(*) FROM temp.taken) AS taken`;
// What the batch before left there.
const endedIds = 'SELECT id FROM temp.ended';
const takenIds = 'SELECT id FROM temp.taken';

export interface BatchOutcome {
  ended: Set<string>;
  /** Holds that were taken; those that did not fit as a group are not among them. */
  taken: Set<string>;
}

/** On each new connection, before the first batch. */
export const setUpBatch = (connection: SqliteConnection): Promise<void> => connection.exec(setUp);

/** Returns what applies a batch in one transaction of its own. */
export function createSqliteBatch(connection: SqliteConnection) {
  /** Nearly always all of them: then a number is enough to know which. */
  async function idsOf(rows: { id: string }[], count: number | undefined, select: string): Promise<Set<string>> {
    if (count === rows.length) return new Set(rows.map(({ id }) => id));
    const found = await connection.all<{ id: string }>(select).catch((error: unknown) => {
      // The batch is committed; a retry must first check what it has booked.
      throw new StoreError('outage', true, error);
    });
    return new Set(found.map(({ id }) => id));
  }

  return async (ends: EndRow[], holds: HoldRow[], owner: string): Promise<BatchOutcome> => {
    const [row] = await connection.all<{ ended: number; taken: number }>(apply, [
      JSON.stringify(ends.map(endValues)),
      JSON.stringify(holds.map(({ id, userId, tokenId, amount }) => [id, userId, tokenId, amount])),
      owner,
    ]);
    return { ended: await idsOf(ends, row?.ended, endedIds), taken: await idsOf(holds, row?.taken, takenIds) };
  };
}

/** In the order the trigger reads them: 0-5 the end itself, 6-16 its log row, 17-20 its hour. */
function endValues(end: EndRow): unknown[] {
  const { id, channelId, actual, counted, accessedAt, log } = end;
  if (counted === 0) return [id, channelId, actual, 0, 0, 0];
  const hour = hourlyCell(end);
  return [
    id,
    channelId,
    actual,
    1,
    accessedAt,
    unpairedHourEnd(end) ?? 0,
    log?.created_at,
    log?.content,
    log?.username,
    log?.token_name,
    log?.model_name,
    log?.prompt_tokens,
    log?.completion_tokens,
    log?.use_time,
    log?.is_stream,
    log?.group,
    log?.other,
    hour?.model_name,
    hour?.hour,
    hour?.username,
    hour?.token_used,
  ];
}
