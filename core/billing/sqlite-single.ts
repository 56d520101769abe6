import type { SqliteConnection } from '../database/sqlite-connection.ts';
import { type EndRow, type HoldRow, hourlyCell, unpairedHourEnd } from './ledger-store.ts';
import { liveToken, liveUser, otherHold } from './sqlite-hold.ts';

const notEnough = 'not enough quota';

/**
 * One hold, or one settlement: what nearly every batch is while calls come one after the other. Each has a statement of its own beside the
 * one of `sqlite-batch.ts`, whose tables for many rows cost more than one row does: hold and settlement of one call take 90 of 640 µs less.
 * jsonb is parsed once, and needs no such table.
 */
const setUp = `
  CREATE TEMP VIEW single_hold AS SELECT NULL AS call;
  CREATE TEMP TRIGGER take_hold INSTEAD OF INSERT ON single_hold BEGIN
    UPDATE users SET quota = quota - NEW.call ->> 3 WHERE id = NEW.call ->> 1 AND ${liveUser} AND quota >= NEW.call ->> 3;
    SELECT RAISE(ROLLBACK, '${notEnough}') WHERE changes() = 0;
    UPDATE tokens SET remain_quota = remain_quota - NEW.call ->> 3
      WHERE id = NEW.call ->> 2 AND ${liveToken} AND (unlimited_quota OR remain_quota >= NEW.call ->> 3);
    SELECT RAISE(ROLLBACK, '${notEnough}') WHERE changes() = 0 AND NEW.call ->> 2 <> 0;
    INSERT INTO quota_holds (id, user_id, token_id, amount, owner, parts, state, created_at)
      VALUES (NEW.call ->> 0, NEW.call ->> 1, NEW.call ->> 2, NEW.call ->> 3, NEW.call ->> 4, 1, 0, unixepoch());
  END;

  CREATE TEMP VIEW single_end AS SELECT NULL AS call, NULL AS log, NULL AS hour;
  CREATE TEMP TRIGGER settle_call INSTEAD OF INSERT ON single_end BEGIN
    DELETE FROM quota_holds WHERE id = NEW.call ->> 0 AND user_id = NEW.call ->> 1 AND token_id = NEW.call ->> 2
      AND amount = NEW.call ->> 4 AND state = 0 AND budgets = '';
    SELECT RAISE(ROLLBACK, '${otherHold}') WHERE changes() = 0;
    UPDATE users SET quota = quota + NEW.call ->> 4 - NEW.call ->> 5, used_quota = used_quota + NEW.call ->> 5,
      request_count = request_count + 1 WHERE id = NEW.call ->> 1;
    UPDATE tokens SET remain_quota = remain_quota + NEW.call ->> 4 - NEW.call ->> 5, used_quota = used_quota + NEW.call ->> 5,
      accessed_time = max(accessed_time, NEW.call ->> 6) WHERE id = NEW.call ->> 2;
    UPDATE channels SET used_quota = used_quota + NEW.call ->> 5 WHERE id = NEW.call ->> 3;
    INSERT INTO logs (request_id, user_id, token_id, channel_id, quota, type, created_at, content, username, token_name,
        model_name, prompt_tokens, completion_tokens, use_time, is_stream, "group", other)
      VALUES (NEW.call ->> 0, NEW.call ->> 1, NEW.call ->> 2, NEW.call ->> 3, NEW.call ->> 5, 2, NEW.log ->> 0, NEW.log ->> 1,
        NEW.log ->> 2, NEW.log ->> 3, NEW.log ->> 4, NEW.log ->> 5, NEW.log ->> 6, NEW.log ->> 7, NEW.log ->> 8, NEW.log ->> 9,
        NEW.log ->> 10);
    INSERT INTO usage_data (user_id, model_name, created_at, username, token_used, count, quota)
      VALUES (NEW.call ->> 1, NEW.hour ->> 0, NEW.hour ->> 1, NEW.hour ->> 2, NEW.hour ->> 3, 1, NEW.call ->> 5)
      ON CONFLICT (user_id, model_name, created_at) DO UPDATE SET username = excluded.username,
        token_used = token_used + excluded.token_used, count = count + excluded.count, quota = quota + excluded.quota;
  END;`;

const hold = 'INSERT OR ROLLBACK INTO single_hold (call) VALUES (jsonb(?))';
const settle = 'INSERT OR ROLLBACK INTO single_end (call, log, hour) VALUES (jsonb(?), jsonb(?), jsonb(?))';

/** On each new connection, before the first one. */
export const setUpSingle = (connection: SqliteConnection): Promise<void> => connection.exec(setUp);

/** Whether it is a settlement with its log row and its hour, and without a budget: what a chat call ends with. */
export const isSingleSettlement = (end: EndRow): boolean =>
  end.counted === 1 && end.log !== undefined && unpairedHourEnd(end) === undefined && !end.budgets;

/** In a transaction of its own. Returns false when the user or the token has less. */
export async function takeSingleHold(connection: SqliteConnection, row: HoldRow, owner: string): Promise<boolean> {
  try {
    await connection.run(hold, [JSON.stringify([row.id, row.userId, row.tokenId, row.amount, owner])]);
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes(notEnough)) return false;
    throw error;
  }
}

/** In a transaction of its own; fails with `otherHold` when its hold is not as the process knows it. */
export async function settleSingle(connection: SqliteConnection, end: EndRow): Promise<void> {
  const { id, userId, tokenId, channelId, held, actual, accessedAt, log } = end;
  const hour = hourlyCell(end);
  await connection.run(settle, [
    JSON.stringify([id, userId, tokenId, channelId, held, actual, accessedAt]),
    JSON.stringify([
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
    ]),
    JSON.stringify([hour?.model_name, hour?.hour, hour?.username, hour?.token_used]),
  ]);
}
