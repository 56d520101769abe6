import { setTimeout as pause } from 'node:timers/promises';

/** A part of the log on PostgreSQL, with the times it is for. */
export interface LogPart {
  name: string;
  /** Unix seconds; undefined = from the beginning. */
  from: number | undefined;
  /** Not included; undefined = without end, or whatever fits nowhere else. */
  until: number | undefined;
}

interface FoundPart {
  name: string;
  bound: string;
}

/** SQL that lists the partitions of the log; no row when it is not partitioned. */
export const logPartsSql = `SELECT part.relname::text AS name, pg_get_expr(part.relpartbound, part.oid) AS bound
  FROM pg_inherits JOIN pg_class part ON part.oid = inhrelid WHERE inhparent = 'logs'::regclass ORDER BY part.relname`;

/** Oldest first, without the one that takes what fits nowhere. */
export function partsFrom(found: FoundPart[]): LogPart[] {
  const ranges = found.filter(({ bound }) => bound !== 'DEFAULT');
  return ranges.map(partOf).sort((a, b) => (a.until ?? 0) - (b.until ?? 0));
}

function partOf({ name, bound }: FoundPart): LogPart {
  const [, from = '', until = ''] = /FROM \('?([^')]+)'?\) TO \('?([^')]+)'?\)/.exec(bound) ?? [];
  const seconds = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : undefined);
  return { name, from: seconds(from), until: seconds(until) };
}

/** The first second of a month of UTC; 0 = the month of that time, 1 = the next. */
export function monthStart(seconds: number, months = 0): number {
  const time = new Date(seconds * 1000);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months) / 1000;
}

/** While a lock is waited for, those that come later wait behind it: so never for longer than this. */
export const shortLockMs = 100;
const maxTries = 300;

/**
 * Does work that needs a lock which readers of the log hold for a while: gives up quickly, lets the others pass, and tries again. False
 * when it was told to stop, or when it found no gap in about two minutes; another time it may.
 */
export async function withShortLock(work: () => Promise<void>, signal?: AbortSignal): Promise<boolean> {
  for (let tries = 0; tries < maxTries && !signal?.aborted; tries++) {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
    await pause(200 + Math.random() * 300);
  }
  return false;
}

function isLockTimeout(error: unknown): boolean {
  const { code, parent } = error as { code?: unknown; parent?: { code?: unknown } };
  return (parent?.code ?? code) === '55P03';
}
