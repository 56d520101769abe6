import { Op, type Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { readLogStore } from '../../database/log-store.ts';
import type { LogRow } from '../../database/models/log.ts';
import type { ReportDatabase } from '../../database/report-database.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role, systemActor } from '../../schemas/actor.ts';
import {
  type Log,
  type LogClear,
  type LogFilter,
  type LogList,
  type LogPage,
  type LogStat,
  logListSchema,
} from '../../schemas/log.ts';
import { logType } from '../../schemas/log-type.ts';
import { coded } from '../../text/coded.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import { homeOfLogs, homeOfMovedLogs } from '../log-store/home.ts';
import { addUpBefore } from '../rolled-hour/before-removal.ts';
import { holderOfKey } from '../token/key-holder.ts';
import { csvHead, csvLines } from './csv.ts';
import { removeBefore } from './drop-part.ts';
import { failedRequestId } from './failure.ts';
import { selectLogs, withoutTests } from './filter.ts';
import { type LogCursor, planRead, readBefore, readLogPage } from './page.ts';
import { searchLogs } from './search.ts';
import { sumLogs } from './sum.ts';
import { type LogReader, logsIn, type MoneyOf } from './text.ts';
import { createLogView } from './view.ts';

export interface LogServiceDependencies {
  database: Database;
  /** Lists, searches, sums and CSV. */
  reports: Pick<ReportDatabase, 'read'>;
  secretBox: Pick<SecretBox, 'lookupHashes'>;
  audit: Pick<AuditService, 'record'>;
  now?: Clock;
}

/** A row that is not a consumption: those are written by the ledger together with the charge. */
export interface LogNote {
  type: 'topUp' | 'manage' | 'system';
  user_id: number;
  username: string;
  content: string;
  quota?: number;
  other?: Record<string, unknown>;
}

export interface LogService {
  /** With the transaction of what it tells of, where there is one. */
  record(note: LogNote, transaction?: Transaction): Promise<void>;
  list(actor: Actor, input: LogList): Promise<LogPage>;
  /** What a user sees of the own rows, whatever the role. */
  listOwn(actor: Actor, input: Partial<LogList>): Promise<LogPage>;
  /** By texts as `moneyOf` shows their amounts; quota units where nothing is said. */
  search(actor: Actor, keyword: string, moneyOf?: MoneyOf): Promise<Log[]>;
  searchOwn(actor: Actor, keyword: string): Promise<Log[]>;
  /** The newest rows of the token that the key is of; a caller with the key may see them. */
  listByKey(key: string, address: string): Promise<Log[]>;
  /** By row id or by request id. */
  get(actor: Actor, id: number | string): Promise<Log>;
  stat(actor: Actor, filter: LogFilter): Promise<LogStat>;
  statOwn(actor: Actor, filter: Partial<LogFilter>): Promise<LogStat>;
  /** All rows of the filter as CSV, a piece at a time; the texts are in the language of the reader, titles and types never change. */
  exportCsv(actor: Actor, filter: Partial<LogFilter>, reader: LogReader): AsyncIterable<string>;
  exportOwnCsv(actor: Actor, filter: Partial<LogFilter>, reader: LogReader): AsyncIterable<string>;
  /** Deletes rows older than a moment, or counts them; returns the number of rows. */
  clear(actor: Actor, input: LogClear, onProgress?: (deleted: number) => void): Promise<number>;
  /** Deletes rows older than so many days until told to stop; returns the number of rows. */
  retain(days: number, signal: AbortSignal): Promise<number>;
}

const exportedAtOnce = 1000;
/** Tools that show what a key was used for add these up themselves, so it is more than a page. */
const maxOfToken = 1000;

export function createLogService({
  database,
  reports,
  secretBox,
  audit,
  now = nowSeconds,
}: LogServiceDependencies): LogService {
  const view = createLogView(database);

  async function list(actor: Actor, input: LogList): Promise<LogPage> {
    const { rows, total, isCapped } = await reports.read(async (from) =>
      readLogPage(await from.logHome(), withoutTests(await selectLogs(from, actor, input), input), input),
    );
    const { page, page_size } = input;
    return { items: await view(rows, actor), page, page_size, total, total_capped: isCapped };
  }

  async function listByKey(key: string, address: string): Promise<Log[]> {
    const { token, user } = await holderOfKey({ database, secretBox }, key, address);
    const owner = ownerOf(user.id);
    const selection = await selectLogs(database, owner, {
      start_timestamp: token.created_time,
      // Held quota that came back after a crash is noted a little later than the last use.
      end_timestamp: Math.max(token.accessed_time, token.created_time) + secondsPerDay,
    });
    selection.rest.push('token_id = :token_id');
    selection.replacements.token_id = token.id;
    const rows = await database.logHome();
    const plan = await planRead(rows, selection);
    return view(await readBefore(rows, plan, undefined, `LIMIT ${maxOfToken}`), owner);
  }

  async function get(actor: Actor, id: number | string): Promise<Log> {
    const isRowId = typeof id === 'number' || /^\d{1,15}$/.test(id);
    const own = actor.role < role.admin ? { user_id: actor.id } : {};
    const where = isRowId ? { id: Number(id), ...own } : { request_id: [id, failedRequestId(id)], ...own };
    // Also one that is on its way to the log database.
    const row =
      (await database.logs.findOne({ where, raw: true })) ??
      (await (await database.logHome()).logs.findOne({ where, raw: true }));
    if (!row)
      throw new AppError('object.notFound', { what: coded('noun.log'), id: String(id).slice(0, 64), noun: 'log' });
    return (await view([row], actor))[0] as Log;
  }

  async function stat(actor: Actor, filter: Partial<LogFilter>): Promise<LogStat> {
    // Only consumption is ever added up; the reference ignores the type too.
    const { start_timestamp = 0, end_timestamp = 0, type: _, ...rest } = filter;
    const [inRange, lastMinute] = await reports.read(async (from) => {
      const selection = await selectLogs(from, actor, rest);
      return [
        await sumLogs(from, selection, { start: start_timestamp, end: end_timestamp }),
        await sumLogs(from, selection, { start: now() - 60, end: 0 }),
      ];
    });
    return { quota: inRange.quota, rpm: lastMinute.calls, tpm: lastMinute.tokens };
  }

  async function* exportCsv(
    actor: Actor,
    filter: Partial<LogFilter>,
    { language, moneyOf }: LogReader,
  ): AsyncGenerator<string> {
    const selection = withoutTests(await reports.read((from) => selectLogs(from, actor, filter)), filter);
    await audit.record(actor, { action: 'log.export', id: actor.role < role.admin ? actor.id : '' });
    yield csvHead;
    if (selection.isEmpty) return;
    const plan = await reports.read(async (from) => planRead(await from.logHome(), selection));
    let cursor: LogCursor | undefined;
    do {
      const after = cursor;
      // A page at a time: a replica that fails in the middle of a long export does not end it.
      const rows: LogRow[] = await reports.read(async (from) =>
        readBefore(await from.logHome(), plan, after, `LIMIT ${exportedAtOnce}`),
      );
      yield csvLines(logsIn(language, await view(rows, actor), moneyOf));
      cursor = rows.length === exportedAtOnce ? rows.at(-1) : undefined;
    } while (cursor);
  }

  async function clear(actor: Actor, input: LogClear, onProgress?: (deleted: number) => void): Promise<number> {
    requireRole(actor, role.admin);
    const before = input.target_timestamp;
    if (before <= 0 || before > now()) {
      await audit.record(actor, { action: 'log.clearRefused', id: before });
      throw new AppError('log.beforeInvalid');
    }
    if (input.dry_run) {
      const { logs } = await database.logHome();
      return logs.count({ where: { created_at: { [Op.lt]: before } } });
    }
    await audit.record(actor, { action: 'log.clear', id: before, after: { before } });
    const home = await homeOfMovedLogs(database);
    await addUpBefore(database, { before, now });
    const deleted = await removeBefore(home, before, { onProgress });
    await audit.record(actor, { action: 'log.cleared', id: before, after: { before, deleted } });
    return deleted;
  }

  async function retain(days: number, signal: AbortSignal): Promise<number> {
    const before = now() - days * secondsPerDay;
    // Until all rows are in one place; the next run finds them again.
    if ((await readLogStore(database))?.phase === 'filling') return 0;
    const home = await homeOfLogs(database);
    await addUpBefore(database, { before, now, signal });
    const deleted = await removeBefore(home, before, { signal });
    if (deleted > 0) {
      await audit.record(systemActor, { action: 'log.retained', id: before, after: { before, deleted, days } });
    }
    return deleted;
  }

  return {
    async record({ type, other, ...note }, transaction) {
      const row = { ...note, type: logType[type], created_at: now(), other: other ? JSON.stringify(other) : '' };
      await database.logs.create(row, { transaction });
    },
    list,
    listOwn: (actor, input) => list(asUser(actor), logListSchema.parse(input)),
    search: async (actor, keyword, moneyOf = String) =>
      view(await reports.read((from) => searchLogs(from, actor, { keyword, moneyOf })), actor),
    searchOwn: async (actor, keyword) =>
      view(await reports.read((from) => searchLogs(from, asUser(actor), { keyword, moneyOf: String })), asUser(actor)),
    listByKey,
    get,
    stat,
    statOwn: (actor, filter) => stat(asUser(actor), filter),
    exportCsv,
    exportOwnCsv: (actor, filter, reader) => exportCsv(asUser(actor), filter, reader),
    clear,
    retain,
  };
}

/** Admins look at their own rows as users do. */
const asUser = (actor: Actor): Actor => ({ ...actor, role: role.user });

const ownerOf = (id: number): Actor => ({ id, name: '', role: role.user, address: '' });
