import { otherModels } from '../../../../core/schemas/other-models.ts';
import type { UsageData } from '../../../../core/schemas/usage-data.ts';

/** A sum of a model in an hour or a day. */
export type UsageRow = Pick<UsageData, 'model_name' | 'created_at' | 'token_used' | 'count' | 'quota'>;

export const units = ['hour', 'day', 'week'] as const;
export type Unit = (typeof units)[number];

export interface Sums {
  quota: number;
  count: number;
  tokens: number;
}

/** One bar: unix seconds from `start` until before `end`. */
export interface Bucket extends Sums {
  start: number;
  end: number;
  /** By model; models without a color of their own are under ''. */
  models: Map<string, Sums>;
}

export interface UsageSeries {
  buckets: Bucket[];
  /** The models that cost most, the dearest first; '' at the end stands for all others. */
  models: { name: string; sums: Sums }[];
  total: Sums;
}

/** More colors than this are hard to tell apart. */
const maxModels = 7;
/** More bars than this are too narrow to click. */
const maxBuckets = 170;

/** Whether a time is not over yet: what it adds up to will grow, so its end is no fall. */
export const isSoFar = ({ end }: Pick<Bucket, 'end'>): boolean => end * 1000 > Date.now();

/** Hourly rows as bars of hours, days or weeks of the reader's own clock. */
export function usageSeries(
  rows: UsageRow[],
  { start, end }: { start: number; end: number },
  wanted: Unit,
): UsageSeries {
  const first = start || rows[0]?.created_at || end;
  const unit = unitFor(end - first, wanted);
  const byModel = new Map<string, Sums>();
  for (const row of rows) if (row.model_name !== otherModels) add(byModel, row.model_name, row);
  const ranked = [...byModel].sort(([, a], [, b]) => b.quota - a.quota || b.count - a.count).map(([name]) => name);
  const named = new Set(ranked.slice(0, ranked.length > maxModels + 1 ? maxModels : maxModels + 1));
  const buckets = emptyBuckets(first, end, unit);
  const shown = new Map<string, Sums>();
  for (const row of rows) {
    const name = named.has(row.model_name) ? row.model_name : '';
    add(shown, name, row);
    const bucket = buckets.findLast(({ start: from }) => from <= row.created_at);
    if (!bucket) continue;
    addTo(bucket, row);
    add(bucket.models, name, row);
  }
  const order = [...named, ''].filter((name) => shown.has(name));
  const total = noSums();
  for (const row of rows) addTo(total, row);
  return { buckets, total, models: order.map((name) => ({ name, sums: shown.get(name) ?? noSums() })) };
}

/** The next coarser one while there would be too many bars. */
export function unitFor(seconds: number, wanted: Unit): Unit {
  if (wanted === 'hour' && seconds / 3600 > maxBuckets) return 'day';
  return wanted === 'day' && seconds / 86_400 > maxBuckets ? 'week' : wanted;
}

function emptyBuckets(from: number, to: number, unit: Unit): Bucket[] {
  const buckets: Bucket[] = [];
  const first = floorTo(from, unit);
  // A single bar, as just after midnight, is no course: the one before it stands beside it.
  for (
    let start = nextAfter(first, unit) > to ? floorTo(first - 1, unit) : first;
    start <= to && buckets.length < 1000;
  ) {
    const end = nextAfter(start, unit);
    buckets.push({ start, end, models: new Map(), ...noSums() });
    start = end;
  }
  return buckets;
}

function floorTo(seconds: number, unit: Unit): number {
  const time = new Date(seconds * 1000);
  if (unit === 'hour') return Math.floor(seconds / 3600) * 3600;
  // Weeks begin on Monday.
  if (unit === 'week') time.setDate(time.getDate() - ((time.getDay() + 6) % 7));
  return dayStart(time);
}

/** By the calendar: a day may have 23 or 25 hours. */
function nextAfter(seconds: number, unit: Unit): number {
  if (unit === 'hour') return seconds + 3600;
  const time = new Date(seconds * 1000);
  time.setDate(time.getDate() + (unit === 'week' ? 7 : 1));
  return dayStart(time);
}

/** Last, because where the clock jumps over midnight, that day alone begins later. */
const dayStart = (time: Date): number => time.setHours(0, 0, 0, 0) / 1000;

const noSums = (): Sums => ({ quota: 0, count: 0, tokens: 0 });

function add(sums: Map<string, Sums>, name: string, row: UsageRow): void {
  const known = sums.get(name) ?? noSums();
  addTo(known, row);
  sums.set(name, known);
}

function addTo(sums: Sums, { quota, count, token_used }: UsageRow): void {
  sums.quota += quota;
  sums.count += count;
  sums.tokens += token_used;
}
