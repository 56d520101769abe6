import type { SqliteConnection } from '../database/sqlite-connection.ts';
import { type EndRow, movedSeconds, orphanDays, type Stray, type StrayState } from './ledger-store.ts';
import { missingSubject } from './missing-subject.ts';
import { bookEnds } from './sqlite-settle.ts';

// Rows [id, user, time, logged]. What left a log row is known by it, or for a day after the row moved to a database of the log's own;
// anything else is remembered for some days.
const judge = `SELECT value ->> 0 AS id,
    EXISTS (SELECT 1 FROM users WHERE users.id = value ->> 1)
      AND value ->> 2 >= coalesce((SELECT at FROM ledger_marks
        WHERE name = CASE WHEN value ->> 3 THEN 'cleared' ELSE 'ended' END), 0)
      AND CASE WHEN value ->> 3 THEN NOT EXISTS (SELECT 1 FROM log_store) OR value ->> 2 >= unixepoch() - ${movedSeconds}
        ELSE value ->> 2 >= unixepoch() - ${orphanDays} * 86400 END AS decidable
  FROM json_each(?)
  WHERE NOT EXISTS (SELECT 1 FROM logs WHERE request_id = value ->> 0)
    AND NOT EXISTS (SELECT 1 FROM ended_calls WHERE id = value ->> 0)
    AND NOT EXISTS (SELECT 1 FROM moved_calls WHERE id = value ->> 0)
    AND NOT EXISTS (SELECT 1 FROM stray_settlements WHERE id = value ->> 0)`;

const keep = `INSERT INTO stray_settlements (id, user_id, token_id, channel_id, quota, state, found_at, content)
  VALUES (?, ?, ?, ?, ?, ?, unixepoch(), ?)`;

// A hold of nothing, which is then ended like any other.
const holdNothing = `INSERT INTO quota_holds (id, owner, user_id, token_id, amount, parts, state, created_at, budgets)
  VALUES (?, ?, ?, ?, 0, 1, 0, unixepoch(), ?)`;

/**
 * Settlements without a hold: those that left no sign of having been booked are booked in full, because the database must be an
 * older copy of itself. The same steps as the function ledger_book_strays of PostgreSQL.
 */
export async function bookStrays(connection: SqliteConnection, owner: string, ends: EndRow[]): Promise<Stray[]> {
  if (ends.length === 0) return [];
  const questions = ends.map(({ id, userId, accessedAt, log }) => [
    id,
    userId,
    log?.created_at ?? accessedAt,
    log ? 1 : 0,
  ]);
  const rows = await connection.all<{ id: string; decidable: number }>(judge, [JSON.stringify(questions)]);
  const judged = new Map(rows.map(({ id, decidable }) => [id, decidable === 1]));
  const strays = ends.filter(({ id }) => judged.has(id));
  for (const end of strays) {
    const { id, userId, tokenId, channelId, actual, budgets = '' } = end;
    const isBooked = judged.get(id) === true;
    const state: StrayState = isBooked ? 'booked' : 'parked';
    await connection.run(keep, [id, userId, tokenId, channelId, actual, state, JSON.stringify(end)]);
    if (isBooked) await connection.run(holdNothing, [id, owner, userId, tokenId, budgets]);
  }
  const booked = strays.filter(({ id }) => judged.get(id));
  if (booked.length > 0) await bookEnds(connection, booked);
  return strays.map(({ id, actual }) => ({ id, quota: actual, state: judged.get(id) ? 'booked' : 'parked' }));
}

/** Books a settlement an administrator decided to book; false when it is not waiting. */
export async function bookParked(connection: SqliteConnection, owner: string, id: string): Promise<boolean> {
  const [row] = await connection.all<{ content: string }>(
    "UPDATE stray_settlements SET state = 'booked' WHERE id = ? AND state = 'parked' RETURNING content",
    [id],
  );
  if (!row) return false;
  const end = JSON.parse(row.content) as EndRow;
  const users = await connection.all('SELECT 1 FROM users WHERE id = ?', [end.userId]);
  if (users.length === 0) throw missingSubject(end.userId, 0);
  await connection.run(holdNothing, [id, owner, end.userId, end.tokenId, end.budgets ?? '']);
  await bookEnds(connection, [end]);
  return true;
}
