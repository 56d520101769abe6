import type { Database } from '../../database/connect.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AppliedBudget, AppliedLimit, LimitBook, LimitedCall } from './book.ts';
import { liveCounts, silentSeconds } from './count-exchange.ts';
import { countName } from './rule.ts';

/** A limit that applies to a call, and how much of it is taken by all processes together. */
export interface LimitState {
  limit: AppliedLimit;
  /** Of a budget alone. */
  budget: AppliedBudget | undefined;
  used: number;
  /** Reserved for calls under way; budgets only. */
  held: number;
}

interface LimitStateDependencies {
  database: Database;
  book: Pick<LimitBook, 'applied' | 'budgets'>;
  now: Clock;
}

/** What limits one call, in the order in which it is asked for; nothing is counted. */
export async function limitStates(
  call: LimitedCall,
  { database, book, now }: LimitStateDependencies,
): Promise<LimitState[]> {
  const rates = book.applied(call).filter(({ measure }) => measure !== 'budget');
  const counts = await countsOf(database, rates, now() - silentSeconds);
  const states: LimitState[] = rates.map((limit) => ({
    limit,
    budget: undefined,
    used: counts.get(limit) ?? 0,
    held: 0,
  }));
  for (const budget of book.budgets(call)) {
    const where = { limit_id: budget.id, subject: budget.subject, window_start: budget.window.start };
    const row = await database.limitUsage.findOne({ where, raw: true });
    states.push({ limit: budget, budget, used: row?.used ?? 0, held: row?.held ?? 0 });
  }
  return states;
}

async function countsOf(database: Database, limits: readonly AppliedLimit[], since: number) {
  const counts = new Map<AppliedLimit, number>();
  if (limits.length === 0) return counts;
  const names = new Map(limits.map((limit) => [countName(limit), limit]));
  // SQL: a sum over all processes that are alive.
  const rows = await database.select<{ name: string; total: number }>(
    `SELECT counts.name AS name, sum(counts.count) AS total FROM ${liveCounts}
     WHERE counts.name IN (:names) GROUP BY counts.name`,
    { names: [...names.keys()], since },
  );
  for (const { name, total } of rows) {
    const limit = names.get(name);
    if (limit) counts.set(limit, Number(total));
  }
  return counts;
}
