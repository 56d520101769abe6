import type { SqliteConnection } from '../database/sqlite-connection.ts';
import { noteFinishedTasks } from '../database/task-notice.ts';
import { isFinal } from '../schemas/task-status.ts';
import { type EndRow, hourlyCell, unpairedHourEnd } from './ledger-store.ts';

// Only what this statement returns is booked, so a repeat after an unacknowledged COMMIT books nothing twice.
const endHolds = `DELETE FROM quota_holds WHERE id IN (SELECT value FROM json_each(?))
  RETURNING id, user_id, token_id, amount, state, budgets`;

const changeUsers = `UPDATE users
  SET quota = quota + change.back, used_quota = used_quota + change.used, request_count = request_count + change.calls
  FROM (SELECT value ->> 0 AS id, value ->> 1 AS back, value ->> 2 AS used, value ->> 3 AS calls FROM json_each(?)) AS change
  WHERE users.id = change.id`;

const changeTokens = `UPDATE tokens
  SET remain_quota = remain_quota + change.back, used_quota = used_quota + change.used,
    accessed_time = max(accessed_time, change.seen)
  FROM (SELECT value ->> 0 AS id, value ->> 1 AS back, value ->> 2 AS used, value ->> 4 AS seen FROM json_each(?)) AS change
  WHERE tokens.id = change.id`;

const changeChannels = `UPDATE channels SET used_quota = used_quota + change.used
  FROM (SELECT value ->> 0 AS id, value ->> 2 AS used FROM json_each(?)) AS change WHERE channels.id = change.id`;

const changeBudgets = `UPDATE limit_usage SET used = limit_usage.used + change.used, unlogged = limit_usage.unlogged + change.unlogged
  FROM (SELECT part.value ->> 0 AS limit_id, part.value ->> 1 AS subject, part.value ->> 2 AS window_start,
      sum(item.value ->> 1) AS used, sum(item.value ->> 2) AS unlogged
    FROM json_each(?) AS item JOIN json_each(item.value ->> 0) AS part GROUP BY 1, 2, 3) AS change
  WHERE limit_usage.limit_id = change.limit_id AND limit_usage.subject = change.subject
    AND limit_usage.window_start = change.window_start`;

const insertLogs = `INSERT INTO logs (request_id, user_id, created_at, type, content, username, token_id, token_name,
    model_name, quota, prompt_tokens, completion_tokens, use_time, is_stream, channel_id, "group", other)
  SELECT value ->> 0, value ->> 1, value ->> 2, 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
    value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, value ->> 15
  FROM json_each(?)`;

const addToHours = `INSERT INTO usage_data (user_id, model_name, created_at, username, token_used, count, quota)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, 1, value ->> 5 FROM json_each(?) WHERE true
  ON CONFLICT (user_id, model_name, created_at) DO UPDATE SET username = excluded.username,
    token_used = token_used + excluded.token_used, count = count + excluded.count, quota = quota + excluded.quota`;

const addToUnlogged = `INSERT INTO unlogged_sums (subject, subject_id, quota)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
  ON CONFLICT (subject, subject_id) DO UPDATE SET quota = quota + excluded.quota`;

const rememberEnded = `INSERT INTO ended_calls (id, ended_at) SELECT value, unixepoch() FROM json_each(?) WHERE true
  ON CONFLICT (id) DO NOTHING`;

const insertTasks = `INSERT INTO tasks (request_id, user_id, token_id, channel_id, quota, created_at, updated_at, platform,
    task_id, action, model, "group", status, progress, submit_time, next_poll_at, properties, data,
    notify_url, channel_key, budgets, summed_hour)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 5, value ->> 6, value ->> 7,
    value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, value ->> 15, value ->> 16,
    value ->> 17, value ->> 18, value ->> 19, value ->> 20
  FROM json_each(?) WHERE true ON CONFLICT (request_id) DO NOTHING`;

const noteEndedTasks = noteFinishedTasks('tasks.request_id IN (SELECT value FROM json_each(?1))');

const markHours = `INSERT INTO ledger_marks (name, at) VALUES ('hourly', ?)
  ON CONFLICT (name) DO UPDATE SET at = excluded.at WHERE at < excluded.at`;

interface EndedHold {
  id: string;
  user_id: number;
  token_id: number;
  amount: number;
  state: number;
  budgets: string;
}

/** [id, back to the balance, used, calls, last seen], summed per row so that each row is written once per batch. */
type Change = [id: number, back: number, used: number, calls: number, seen: number];

/** Ends holds and books what they cost. Returns the ids that had a hold; the others were booked before, or never held. */
export async function bookEnds(connection: SqliteConnection, ends: EndRow[]): Promise<Set<string>> {
  const gone = await connection.all<EndedHold>(endHolds, [JSON.stringify(ends.map(({ id }) => id))]);
  const holds = new Map(gone.map((hold) => [hold.id, hold]));
  const users = new Map<number, Change>();
  const tokens = new Map<number, Change>();
  const channels = new Map<number, Change>();
  const logs: unknown[] = [];
  const hours: unknown[] = [];
  const unlogged: unknown[] = [];
  const withoutRow: string[] = [];
  const tasks: unknown[] = [];
  const bornEnded: string[] = [];
  const budgeted: unknown[] = [];
  let mark = 0;
  for (const end of ends) {
    const hold = holds.get(end.id);
    if (!hold) continue;
    // What an orphan held was given back when it was swept.
    const back = (hold.state === 0 ? hold.amount : 0) - end.actual;
    add(users, hold.user_id, back, end);
    add(tokens, hold.token_id, back, end);
    if (end.counted === 0 || !end.log) withoutRow.push(end.id);
    if (end.counted === 0) continue;
    add(channels, end.channelId, 0, end);
    if (hold.budgets !== '') budgeted.push([hold.budgets, end.actual, end.log ? 0 : end.actual]);
    if (end.task) tasks.push(taskValues(end, hold));
    if (end.task && isFinal(end.task.status)) bornEnded.push(end.id);
    if (end.log) logs.push(logValues(end, hold));
    else if (end.actual > 0) unlogged.push(...unloggedValues(end, hold));
    const hour = hourlyCell(end);
    if (hour) hours.push([hold.user_id, hour.model_name, hour.hour, hour.username, hour.token_used, end.actual]);
    mark = Math.max(mark, unpairedHourEnd(end) ?? 0);
  }
  await write(connection, changeUsers, [...users.values()]);
  await write(connection, changeTokens, [...tokens.values()]);
  await write(connection, changeChannels, [...channels.values()]);
  await write(connection, changeBudgets, budgeted);
  await write(connection, insertLogs, logs);
  await write(connection, addToHours, hours);
  await write(connection, addToUnlogged, unlogged);
  await write(connection, insertTasks, tasks);
  await write(connection, noteEndedTasks, bornEnded);
  await write(connection, rememberEnded, withoutRow);
  if (mark > 0) await connection.run(markHours, [mark]);
  return new Set(holds.keys());
}

async function write(connection: SqliteConnection, sql: string, rows: unknown[]): Promise<void> {
  if (rows.length > 0) await connection.run(sql, [JSON.stringify(rows)]);
}

function add(changes: Map<number, Change>, id: number, back: number, end: EndRow): void {
  if (id === 0) return;
  const change = changes.get(id);
  if (!change) {
    changes.set(id, [id, back, end.actual, end.counted, end.counted ? end.accessedAt : 0]);
    return;
  }
  change[1] += back;
  change[2] += end.actual;
  change[3] += end.counted;
  change[4] = Math.max(change[4], end.counted ? end.accessedAt : 0);
}

function logValues({ id, channelId, actual, log }: EndRow, hold: EndedHold): unknown[] {
  return [
    id,
    hold.user_id,
    log?.created_at,
    log?.content,
    log?.username,
    hold.token_id,
    log?.token_name,
    log?.model_name,
    actual,
    log?.prompt_tokens,
    log?.completion_tokens,
    log?.use_time,
    log?.is_stream,
    channelId,
    log?.group,
    log?.other,
  ];
}

function taskValues(end: EndRow, hold: EndedHold): unknown[] {
  const { id, channelId, actual, accessedAt, task } = end;
  return [
    id,
    hold.user_id,
    hold.token_id,
    channelId,
    actual,
    accessedAt,
    task?.platform,
    task?.task_id,
    task?.action,
    task?.model,
    task?.group,
    task?.status,
    task?.progress,
    task?.submit_time,
    task?.next_poll_at,
    task?.properties,
    task?.data,
    task?.notify_url ?? '',
    task?.channel_key ?? 0,
    hold.budgets,
    hourlyCell(end)?.hour ?? 0,
  ];
}

function unloggedValues({ channelId, actual }: EndRow, hold: EndedHold): unknown[] {
  return [
    ['user', hold.user_id, actual],
    ['token', hold.token_id, actual],
    ['channel', channelId, actual],
  ].filter(([, id]) => id !== 0);
}
