import type { Config } from '../config.ts';

type Engine = Config['database']['engine'];

interface BudgetCheck {
  rule: 'held' | 'used';
  /** Rows (id, expected, found) of all budgets that are still known. */
  sql: string;
}

/** Of a list of budgets, as in `quota_holds` and in log rows: each claim as a row beside its own. */
const claims = {
  sqlite: {
    of: (list: string) => `JOIN json_each(${list}) AS part`,
    list: (json: string) => `${json} ->> '$.budgets'`,
    columns: 'part.value ->> 0 AS limit_id, part.value ->> 1 AS subject, part.value ->> 2 AS window_start',
  },
  postgres: {
    of: (list: string) => `CROSS JOIN LATERAL jsonb_array_elements((${list})::jsonb) AS part(value)`,
    list: (json: string) => `${json}::jsonb ->> 'budgets'`,
    columns: `(part.value ->> 0)::bigint AS limit_id, part.value ->> 1 AS subject, (part.value ->> 2)::bigint AS window_start`,
  },
};

const budgetId = `CAST(known.limit_id AS TEXT) || '/' || known.subject || '/' || CAST(known.window_start AS TEXT)`;
const isSame = `sums.limit_id = known.limit_id AND sums.subject = known.subject AND sums.window_start = known.window_start`;

/**
 * What is held of a budget is the sum of the open holds that name it, and what was used the sum of the log rows that do: calls without
 * a row are counted apart, and windows whose rows may have been cleared are left out.
 */
export function budgetChecks(engine: Engine, { rows, moved, cleared }: BudgetSources = ownRows): BudgetCheck[] {
  const { of, columns } = claims[engine];
  const held = `SELECT ${budgetId} AS id, coalesce(sums.total, 0) AS expected, known.held AS found
    FROM limit_usage known LEFT JOIN (
      SELECT limit_id, subject, window_start, sum(amount) AS total
      FROM (SELECT ${columns}, amount FROM quota_holds ${of(`nullif(budgets, '')`)} WHERE state = 0) open
      GROUP BY limit_id, subject, window_start) sums ON ${isSame}`;
  const used = `SELECT ${budgetId} AS id, coalesce(sums.total, 0) AS expected, known.used - known.unlogged AS found
    FROM limit_usage known LEFT JOIN (
      SELECT limit_id, subject, window_start, sum(quota) AS total
      FROM (${endedBudgets(engine, rows, '(SELECT min(window_start) FROM limit_usage)')}${moved}) ended
      GROUP BY limit_id, subject, window_start) sums ON ${isSame}
    WHERE known.window_start >= ${cleared}`;
  return [
    { rule: 'held', sql: held },
    { rule: 'used', sql: used },
  ];
}

interface BudgetSources {
  /** Where the log rows are. */
  rows: string;
  /** SQL that adds what was summed elsewhere. */
  moved: string;
  /** SQL of the time before which rows may be gone. */
  cleared: string;
}

const ownRows: BudgetSources = {
  rows: 'logs',
  moved: '',
  cleared: "coalesce((SELECT at FROM ledger_marks WHERE name = 'cleared'), 0)",
};

/** SQL of what each log row since a moment took from which budget. */
export function endedBudgets(engine: Engine, rows: string, since: string): string {
  const { of, list, columns } = claims[engine];
  const ofLog = `CASE WHEN other LIKE '%"budgets":[[%' THEN ${list('other')} END`;
  return `SELECT ${columns}, quota FROM ${rows} ${of(ofLog)} WHERE logs.type = 2 AND logs.created_at >= ${since}`;
}
