import type { Database } from '../../database/connect.ts';
import { sumOfQuota } from '../../database/quota-sum.ts';
import { AppError } from '../../errors/app-error.ts';
import { otherModels } from '../../schemas/other-models.ts';
import type { UsageData, UsageDataRange, UsageDataSpan } from '../../schemas/usage-data.ts';
import { lessRefunded, refundedRows } from './refunded-rows.ts';
import { slotsOf } from './slots.ts';
import { sourceDatabase, sourceOf, type UsageScope } from './usage-source.ts';

type UsageModelSum = Omit<UsageData, 'id' | 'user_id'>;

interface Bounds {
  start: number;
  end: number;
}

export const monthSeconds = 2_592_000;
/** A page draws a few thousand at most; a year of a busy installation would be a hundred megabytes. */
const maxRows = 50_000;
/** So many are told apart in any case. */
const fewestModels = 10;

/** One row per model and hour or day. Models that would make too many rows are summed as one, those that cost least first. */
export async function usageSums(
  database: Database,
  span: UsageDataSpan,
  { now, ...scope }: { now: number } & UsageScope,
): Promise<UsageModelSum[]> {
  const { start, end } = boundsOf(span, now);
  const slots = slotsOf(span, { start, end });
  const source = sourceOf(scope);
  const where = ['created_at >= :start', 'created_at <= :end', ...source.where].join(' AND ');
  const slotCount = Math.ceil((end - start) / slots.seconds) + 1;
  const models = Math.max(fewestModels, Math.floor(maxRows / slotCount) - 1);
  const from = await sourceDatabase(database, source.table);
  // SQL: grouped sums.
  const rows = await from.select<UsageModelSum>(
    // PostgreSQL returns sums of decimals as text.
    `WITH shown AS (
        SELECT model_name FROM ${source.table} WHERE ${where} GROUP BY model_name ORDER BY ${sumOfQuota()} DESC, model_name LIMIT :models
      ), named AS (
        SELECT username, ${slots.sql} AS slot, ${source.tokens} AS token_used, ${source.count} AS count, quota,
          CASE WHEN model_name IN (SELECT model_name FROM shown) THEN model_name ELSE :other END AS model
        FROM ${source.table} WHERE ${where}
      )
      SELECT max(username) AS username, model AS model_name, slot AS created_at, CAST(sum(token_used) AS BIGINT) AS token_used,
        CAST(sum(count) AS BIGINT) AS count, ${sumOfQuota()} AS quota
      FROM named GROUP BY slot, model ORDER BY slot, model LIMIT ${maxRows + 1}`,
    { start, end, models, other: otherModels, ...source.replacements },
  );
  // Cut short, the sums drawn from it would be wrong unnoticed.
  if (rows.length > maxRows) throw new AppError('usageData.tooMany', { max: maxRows });
  const shown = new Set(rows.map(({ model_name }) => model_name));
  const kept = lessRefunded(rows, {
    refunded: source.table === 'logs' ? await refundedRows(database, { start, end }, scope) : [],
    rowKey: ({ created_at: at, model_name: model }) => `${slots.of(at)} ${shown.has(model) ? model : otherModels}`,
    sumKey: ({ created_at: slot, model_name: model }) => `${slot} ${model}`,
  });
  return kept.map((row) => ({ ...row, created_at: slots.startOf(row.created_at) }));
}

/** The last 30 days where nothing is said. */
export function boundsOf({ start_timestamp, end_timestamp }: UsageDataRange, now: number): Bounds {
  const isOpen = start_timestamp === 0 && end_timestamp === 0;
  return { start: isOpen ? now - monthSeconds : start_timestamp, end: end_timestamp || now };
}
