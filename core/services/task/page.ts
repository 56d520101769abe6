import type { Database } from '../../database/connect.ts';
import { taskAdapterFor } from '../../providers/task/registry.ts';
import { isFinal } from '../../schemas/task-status.ts';
import { usernameKey } from '../../schemas/user.ts';

/** What a reader of the page needs of each row, besides its own columns. */
interface PagedTask {
  id: number;
  /** Of its charge. */
  request_id: string | null;
  user_id: number;
  channel_id: number;
  platform: string;
  task_id: string;
  status: string;
}

export interface TaskPageQuery {
  columns: string;
  /** From 1. */
  page: number;
  pageSize: number;
  /** Only this user's; empty and absent mean everybody's. */
  username: string | undefined;
  /** Columns and what they must be; 0, empty and absent mean anything. */
  equal: Record<string, string | number | undefined>;
  /** Left out of the list. */
  exceptPlatform?: string;
  /** Unix seconds; 0 = open. */
  submittedBetween: [start: number, end: number];
}

/** Counting past rows costs as much as reading them; older ones are found by time. */
const deepestRow = 100_000;

/** What a page tells of a job beside its own columns. */
export interface TaskContext {
  username: string;
  /** Quota that went back when the job failed, and when; 0 = nothing. */
  refund: number;
  refunded_at: number;
  /** It is under way, and its provider can stop it. */
  can_cancel: boolean;
}

/** One page of paid jobs, newest first, each with the name of its owner what it gave back, and whether it can be canceled. */
export async function readTaskPage<T extends PagedTask>(
  database: Database,
  query: TaskPageQuery,
): Promise<(T & TaskContext)[]> {
  const { columns, page, pageSize } = query;
  const offset = (page - 1) * pageSize;
  if (offset > deepestRow) return [];
  const selection = await select(database, query);
  if (!selection) return [];
  const rows = await database.select<T>(
    `SELECT ${columns} FROM tasks ${selection.where} ORDER BY id DESC LIMIT ${pageSize} OFFSET :offset`,
    { ...selection.replacements, offset },
  );
  const [names, refunds, cancelable] = await Promise.all([
    namesOf(database, rows),
    refundsOf(database, rows),
    cancelableIds(database, rows),
  ]);
  return rows.map((row) => ({
    ...row,
    username: names.get(row.user_id) ?? '',
    refund: refunds.get(row.request_id)?.amount ?? 0,
    refunded_at: refunds.get(row.request_id)?.created_at ?? 0,
    can_cancel: cancelable.has(row.id),
  }));
}

/** How many rows all pages together have. */
export async function countTaskRows(database: Database, query: TaskPageQuery): Promise<number> {
  const selection = await select(database, query);
  if (!selection) return 0;
  const { where, replacements } = selection;
  const [counted] = await database.select<{ total: number }>(
    `SELECT count(*) AS total FROM tasks ${where}`,
    replacements,
  );
  return counted?.total ?? 0;
}

/** Undefined when no row can be meant. */
async function select(
  database: Database,
  { equal, username, exceptPlatform = '', submittedBetween: [start, end] }: TaskPageQuery,
) {
  const owner = username ? await ownerNamed(database, username) : undefined;
  if (owner === 0) return undefined;
  const used = Object.entries(owner ? { ...equal, user_id: owner } : equal).filter(([, value]) => Boolean(value));
  const conditions = [
    ...used.map(([name]) => `${name} = :${name}`),
    ...(exceptPlatform === '' ? [] : ['platform <> :exceptPlatform']),
    ...(start > 0 ? ['submit_time >= :start'] : []),
    ...(end > 0 ? ['submit_time <= :end'] : []),
  ];
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  return { where, replacements: { ...Object.fromEntries(used), exceptPlatform, start, end } };
}

/** 0 when nobody is called that. */
async function ownerNamed(database: Database, username: string): Promise<number> {
  const where = { username_key: usernameKey(username) };
  return (await database.users.findOne({ attributes: ['id'], where, raw: true }))?.id ?? 0;
}

interface Refund {
  ref: string;
  amount: number;
  /** Unix seconds. */
  created_at: number;
}

/** By the request that was charged. */
async function refundsOf(database: Database, rows: PagedTask[]): Promise<Map<string | null, Refund>> {
  const refs = rows.flatMap(({ request_id }) => (request_id === null ? [] : [request_id]));
  if (refs.length === 0) return new Map();
  const found = await database.select<Refund>(
    "SELECT ref, amount, created_at FROM quota_entries WHERE kind = 'task_refund' AND ref IN (:refs)",
    { refs },
  );
  return new Map(found.map((refund) => [refund.ref, refund]));
}

async function namesOf(database: Database, rows: { user_id: number }[]): Promise<Map<number, string>> {
  const ids = [...new Set(rows.map(({ user_id }) => user_id))];
  if (ids.length === 0) return new Map();
  const users = await database.users.findAll({ attributes: ['id', 'username'], where: { id: ids }, raw: true });
  return new Map(users.map(({ id, username }) => [id, username]));
}

async function cancelableIds(database: Database, rows: PagedTask[]): Promise<Set<number>> {
  const running = rows.filter(({ status, task_id }) => !isFinal(status) && task_id !== '');
  const ids = [...new Set(running.map(({ channel_id }) => channel_id))];
  if (ids.length === 0) return new Set();
  const channels = await database.channels.findAll({ attributes: ['id', 'type'], where: { id: ids }, raw: true });
  const adapters = new Map(channels.map(({ id, type }) => [id, taskAdapterFor(type)]));
  const able = running.filter(({ channel_id, platform }) => {
    const adapter = adapters.get(channel_id);
    return adapter?.platform === platform && adapter.cancel !== undefined;
  });
  return new Set(able.map(({ id }) => id));
}
