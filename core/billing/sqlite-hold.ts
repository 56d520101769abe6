import type { SqliteConnection } from '../database/sqlite-connection.ts';
import { budgetKey, readBudgets } from './budget-claim.ts';
import type { Batch, HoldRefusal, HoldRow } from './ledger-store.ts';

export const liveUser = 'status = 1 AND deleted_at IS NULL';
export const liveToken = 'status = 1 AND deleted_at IS NULL AND (expired_time = -1 OR expired_time > unixepoch())';
/** What a statement fails with when a hold is not there as the process knows it. */
export const otherHold = 'another hold';
const wanted = '(SELECT value ->> 0 AS id, value ->> 1 AS total FROM json_each(?)) AS wanted';

const takeFromUsers = `UPDATE users SET quota = quota - wanted.total FROM ${wanted}
  WHERE users.id = wanted.id AND ${liveUser} AND quota >= wanted.total RETURNING users.id AS id`;

// An unlimited token counts down too, below zero as well, so that its books add up like any other's.
const takeFromTokens = `UPDATE tokens SET remain_quota = remain_quota - wanted.total FROM ${wanted}
  WHERE tokens.id = wanted.id AND ${liveToken} AND (unlimited_quota OR remain_quota >= wanted.total)
  RETURNING tokens.id AS id`;

const giveBackToUsers = `UPDATE users SET quota = quota + wanted.total FROM ${wanted} WHERE users.id = wanted.id`;

const insertHolds = `INSERT INTO quota_holds (id, owner, user_id, token_id, amount, parts, state, created_at, budgets)
  SELECT value ->> 0, ?, value ->> 1, value ->> 2, value ->> 3, 1, 0, unixepoch(), value ->> 4 FROM json_each(?)`;

// An orphan's old amount was given back already: it lives again with the new part only.
const extendHolds = `UPDATE quota_holds SET amount = more.amount + CASE state WHEN 0 THEN quota_holds.amount ELSE 0 END,
    parts = more.part, state = 0, owner = ?
  FROM (SELECT value ->> 0 AS id, value ->> 1 AS amount, value ->> 2 AS part FROM json_each(?)) AS more
  WHERE quota_holds.id = more.id`;

/**
 * Takes the holds of a batch, each with one conditional statement per row: all of a user's (and then of a token's) at
 * once when they fit together, else one by one in order of arrival, as those with a budget always are. Returns the refused ones.
 */
export async function takeHolds(
  connection: SqliteConnection,
  owner: string,
  batch: Pick<Batch, 'holds' | 'repeated'>,
): Promise<Map<string, HoldRefusal>> {
  const refused = new Map<string, HoldRefusal>();
  const open = await leaveOutKnown(connection, batch, refused);
  if (open.length === 0) return refused;

  const plain = open.filter(({ budgets }) => !budgets);
  const users = await take(connection, takeFromUsers, sumBy(plain, 'userId'));
  const userFits = plain.filter(({ userId }) => users.has(userId));
  const tokens = await take(connection, takeFromTokens, sumBy(userFits, 'tokenId'));
  const fits = ({ userId, tokenId, budgets }: HoldRow) =>
    !budgets && users.has(userId) && (tokenId === 0 || tokens.has(tokenId));
  const doubtful = open.filter((hold) => !fits(hold));
  const admitted = open.filter(fits);
  if (doubtful.length > 0) {
    const back = sumBy(
      doubtful.filter(({ userId, budgets }) => !budgets && users.has(userId)),
      'userId',
    );
    if (back.length > 0) await connection.run(giveBackToUsers, [JSON.stringify(back)]);
    admitted.push(...(await takeOneByOne(connection, doubtful, refused)));
  }

  const first = admitted.filter(({ part }) => part === 1);
  const more = admitted.filter(({ part }) => part > 1);
  if (first.length > 0) {
    const rows = first.map(({ id, userId, tokenId, amount, budgets = '' }) => [id, userId, tokenId, amount, budgets]);
    await connection.run(insertHolds, [owner, JSON.stringify(rows)]);
  }
  if (more.length > 0) {
    const rows = more.map(({ id, amount, part }) => [id, amount, part]);
    await connection.run(extendHolds, [owner, JSON.stringify(rows)]);
  }
  return refused;
}

/** A part that is booked already (its COMMIT was never acknowledged) counts as taken; one without its former part cannot be. */
async function leaveOutKnown(
  connection: SqliteConnection,
  { holds, repeated }: Pick<Batch, 'holds' | 'repeated'>,
  refused: Map<string, HoldRefusal>,
): Promise<HoldRow[]> {
  const asked = holds.filter(({ part }) => repeated || part > 1);
  if (asked.length === 0) return holds;
  const rows = await connection.all<{ id: string; parts: number }>(
    'SELECT id, parts FROM quota_holds WHERE id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(asked.map(({ id }) => id))],
  );
  const parts = new Map(rows.map((row) => [row.id, row.parts]));
  return holds.filter(({ id, part }) => {
    const known = parts.get(id) ?? 0;
    // Without a question asked, a first part that exists is left to the primary key.
    if (known >= part) return false;
    if (known < part - 1) refused.set(id, 'ended');
    return known === part - 1;
  });
}

/**
 * The group did not fit. The write lock is held, so what each row still has can be read once and counted down in order
 * of arrival; the statements that follow carry the same conditions again.
 */
async function takeOneByOne(
  connection: SqliteConnection,
  doubtful: HoldRow[],
  refused: Map<string, HoldRefusal>,
): Promise<HoldRow[]> {
  const users = await left(connection, `SELECT id, quota AS rest FROM users WHERE ${liveUser}`, doubtful, 'userId');
  const tokens = await left(
    connection,
    `SELECT id, CASE WHEN unlimited_quota THEN NULL ELSE remain_quota END AS rest FROM tokens WHERE ${liveToken}`,
    doubtful,
    'tokenId',
  );
  const budgets = await budgetsLeft(connection, doubtful);
  const admitted: HoldRow[] = [];
  for (const hold of doubtful) {
    const userRest = users.get(hold.userId);
    const tokenRest = hold.tokenId === 0 ? Number.POSITIVE_INFINITY : tokens.get(hold.tokenId);
    const claims = readBudgets(hold.budgets).map(budgetKey);
    if (claims.some((key) => (budgets.get(key) ?? 0) < hold.amount)) {
      refused.set(hold.id, 'budget');
    } else if (userRest === undefined || userRest < hold.amount) {
      refused.set(hold.id, 'user');
    } else if (tokenRest === undefined || tokenRest < hold.amount) {
      refused.set(hold.id, 'token');
    } else {
      users.set(hold.userId, userRest - hold.amount);
      tokens.set(hold.tokenId, tokenRest - hold.amount);
      for (const key of claims) budgets.set(key, (budgets.get(key) ?? 0) - hold.amount);
      admitted.push(hold);
    }
  }
  if (admitted.length === 0) return admitted;
  const userSums = sumBy(admitted, 'userId');
  const tokenSums = sumBy(admitted, 'tokenId');
  const takenUsers = await take(connection, takeFromUsers, userSums);
  const takenTokens = await take(connection, takeFromTokens, tokenSums);
  if (takenUsers.size !== userSums.length || takenTokens.size !== tokenSums.length) {
    throw new Error('a balance changed while the ledger held the write lock');
  }
  return admitted;
}

/** By `budgetKey`, what each budget of these holds leaves at this moment. */
async function budgetsLeft(connection: SqliteConnection, holds: HoldRow[]): Promise<Map<string, number>> {
  const claims = holds.flatMap((hold) => readBudgets(hold.budgets));
  const rests = new Map(claims.map((claim) => [budgetKey(claim), claim[3]]));
  if (claims.length === 0) return rests;
  const rows = await connection.all<{ limit_id: number; subject: string; window_start: number; taken: number }>(
    `SELECT limit_id, subject, window_start, used + held AS taken FROM limit_usage
     WHERE (limit_id, subject, window_start) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?))`,
    [JSON.stringify(claims)],
  );
  for (const { limit_id, subject, window_start, taken } of rows) {
    const key = budgetKey([limit_id, subject, window_start, 0]);
    rests.set(key, (rests.get(key) ?? 0) - taken);
  }
  return rests;
}

async function left(
  connection: SqliteConnection,
  select: string,
  holds: HoldRow[],
  key: 'userId' | 'tokenId',
): Promise<Map<number, number>> {
  const rows = await connection.all<{ id: number; rest: number | null }>(
    `${select} AND id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify([...new Set(holds.map((hold) => hold[key]))])],
  );
  return new Map(rows.map(({ id, rest }) => [id, rest ?? Number.POSITIVE_INFINITY]));
}

async function take(connection: SqliteConnection, sql: string, sums: [number, number][]): Promise<Set<number>> {
  if (sums.length === 0) return new Set();
  const rows = await connection.all<{ id: number }>(sql, [JSON.stringify(sums)]);
  return new Set(rows.map(({ id }) => id));
}

/** [id, Σ amount] per user or token; token 0 means no token. */
function sumBy(holds: HoldRow[], key: 'userId' | 'tokenId'): [number, number][] {
  const sums = new Map<number, number>();
  for (const hold of holds) {
    if (hold[key] !== 0) sums.set(hold[key], (sums.get(hold[key]) ?? 0) + hold.amount);
  }
  return [...sums];
}
