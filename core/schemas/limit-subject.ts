import type { Limit, LimitSubjectKind, LimitUsage } from './limit.ts';

/** More subjects are not shown with a limit for each of a kind. */
const maxShown = 10;

export const isForEach = ({ subject }: Pick<Limit, 'subject'>): boolean => subject === '';

/** As a row or as consoles know it. */
type Ruled = Record<'subject' | 'measure' | 'period', string> & { enabled: boolean | number };

/** Others use it, too, and how much they do is not for everyone to see. */
export const isShared = (kind: LimitSubjectKind): boolean => kind === 'group' || kind === 'model';

/** Of the limits of one kind, those of one subject: its own, then those for each of its kind that none of its own replaces. */
export function limitsOfSubject<T extends Ruled>(limits: readonly T[], subject: string): T[] {
  const own = limits.filter((limit) => limit.subject === subject);
  const isReplaced = ({ measure, period }: T) =>
    own.some((limit) => limit.enabled && limit.measure === measure && limit.period === period);
  const general = limits.filter((limit) => isForEach(limit) && limit.enabled && !isReplaced(limit));
  return [...own, ...general];
}

/** What one subject has used; undefined where others have used so much more that it is not among those shown. */
export function usageOfSubject({ usage, amount }: Limit, subject: string): LimitUsage | undefined {
  const known = usage.find((use) => use.subject === subject);
  if (known || usage.length >= maxShown) return known;
  const resets_at = usage[0]?.resets_at ?? 0;
  return { subject, subject_name: '', used: 0, held: 0, remaining: amount, exhausted: false, resets_at };
}

/**
 * Whose a limit is that an explained call meets: tokens and users are known by their ids, and are the caller's own. Undefined for each of
 * the kind, where the call was explained without a token.
 */
export function explainedName(
  { subject_kind: kind, subject }: Pick<Limit, 'subject_kind' | 'subject'>,
  token: { name: string; username: string } | null,
): string | undefined {
  if (subject === '0' && !isShared(kind)) return undefined;
  const own = { token: token?.name, user: token?.username, group: subject, model: subject }[kind];
  return own || `#${subject}`;
}

/** From 0; what is reserved for calls under way counts as used. Above 1 where a limit was lowered below what is used. */
export const usedShare = ({ amount }: Pick<Limit, 'amount'>, { used, held }: Pick<LimitUsage, 'used' | 'held'>) =>
  (used + held) / amount;

/** Where people are warned, as shares. */
const limitWarning = { near: 0.8, reached: 1 } as const;
export type LimitLevel = 'ok' | 'near' | 'reached';

export function limitLevel(share: number): LimitLevel {
  if (share >= limitWarning.reached) return 'reached';
  return share >= limitWarning.near ? 'near' : 'ok';
}
