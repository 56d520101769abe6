import type { LimitCreate } from '../../schemas/limit.ts';
import { coded } from '../../text/coded.ts';
import { codedText } from '../../text/text.ts';
import type { AppliedLimit } from './book.ts';

/** Whom a limit is for, to the caller, in a language that is not known yet. */
export function whoOf({ kind, subject }: Pick<AppliedLimit, 'kind' | 'subject'>, { tokenName }: { tokenName: string }) {
  if (kind === 'user') return coded('limit.user');
  if (kind === 'token') return coded('limit.token', { name: tokenName || `#${subject}` });
  return coded(kind === 'group' ? 'limit.group' : 'limit.model', { name: subject });
}

/** `count`: of what the sentence says how many there are; the measure is a singular after 1. */
export function wordsOf({ measure, period }: Pick<AppliedLimit, 'measure' | 'period'>, count = 0) {
  return {
    measure: coded(`limit.measure.${measure}`, { count }),
    period: period === '' ? '' : coded(`limit.period.${period}`),
  };
}

/** What a limit is for and what it counts, to an admin: `token #12` and `requests per minute`. */
export function namesOf({ subject_kind: kind, subject, measure, period }: Omit<LimitCreate, 'amount' | 'enabled'>) {
  return {
    who:
      subject === ''
        ? codedText('notice', `audit.limitOfEach.${kind}`)
        : codedText('notice', `audit.limitOf.${kind}`, { subject }),
    what: coded(`limit.named.${measure}`, { period: period === '' ? '' : coded(`limit.period.${period}`) }),
  };
}

/** `2026-11-30 23:00 UTC` */
export const momentText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
