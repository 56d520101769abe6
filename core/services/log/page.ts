import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import { AppError } from '../../errors/app-error.ts';
import type { LogList } from '../../schemas/log.ts';
import { maxCounted } from '../../schemas/page-size.ts';
import { keyCondition, type LogKey, type LogSelection, whereOf } from './filter.ts';

export interface LogRowPage {
  rows: LogRow[];
  total: number;
  /** There may be more than `total`. */
  isCapped: boolean;
}

// SQL: each statement must follow the index that was chosen for it, and SQLite is told so by a plus before a column.

/** An index that leaves fewer rows than this is followed, whatever the others leave. */
const probed = 5000;
/** What conditions are about; the long column `other` need not be carried along. */
const filterColumns =
  'request_id, type, user_id, channel_id, model_name, "group", token_name, content, quota, use_time';

export type LogPaging = Pick<LogList, 'page' | 'page_size' | 'before_id' | 'after_id'>;

/**
 * A page of the log, newest first by time, then by id: a charge that was written late stands where it belongs. The total is exact
 * up to ten thousand rows and a lower bound beyond.
 */
export async function readLogPage(database: Database, selection: LogSelection, paging: LogPaging): Promise<LogRowPage> {
  if (selection.isEmpty) return { rows: [], total: 0, isCapped: false };
  const plan = await planRead(database, selection);
  const counted = await countRows(database, plan);
  const offset = (paging.page - 1) * paging.page_size;
  const isBehind = offset >= counted.total && !counted.isCapped;
  if (offset >= maxCounted && counted.isCapped) throw new AppError('log.pageTooDeep', { max: maxCounted });
  const rows = isBehind ? [] : await readRows(database, plan, paging);
  // A count that gave up early must not hide rows that were just read, nor the page behind them.
  const seen = offset + rows.length + (rows.length === paging.page_size ? 1 : 0);
  const isCounting = !paging.before_id && paging.after_id === undefined;
  const total = counted.isCapped && isCounting ? Math.max(counted.total, rows.length > 0 ? seen : 0) : counted.total;
  return { rows, total, isCapped: counted.isCapped };
}

/** Conditions in two parts: what the chosen index covers, and what is checked row by row. */
export interface ReadPlan {
  byIndex: string[];
  byRow: string[];
  replacements: Record<string, unknown>;
}

/**
 * Which index leaves the fewest rows is asked of the indexes themselves, a few thousand entries each: SQLite has no statistics of
 * single values, and a list that follows the wrong index reads the whole log.
 */
export async function planRead(database: Database, selection: LogSelection): Promise<ReadPlan> {
  const { keys, times, rest, replacements } = selection;
  const isPlain = keys.length <= 1 && !keys.some(hasSeveralValues);
  const best = isPlain ? keys[0] : await narrowest(database, selection);
  const others = keys.filter((key) => key !== best);
  return {
    byIndex: [...(best ? [keyCondition(best, false)] : []), ...times],
    byRow: [...others.map((key) => keyCondition(key, database.engine === 'sqlite')), ...rest],
    replacements,
  };
}

/** Undefined when nothing but a key of several common values is left: its index is not in order of time, that of the times is. */
async function narrowest(database: Database, { keys, times, replacements }: LogSelection): Promise<LogKey | undefined> {
  let best: { key: LogKey | undefined; rows: number } = { key: undefined, rows: Number.POSITIVE_INFINITY };
  for (const key of keys) {
    const rows = await countUpTo(database, probed, [keyCondition(key, false), ...times], replacements);
    if (rows < best.rows) best = { key, rows };
    if (rows === 0) break;
  }
  return best.key && best.rows >= probed && hasSeveralValues(best.key) ? undefined : best.key;
}

const hasSeveralValues = ({ test }: LogKey) => test.startsWith('IN');

async function countRows(database: Database, plan: ReadPlan): Promise<{ total: number; isCapped: boolean }> {
  if (plan.byRow.length === 0) {
    const total = await countUpTo(database, maxCounted + 1, plan.byIndex, plan.replacements);
    return { total: Math.min(total, maxCounted), isCapped: total > maxCounted };
  }
  const [row] = await database.select<{ looked: number; total: number }>(
    `SELECT count(*) AS looked, coalesce(sum(CASE WHEN ${plan.byRow.join(' AND ')} THEN 1 ELSE 0 END), 0) AS total
      FROM (SELECT ${filterColumns} FROM logs ${whereOf(plan.byIndex)}
        ORDER BY created_at DESC LIMIT ${maxCounted}) AS newest`,
    plan.replacements,
  );
  return { total: row?.total ?? 0, isCapped: (row?.looked ?? 0) >= maxCounted };
}

/** As far as `max`; conditions that an index covers are counted without reading a row. */
export async function countUpTo(
  database: Database,
  max: number,
  conditions: string[],
  replacements: Record<string, unknown>,
): Promise<number> {
  const [row] = await database.select<{ total: number }>(
    `SELECT count(*) AS total FROM (SELECT 1 FROM logs ${whereOf(conditions)} LIMIT ${max}) AS capped`,
    replacements,
  );
  return row?.total ?? 0;
}

async function readRows(database: Database, plan: ReadPlan, paging: LogPaging): Promise<LogRow[]> {
  const { page, page_size, before_id, after_id } = paging;
  const conditions = [...plan.byIndex, ...plan.byRow];
  const replacements = { ...plan.replacements, page_size, offset: (page - 1) * page_size };
  if (after_id !== undefined) {
    // What came since, in the order it came.
    const where = whereOf([...conditions, 'id > :after_id']);
    return database.select<LogRow>(`SELECT * FROM logs ${where} ORDER BY id LIMIT :page_size OFFSET :offset`, {
      ...replacements,
      after_id,
    });
  }
  const cursor = before_id ? await cursorAt(database, before_id) : undefined;
  return readBefore(database, { ...plan, replacements }, cursor, 'LIMIT :page_size OFFSET :offset');
}

/** Where a reader stopped: everything below is older, or of the same second with a smaller id. */
export interface LogCursor {
  created_at: number;
  id: number;
}

export async function readBefore(
  database: Database,
  { byIndex, byRow, replacements }: ReadPlan,
  cursor: LogCursor | undefined,
  limit: string,
): Promise<LogRow[]> {
  const below = cursor ? ['created_at <= :cursor_time AND (created_at < :cursor_time OR id < :cursor_id)'] : [];
  return database.select<LogRow>(
    `SELECT * FROM logs ${whereOf([...byIndex, ...byRow, ...below])} ORDER BY created_at DESC, id DESC ${limit}`,
    { ...replacements, cursor_time: cursor?.created_at, cursor_id: cursor?.id },
  );
}

/** A row that was cleared meanwhile: its nearest older row stands for it. */
async function cursorAt(database: Database, id: number): Promise<LogCursor> {
  const where = { id: { [Op.lte]: id } };
  const row = await database.logs.findOne({ attributes: ['created_at'], where, order: [['id', 'DESC']], raw: true });
  if (!row) return { id, created_at: -1 };
  return { id, created_at: row.created_at };
}
