import type { TakeoverMarkRow } from '../../database/models/takeover-mark.ts';
import type { UserRow } from '../../database/models/user.ts';
import { wholeOf } from './field.ts';
import type { SourceRow } from './source-reader.ts';
import type { Taking } from './taking.ts';

/** Invitations, what of their earnings is left to be moved, and all that was ever earned. */
export type Earnings = Pick<UserRow, 'aff_count' | 'aff_quota' | 'aff_history'>;

export const earningsOf = (row: SourceRow): Earnings => ({
  aff_count: wholeOf(row, 'aff_count'),
  aff_quota: wholeOf(row, 'aff_quota'),
  aff_history: wholeOf(row, 'aff_history'),
});

/**
 * Adds to a user's earnings what changed in the source since the last import: what was moved to the balance there came with the
 * balance, and is not left to be moved here. Moved in both programs, it becomes a debt, like a balance that was spent in both. False
 * when nothing changed there.
 */
export async function addEarnings(taking: Taking, mark: TakeoverMarkRow, now: Earnings): Promise<boolean> {
  const { database, transaction } = taking;
  const { id, subject, aff_count, aff_quota, aff_history } = mark;
  const isKnown = aff_quota !== null;
  const difference = {
    aff_count: now.aff_count - (aff_count ?? 0),
    aff_quota: now.aff_quota - (aff_quota ?? 0),
    aff_history: now.aff_history - (aff_history ?? 0),
  };
  const isChanged = isKnown && Object.values(difference).some((value) => value !== 0);
  if (isChanged) await database.users.increment(difference, { where: { id }, transaction });
  if (isChanged || !isKnown) await database.takeoverMarks.update(now, { where: { subject, id }, transaction });
  return isChanged;
}
