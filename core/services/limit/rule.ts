import type { LimitRow } from '../../database/models/limit.ts';

export const isBudget = ({ measure }: Pick<LimitRow, 'measure'>): boolean => measure === 'budget';

/** What is counted under a limit for one subject; the limiter adds the length of a window. */
export const limitKey = (id: number, subject: string): string => `limit ${id} ${subject}`;

/** The subject in a key as it is counted; undefined for the key of something else. */
export function subjectInKey(name: string): string | undefined {
  return /^limit \d+ (.*?)(?: \d+)?$/s.exec(name)?.[1];
}
