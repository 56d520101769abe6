import type { Database } from '../../database/connect.ts';
import type { LimitRow } from '../../database/models/limit.ts';
import { type CalendarUnit, calendarWindow } from '../../lib/calendar-window.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Limit, LimitMeasure, LimitPeriod, LimitSubjectKind, LimitUsage } from '../../schemas/limit.ts';
import { liveCounts, silentSeconds } from './count-exchange.ts';
import { isBudget, subjectInKey } from './rule.ts';

interface LimitViewDependencies {
  database: Database;
  timeZone(): string;
  now: Clock;
}

/** Restricts what is shown of a limit to these subjects. */
export type ShownSubjects = Partial<Record<LimitSubjectKind, string[]>>;

const maxUsages = 10;

/** Limits as consoles know them: with names, and with what is taken of them at this moment by all processes together. */
export function createLimitView({ database, timeZone, now }: LimitViewDependencies) {
  async function all(rows: readonly LimitRow[], shown: ShownSubjects = {}): Promise<Limit[]> {
    const uses = new Map<number, LimitUsage[]>();
    for (const row of rows) {
      const kept = shown[row.subject_kind as LimitSubjectKind];
      const isShown = ({ subject }: LimitUsage) => !kept || kept.includes(subject);
      const found = (await (isBudget(row) ? budgetUsage(row) : countedUsage(row))).filter(isShown);
      found.sort((a, b) => b.used + b.held - a.used - a.held);
      uses.set(row.id, found.slice(0, maxUsages));
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

  async function budgetUsage({ id, subject, period, amount }: LimitRow): Promise<LimitUsage[]> {
    const { start, end } = calendarWindow(period as CalendarUnit, timeZone(), now());
    const rows = await database.limitUsage.findAll({ where: { limit_id: id, window_start: start }, raw: true });
    const found = rows.map((row) => usageOf(row, amount, end));
    return found.length === 0 && subject !== '' ? [usageOf({ subject, used: 0, held: 0 }, amount, end)] : found;
  }

  async function countedUsage({ id, subject, amount }: LimitRow): Promise<LimitUsage[]> {
    // SQL: sums over all processes, without those that are gone.
    const rows = await database.select<{ name: string; used: number }>(
      `SELECT counts.name AS name, sum(counts.count) AS used FROM ${liveCounts} WHERE counts.name LIKE :names
       GROUP BY counts.name ORDER BY used DESC LIMIT ${maxUsages * 10}`,
      { names: `limit ${id} %`, since: now() - silentSeconds },
    );
    const found = rows.flatMap(({ name, used }) => {
      const counted = subjectInKey(name);
      return counted === undefined ? [] : [usageOf({ subject: counted, used: Number(used), held: 0 }, amount, 0)];
    });
    return found.length === 0 && subject !== '' ? [usageOf({ subject, used: 0, held: 0 }, amount, 0)] : found;
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

const isById = (kind: LimitSubjectKind) => kind === 'user' || kind === 'token';

function usageOf(
  { subject, used, held }: Pick<LimitUsage, 'subject' | 'used' | 'held'>,
  amount: number,
  resets_at: number,
): LimitUsage {
  return { subject, subject_name: '', used, held, remaining: Math.max(0, amount - used - held), resets_at };
}
