import type { BudgetClaim } from '../../billing/budget-claim.ts';
import type { Database } from '../../database/connect.ts';
import type { LimitRow } from '../../database/models/limit.ts';
import { type CalendarUnit, type CalendarWindow, calendarWindow } from '../../lib/calendar-window.ts';
import type { Clock } from '../../lib/clock.ts';
import type { LimitMeasure, LimitPeriod, LimitSubjectKind } from '../../schemas/limit.ts';

/** A limit as it applies to one subject. */
export interface AppliedLimit {
  id: number;
  kind: LimitSubjectKind;
  subject: string;
  measure: LimitMeasure;
  period: LimitPeriod;
  amount: number;
}

/** Whose call it is, and to what. */
export interface LimitedCall {
  userId: number;
  /** 0 in the playground. */
  tokenId: number;
  group: string;
  /** Undefined while it is not known yet. */
  model: string | undefined;
}

/** The budgets of a call, with the windows it belongs to. */
export interface AppliedBudget extends AppliedLimit {
  window: CalendarWindow;
}

/** The limits that are enabled, in memory: asked for every call. */
export interface LimitBook {
  /** Reads all of them again. */
  load(): Promise<void>;
  isEmpty(): boolean;
  /** Whether any of them counts the tokens of calls, or the calls to a model. */
  needsModel(): boolean;
  /** Those of one kind of subject that apply to a call: a subject's own, else those for each of its kind. */
  of(kind: LimitSubjectKind, subject: string): readonly AppliedLimit[];
  /** What applies to a call; of models only once its model is known. */
  applied(call: LimitedCall): AppliedLimit[];
  budgets(call: LimitedCall): AppliedBudget[];
}

interface LimitBookDependencies {
  database: Database;
  timeZone(): string;
  now: Clock;
}

const maxRemembered = 50_000;

export function createLimitBook({ database, timeZone, now }: LimitBookDependencies): LimitBook {
  /** By kind, then by subject. */
  let rows = new Map<string, Map<string, LimitRow[]>>();
  let remembered = new Map<string, AppliedLimit[]>();
  let needsModel = false;
  let hasBudgets = false;
  const windows = new Map<string, CalendarWindow>();

  function of(kind: LimitSubjectKind, subject: string): readonly AppliedLimit[] {
    const ofKind = rows.get(kind);
    if (!ofKind) return [];
    const key = `${kind} ${subject}`;
    const known = remembered.get(key);
    if (known) return known;
    const own = ofKind.get(subject) ?? [];
    const isReplaced = (row: LimitRow) =>
      own.some(({ measure, period }) => measure === row.measure && period === row.period);
    const forEach = (ofKind.get('') ?? []).filter((row) => !isReplaced(row));
    const found = [...own, ...forEach].map((row) => toApplied(row, kind, subject));
    if (remembered.size >= maxRemembered) remembered = new Map();
    remembered.set(key, found);
    return found;
  }

  function applied({ userId, tokenId, group, model }: LimitedCall): AppliedLimit[] {
    if (rows.size === 0) return [];
    return [
      // The playground has no token.
      ...(tokenId === 0 ? [] : of('token', String(tokenId))),
      ...of('user', String(userId)),
      ...of('group', group),
      ...(model === undefined ? [] : of('model', model)),
    ];
  }

  function windowOf(unit: CalendarUnit): CalendarWindow {
    const zone = timeZone();
    const moment = now();
    const key = `${unit} ${zone}`;
    const known = windows.get(key);
    if (known && known.start <= moment && moment < known.end) return known;
    const window = calendarWindow(unit, zone, moment);
    windows.set(key, window);
    return window;
  }

  return {
    async load() {
      const found = await database.limits.findAll({ where: { enabled: 1 }, order: [['id', 'ASC']], raw: true });
      const next: typeof rows = new Map();
      for (const row of found) {
        const ofKind = next.get(row.subject_kind) ?? new Map<string, LimitRow[]>();
        next.set(row.subject_kind, ofKind.set(row.subject, [...(ofKind.get(row.subject) ?? []), row]));
      }
      rows = next;
      remembered = new Map();
      needsModel = found.some(
        (row) => row.measure !== 'budget' && !isKnownAtTheDoor(toApplied(row, row.subject_kind, '')),
      );
      hasBudgets = found.some(({ measure }) => measure === 'budget');
    },
    isEmpty: () => rows.size === 0,
    needsModel: () => needsModel,
    of,
    applied,
    budgets(call) {
      if (!hasBudgets) return [];
      return applied(call)
        .filter(({ measure }) => measure === 'budget')
        .map((limit) => ({ ...limit, window: windowOf(limit.period as CalendarUnit) }));
    },
  };
}

/** Limits of calls themselves are asked before the body of a call is read; all others need to know what it asks for. */
export const isKnownAtTheDoor = ({ kind, measure }: Pick<AppliedLimit, 'kind' | 'measure'>): boolean =>
  kind !== 'model' && (measure === 'requests' || measure === 'concurrency');

export const claimOf = ({ id, subject, window, amount }: AppliedBudget): BudgetClaim => [
  id,
  subject,
  window.start,
  amount,
];

function toApplied({ id, measure, period, amount }: LimitRow, kind: string, subject: string): AppliedLimit {
  return {
    id,
    kind: kind as LimitSubjectKind,
    subject,
    measure: measure as LimitMeasure,
    period: period as LimitPeriod,
    amount,
  };
}
