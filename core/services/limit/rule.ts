import type { LimitRow } from '../../database/models/limit.ts';

export const isBudget = ({ measure }: Pick<LimitRow, 'measure'>): boolean => measure === 'budget';

/** What is counted under a limit for one subject; the limiter adds the length of a window. */
export const limitKey = (id: number, subject: string): string => `limit ${id} ${subject}`;

/** The same as processes tell each other of it: with the length of the window. */
export function countName({ id, subject, measure, period }: Pick<LimitRow, 'id' | 'subject' | 'measure' | 'period'>) {
  const key = limitKey(id, subject);
  return measure === 'concurrency' ? key : `${key} ${windowMsOf(period)}`;
}

/** Of a limit that slides. */
export const windowMsOf = (period: string): number => (period === 'hour' ? 3_600_000 : 60_000);

/** The subject in what `countName` made of the limit; undefined for the name of something else. */
export function subjectIn(name: string, limit: Pick<LimitRow, 'id' | 'measure' | 'period'>): string | undefined {
  const [before = '', after = ''] = countName({ ...limit, subject: '\n' }).split('\n');
  if (!name.startsWith(before) || !name.endsWith(after)) return undefined;
  return name.slice(before.length, name.length - after.length);
}
