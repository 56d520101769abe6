import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import type { LogRow } from '../database/models/log.ts';
import { AppError } from '../errors/app-error.ts';
import { type Clock, nowSeconds } from '../lib/clock.ts';
import { type Actor, role } from '../schemas/actor.ts';
import { type Log, type LogClear, type LogFilter, type LogList, type LogStat, logType } from '../schemas/log.ts';
import type { Page } from '../schemas/paging.ts';
import { requireRole } from './actor.ts';
import type { AuditService } from './audit.ts';
import { clearBatch } from './log-clear.ts';
import { type Conditions, logConditions } from './log-filter.ts';

export interface LogServiceDependencies {
  database: Database;
  audit: Pick<AuditService, 'record'>;
  now?: Clock;
}

/** A row that is no consumption: those are written by the ledger together with the charge. */
export interface LogNote {
  type: 'topUp' | 'manage' | 'system';
  user_id: number;
  username: string;
  content: string;
  quota?: number;
  other?: Record<string, unknown>;
}

export interface LogPage extends Page<Log> {
  /** The total is a lower bound: counting millions of rows would take longer than reading the page. */
  total_capped: boolean;
}

export interface LogService {
  record(note: LogNote, transaction?: Transaction): Promise<void>;
  list(actor: Actor, input: LogList): Promise<LogPage>;
  /** By row id or by request id. */
  get(actor: Actor, id: number | string): Promise<Log>;
  stat(actor: Actor, filter: LogFilter): Promise<LogStat>;
  /** Deletes rows older than a moment, or counts them; returns the number of rows. */
  clear(actor: Actor, input: LogClear, onProgress?: (deleted: number) => void): Promise<number>;
}

const mostCounted = 10_000;

export function createLogService({ database, audit, now = nowSeconds }: LogServiceDependencies): LogService {
  async function list(actor: Actor, input: LogList): Promise<LogPage> {
    const { conditions, replacements } = await logConditions(database, actor, input);
    const total = await countUpTo(mostCounted + 1, { conditions, replacements });
    const since = input.after_id !== undefined;
    if (input.before_id) conditions.push('id < :before_id');
    if (since) conditions.push('id > :after_id');
    const rows = await database.select<LogRow>(
      `SELECT * FROM logs ${whereOf(conditions)} ORDER BY id ${since ? 'ASC' : 'DESC'} LIMIT :page_size OFFSET :offset`,
      {
        ...replacements,
        before_id: input.before_id,
        after_id: input.after_id,
        page_size: input.page_size,
        offset: (input.page - 1) * input.page_size,
      },
    );
    return {
      items: rows.map((row) => logView(row, actor)),
      page: input.page,
      page_size: input.page_size,
      total: Math.min(total, mostCounted),
      total_capped: total > mostCounted,
    };
  }

  async function countUpTo(most: number, { conditions, replacements }: Conditions): Promise<number> {
    const [row] = await database.select<{ total: number }>(
      `SELECT count(*) AS total FROM (SELECT 1 FROM logs ${whereOf(conditions)} LIMIT :most) AS capped`,
      { ...replacements, most },
    );
    return row?.total ?? 0;
  }

  async function get(actor: Actor, id: number | string): Promise<Log> {
    const isRowId = typeof id === 'number' || /^\d{1,15}$/.test(id);
    const own = actor.role < role.admin ? { user_id: actor.id } : {};
    const where = isRowId ? { id: Number(id), ...own } : { request_id: id, ...own };
    const row = await database.logs.findOne({ where, raw: true });
    if (!row) throw new AppError('object.notFound', { what: 'log', id: String(id).slice(0, 64), noun: 'log' });
    return logView(row, actor);
  }

  async function stat(actor: Actor, filter: LogFilter): Promise<LogStat> {
    const { start_timestamp, end_timestamp, ...rest } = filter;
    const consumption = { ...rest, type: logType.consume };
    const inRange = await sums(actor, { ...consumption, start_timestamp, end_timestamp });
    const lastMinute = await sums(actor, { ...consumption, start_timestamp: now() - 60 });
    return { quota: inRange.quota, rpm: lastMinute.calls, tpm: lastMinute.tokens };
  }

  async function sums(actor: Actor, filter: Partial<LogFilter>) {
    const { conditions, replacements } = await logConditions(database, actor, filter);
    const [row] = await database.select<{ quota: number | null; calls: number; tokens: number | null }>(
      // Summed as decimals PostgreSQL would answer with text.
      `SELECT CAST(sum(quota) AS BIGINT) AS quota, count(*) AS calls,
        CAST(sum(prompt_tokens + completion_tokens) AS BIGINT) AS tokens FROM logs ${whereOf(conditions)}`,
      replacements,
    );
    return { quota: row?.quota ?? 0, calls: row?.calls ?? 0, tokens: row?.tokens ?? 0 };
  }

  async function clear(actor: Actor, input: LogClear, onProgress?: (deleted: number) => void): Promise<number> {
    requireRole(actor, role.admin);
    const before = input.target_timestamp;
    if (before <= 0 || before > now()) {
      await audit.record(actor, { action: 'log.clearRefused', id: before });
      throw new AppError('log.beforeInvalid');
    }
    if (input.dry_run) {
      const [row] = await database.select<{ total: number }>(
        'SELECT count(*) AS total FROM logs WHERE created_at < :before',
        { before },
      );
      return row?.total ?? 0;
    }
    await audit.record(actor, { action: 'log.clear', id: before, after: { before } });
    let deleted = 0;
    for (let count = -1; count !== 0; ) {
      count = await clearBatch(database, before);
      deleted += count;
      onProgress?.(deleted);
    }
    await audit.record(actor, { action: 'log.cleared', id: before, after: { before, deleted } });
    return deleted;
  }

  return {
    async record({ type, other, ...note }, transaction) {
      const row = { ...note, type: logType[type], created_at: now(), other: other ? JSON.stringify(other) : '' };
      await database.logs.create(row, { transaction });
    },
    list,
    get,
    stat,
    clear,
  };
}

const whereOf = (conditions: string[]) => (conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '');

function logView({ channel_id, is_stream, other, ...row }: LogRow, actor: Actor): Log {
  return {
    ...row,
    // SQLite answers 0 and 1 to a plain query.
    is_stream: Boolean(is_stream),
    channel: channel_id,
    other: actor.role < role.admin ? withoutAdminInfo(other) : other,
  };
}

function withoutAdminInfo(other: string): string {
  if (!other.includes('admin_info')) return other;
  try {
    const { admin_info: _, ...rest } = JSON.parse(other) as Record<string, unknown>;
    return JSON.stringify(rest);
  } catch {
    // An imported row that is no JSON: what cannot be separated is not shown.
    return '';
  }
}
