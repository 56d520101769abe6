import { Op, type WhereOptions } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { TaskRow } from '../../database/models/task.ts';
import { taskAdapterFor } from '../../providers/task/registry.ts';
import { isFinal } from '../../schemas/task-status.ts';
import { usernameKey } from '../../schemas/user.ts';

/** What the page itself needs of each row, besides the columns that its reader asks for. */
type PagedTask = Pick<TaskRow, 'id' | 'request_id' | 'channel_id' | 'platform' | 'task_id' | 'status'>;

export interface TaskPageQuery {
  columns: readonly (keyof TaskRow)[];
  /** From 1. */
  page: number;
  pageSize: number;
  /** Only this user's; empty and absent mean all users'. */
  username: string | undefined;
  /** Columns and what they must be; 0, empty and absent mean anything. */
  equal: { [Name in keyof TaskRow]?: TaskRow[Name] | undefined };
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
  const where = await whereOf(database, query);
  if (!where) return [];
  const found: unknown = await database.tasks.findAll({
    attributes: [...columns],
    where,
    include: [
      { association: 'user', attributes: ['username'] },
      { association: 'channel', attributes: ['type'] },
    ],
    order: [['id', 'DESC']],
    limit: pageSize,
    offset,
    raw: true,
    nest: true,
  });
  const rows = found as (T & Joined)[];
  const refunds = await refundsOf(database, rows);
  return rows.map(({ user, channel, ...row }) => ({
    ...(row as unknown as T),
    username: user.username ?? '',
    refund: refunds.get(row.request_id)?.amount ?? 0,
    refunded_at: refunds.get(row.request_id)?.created_at ?? 0,
    can_cancel: canCancel(row, channel.type),
  }));
}

/** Each is null where its row is gone. */
interface Joined {
  user: { username: string | null };
  channel: { type: number | null };
}

/** How many rows all pages together have. */
export async function countTaskRows(database: Database, query: TaskPageQuery): Promise<number> {
  const where = await whereOf(database, query);
  return where ? database.tasks.count({ where }) : 0;
}

/** Undefined when no row can be meant. */
async function whereOf(
  database: Database,
  { equal, username, exceptPlatform = '', submittedBetween: [start, end] }: TaskPageQuery,
): Promise<WhereOptions<TaskRow> | undefined> {
  const owner = username ? await ownerNamed(database, username) : undefined;
  if (owner === 0) return undefined;
  const used = Object.entries(owner ? { ...equal, user_id: owner } : equal).filter(([, value]) => Boolean(value));
  const conditions: WhereOptions<TaskRow>[] = [Object.fromEntries(used)];
  if (exceptPlatform !== '') conditions.push({ platform: { [Op.ne]: exceptPlatform } });
  if (start > 0) conditions.push({ submit_time: { [Op.gte]: start } });
  if (end > 0) conditions.push({ submit_time: { [Op.lte]: end } });
  return { [Op.and]: conditions };
}

/** 0 when no user has this name. */
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
  // SQL: the entries are the ledger's.
  const found = await database.select<Refund>(
    "SELECT ref, amount, created_at FROM quota_entries WHERE kind = 'task_refund' AND ref IN (:refs)",
    { refs },
  );
  return new Map(found.map((refund) => [refund.ref, refund]));
}

/** It is under way, at a channel whose vendor can stop it. */
function canCancel({ status, task_id, platform }: PagedTask, channelType: number | null): boolean {
  if (channelType === null || isFinal(status) || task_id === '') return false;
  const adapter = taskAdapterFor(channelType);
  return adapter?.platform === platform && adapter.cancel !== undefined;
}
