import type { WhereOptions } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { LimitRow, LimitUsageRow } from '../../database/models/limit.ts';
import { type CalendarUnit, calendarWindow } from '../../lib/calendar-window.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Limit, LimitMeasure, LimitPeriod, LimitSubjectKind, LimitUsage } from '../../schemas/limit.ts';
import { liveCounts, silentSeconds } from './count-exchange.ts';
import { countName, isBudget, subjectIn } from './rule.ts';

interface LimitViewDependencies {
  database: Database;
  timeZone(): string;
  now: Clock;
}

/** Restricts what is shown of limits to these subjects. */
export type ShownSubjects = Partial<Record<LimitSubjectKind, readonly string[]>>;

const maxUsages = 10;

/** Limits as consoles know them: with names, and with what is taken of them at this moment by all processes together. */
export function createLimitView({ database, timeZone, now }: LimitViewDependencies) {
  async function all(rows: readonly LimitRow[], shown: ShownSubjects = {}): Promise<Limit[]> {
    const uses = new Map<number, LimitUsage[]>();
    for (const row of rows) {
      const subjects = row.subject === '' ? shown[row.subject_kind as LimitSubjectKind] : [row.subject];
      uses.set(row.id, await (isBudget(row) ? budgetUsage(row, subjects) : countedUsage(row, subjects)));
    }
    const names = await namesOf(rows, uses);
    return rows.map((row) => {
      const kind = row.subject_kind as LimitSubjectKind;
      const nameOf = (subject: string) => names.get(`${kind} ${subject}`) ?? (isById(kind) ? '' : subject);
      const usage = (uses.get(row.id) ?? []).map((use) => ({ ...use, subject_name: nameOf(use.subject) }));
      return {
        id: row.id,
        subject_kind: kind,
        subject: row.subject,
        subject_name: nameOf(row.subject),
        measure: row.measure as LimitMeasure,
        period: row.period as LimitPeriod,
        amount: row.amount,
        enabled: row.enabled === 1,
        created_time: row.created_time,
        updated_time: row.updated_time,
        usage,
      };
    });
  }

  /** Undefined subjects: of those who have used most. */
  async function budgetUsage(limit: LimitRow, subjects: readonly string[] | undefined): Promise<LimitUsage[]> {
    const { start, end } = calendarWindow(limit.period as CalendarUnit, timeZone(), now());
    const where: WhereOptions<LimitUsageRow> = { limit_id: limit.id, window_start: start };
    const rows = await database.limitUsage.findAll({
      where: subjects ? { ...where, subject: [...subjects] } : where,
      order: database.sequelize.literal('used + held DESC, subject'),
      ...(subjects === undefined && { limit: maxUsages }),
      raw: true,
    });
    const found = rows.map((row) => usageOf(row, limit, end, row.refused === 1));
    return [...found, ...unused(limit, subjects, found, end)];
  }

  async function countedUsage(limit: LimitRow, subjects: readonly string[] | undefined): Promise<LimitUsage[]> {
    const names = subjects?.map((subject) => countName({ ...limit, subject }));
    if (names?.length === 0) return [];
    // SQL: sums over all processes, without those that are gone.
    const rows = await database.select<{ name: string; used: number }>(
      `SELECT counts.name AS name, sum(counts.count) AS used FROM ${liveCounts}
       WHERE counts.name ${names ? 'IN (:names)' : 'LIKE :names'}
       GROUP BY counts.name ORDER BY used DESC, counts.name ${names ? '' : `LIMIT ${maxUsages}`}`,
      { names: names ?? `limit ${limit.id} %`, since: now() - silentSeconds },
    );
    const found = rows.flatMap(({ name, used }) => {
      const subject = subjectIn(name, limit);
      return subject === undefined ? [] : [usageOf({ subject, used: Number(used), held: 0 }, limit, 0)];
    });
    return [...found, ...unused(limit, subjects, found, 0)];
  }

  async function namesOf(rows: readonly LimitRow[], uses: ReadonlyMap<number, LimitUsage[]>) {
    const subjectsOf = (kind: LimitSubjectKind) =>
      rows
        .filter(({ subject_kind }) => subject_kind === kind)
        .flatMap(({ id, subject }) => [subject, ...(uses.get(id) ?? []).map((use) => use.subject)])
        .filter((subject) => /^\d{1,15}$/.test(subject))
        .map(Number);
    const [users, tokens] = await Promise.all([
      database.users.findAll({ attributes: ['id', 'username'], where: { id: subjectsOf('user') }, raw: true }),
      database.tokens.findAll({ attributes: ['id', 'name'], where: { id: subjectsOf('token') }, raw: true }),
    ]);
    return new Map<string, string>([
      ...users.map(({ id, username }) => [`user ${id}`, username] as const),
      ...tokens.map(({ id, name }) => [`token ${id}`, name] as const),
    ]);
  }

  return { all };
}

export type LimitView = ReturnType<typeof createLimitView>;

const isById = (kind: LimitSubjectKind) => kind === 'user' || kind === 'token';

/** Those that are asked for are shown before they have used anything. */
function unused(
  limit: LimitRow,
  subjects: readonly string[] | undefined,
  found: readonly LimitUsage[],
  resetsAt: number,
): LimitUsage[] {
  const known = new Set(found.map(({ subject }) => subject));
  const missing = (subjects ?? []).filter((subject) => !known.has(subject));
  return missing.map((subject) => usageOf({ subject, used: 0, held: 0 }, limit, resetsAt));
}

function usageOf(
  { subject, used, held }: Pick<LimitUsage, 'subject' | 'used' | 'held'>,
  { amount }: Pick<LimitRow, 'amount'>,
  resets_at: number,
  wasRefused = false,
): LimitUsage {
  const remaining = Math.max(0, amount - used - held);
  return { subject, subject_name: '', used, held, remaining, exhausted: remaining === 0 || wasRefused, resets_at };
}
