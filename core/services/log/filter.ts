import type { Database } from '../../database/connect.ts';
import { textMatches } from '../../lib/text-match.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { LogFilter } from '../../schemas/log.ts';
import { logType } from '../../schemas/log-type.ts';
import { usernameKey } from '../../schemas/user.ts';
import { failedRequestId } from './failure.ts';

/** A column that has an index ending with the time, and what it must be. */
export interface LogKey {
  column: 'request_id' | 'user_id' | 'token_name' | 'channel_id' | 'model_name' | '"group"' | 'type' | 'use_time';
  /** Constant SQL behind the column. */
  test: string;
}

/** What of the log is asked for, as SQL of constant parts; everything a person typed is in `replacements`. */
export interface LogSelection {
  keys: LogKey[];
  /** Bounds on `created_at`. */
  times: string[];
  /** Conditions that no index helps with. */
  rest: string[];
  replacements: Record<string, unknown>;
  /** Something was asked for that no row can have. */
  isEmpty: boolean;
}

/** What this actor asked for and may see; users never see more than their own rows. */
export async function selectLogs(database: Database, actor: Actor, filter: Partial<LogFilter>): Promise<LogSelection> {
  const selection: LogSelection = { keys: [], times: [], rest: [], replacements: {}, isEmpty: false };
  const { replacements } = selection;
  const addKey = (column: LogKey['column'], name: string, value: unknown) => {
    selection.keys.push({ column, test: `= :${name}` });
    replacements[name] = value;
  };
  if (actor.role < role.admin) addKey('user_id', 'user_id', actor.id);
  else await addAdminKeys(database, filter, selection, addKey);
  if (filter.request_id) addRequest(filter.request_id, selection);
  if (filter.token_name) addKey('token_name', 'token_name', filter.token_name);
  if (filter.group) addKey('"group"', 'group', filter.group);
  if (filter.model_name) await addModel(database, filter.model_name, selection, addKey);
  if (filter.type) addType(filter.type, selection);
  addTimes(filter, selection);
  addMinima(filter, selection);
  return selection;
}

/** A call has one row, of what it cost or of how it failed. */
function addRequest(id: string, { keys, replacements }: LogSelection): void {
  keys.push({ column: 'request_id', test: 'IN (:requests)' });
  replacements.requests = [id, failedRequestId(id)];
}

/** Tests of channels are listed only where they are asked for. */
export function withoutTests(selection: LogSelection, { type, request_id, token_name, cut }: Partial<LogFilter>) {
  const areAsked = Boolean(type || request_id || token_name || cut);
  return areAsked ? selection : { ...selection, rest: [...selection.rest, `type <> ${logType.test}`] };
}

/** An index knows the rows of calls that took at least so long (migration 0020). */
const slowSeconds = 30;

function addMinima(
  { cut, min_seconds = 0, min_quota }: Partial<LogFilter>,
  { keys, rest, replacements }: LogSelection,
): void {
  // Of a complete response the content is empty.
  if (cut) keys.push({ column: 'type', test: "= 2 AND content <> ''" });
  if (min_seconds >= slowSeconds)
    keys.push({ column: 'use_time', test: `>= ${slowSeconds} AND use_time >= :min_seconds` });
  else if (min_seconds) rest.push('use_time >= :min_seconds');
  if (min_quota) rest.push('type = 2 AND quota >= :min_quota');
  Object.assign(replacements, { min_seconds, min_quota });
}

type AddKey = (column: LogKey['column'], name: string, value: unknown) => void;

async function addAdminKeys(
  database: Database,
  { user_id, username, channel }: Partial<LogFilter>,
  selection: LogSelection,
  addKey: AddKey,
): Promise<void> {
  if (user_id) addKey('user_id', 'user_id', user_id);
  else if (username) {
    // By id: found through the index, and whatever the account was called when the row was written.
    const where = { username_key: usernameKey(username) };
    const user = await database.users.findOne({ attributes: ['id'], where, raw: true });
    if (user) addKey('user_id', 'user_id', user.id);
    else selection.isEmpty = true;
  }
  if (channel) addKey('channel_id', 'channel', channel);
}

/** A pattern stands for the few names in the log that it fits: an index finds names, not patterns. */
async function addModel(database: Database, pattern: string, selection: LogSelection, addKey: AddKey): Promise<void> {
  if (!pattern.includes('%')) return addKey('model_name', 'model', pattern);
  const names = await modelNames(database, pattern);
  selection.isEmpty ||= names.length === 0;
  selection.keys.push({ column: 'model_name', test: 'IN (:models)' });
  selection.replacements.models = names;
}

/** From name to name through the index, which reads one entry of each instead of all. */
async function modelNames(database: Database, pattern: string): Promise<string[]> {
  const logs = await database.logHome();
  const { operator, fitting } = textMatches[logs.engine];
  // SQL: a recursive query.
  const rows = await logs.select<{ name: string }>(
    `WITH RECURSIVE names(name) AS (
      SELECT min(model_name) FROM logs
      UNION ALL
      SELECT (SELECT min(model_name) FROM logs WHERE model_name > names.name) FROM names WHERE names.name IS NOT NULL)
    SELECT name FROM names WHERE name ${operator} :pattern LIMIT 1000`,
    { pattern: fitting(pattern) },
  );
  return rows.map(({ name }) => name);
}

/** Only rows that are not consumption are in an index by type; consumption is nearly everything. */
function addType(type: number, { keys, rest, replacements }: LogSelection): void {
  replacements.type = type;
  if (type === 2) rest.push('type = 2');
  else keys.push({ column: 'type', test: '= :type AND type <> 2' });
}

function addTimes({ start_timestamp, end_timestamp }: Partial<LogFilter>, { times, replacements }: LogSelection): void {
  if (start_timestamp) {
    times.push('created_at >= :start');
    replacements.start = start_timestamp;
  }
  if (end_timestamp) {
    times.push('created_at <= :end');
    replacements.end = end_timestamp;
  }
}

export function whereOf(conditions: string[]): string {
  return conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
}

/** The condition of a key; `hidden` keeps SQLite from using its index (a plus before a column means just that). */
export function keyCondition({ column, test }: LogKey, hidden: boolean): string {
  return `${hidden ? '+' : ''}${column} ${test}`;
}
