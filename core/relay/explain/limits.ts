import type { QuotaFormat } from '../../billing/quota.ts';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Caller } from '../../services/caller.ts';
import { type AppliedLimit, isKnownAtTheDoor, type LimitBook } from '../../services/limit/book.ts';
import { type LimitState, limitStates } from '../../services/limit/state.ts';
import { whoOf, wordsOf } from '../../services/limit/words.ts';
import { budgetError } from '../limit/budget-refusal.ts';
import { type CallTokens, tokensOf } from '../limit/call-rule.ts';
import type { Quote } from '../meter/quote.ts';

/** A limit that applies to the call. */
export interface ExplainedLimit extends LimitState {
  /** What the call would take of it, as far as it can be said beforehand. */
  needed: number;
  refusal: AppError | undefined;
}

export interface ExplainLimitDependencies {
  database: Database;
  limitBook: LimitBook;
  /** Has the counts of this process written down for others to read; left out where no calls are served. */
  exchangeCounts?(): Promise<void>;
  quotaFormat(): QuotaFormat;
  nowSeconds(): number;
}

/** Which limits apply to a call, what is left of each, and which would refuse it. */
export async function explainLimits(
  caller: Caller,
  model: string,
  quote: Quote | undefined,
  { database, limitBook, exchangeCounts, quotaFormat, nowSeconds }: ExplainLimitDependencies,
): Promise<ExplainedLimit[]> {
  await exchangeCounts?.();
  const call = { ...caller, model };
  const states = await limitStates(call, { database, book: limitBook, now: nowSeconds });
  // In the order in which a call meets them.
  const atDoor = states.filter(({ limit, budget }) => !budget && isKnownAtTheDoor(limit));
  const later = states.filter((state) => !atDoor.includes(state));
  return [...atDoor, ...later].map((state) => {
    const needed = state.budget ? (quote?.amount ?? 0) : neededOf(state.limit, quote?.estimate);
    const refusal = refusalOf(state, needed, { owner: caller, format: quotaFormat, nowSeconds });
    return { ...state, needed, refusal };
  });
}

function neededOf(limit: AppliedLimit, tokens: CallTokens | undefined): number {
  return tokensOf(limit, tokens ?? { prompt: 0, completion: 0 }) ?? 1;
}

interface Reading {
  owner: Caller;
  format(): QuotaFormat;
  nowSeconds(): number;
}

function refusalOf({ limit, budget, used, held }: LimitState, needed: number, reading: Reading): AppError | undefined {
  if (used + held + needed <= limit.amount) return undefined;
  if (budget) return budgetError({ budget, used, held, needed, ...reading });
  const isTooLarge = needed > limit.amount;
  const details = {
    who: whoOf(limit, reading.owner),
    max: limit.amount,
    used,
    needed,
    ...wordsOf(limit, limit.amount),
  };
  if (limit.measure === 'concurrency') return new AppError('limit.running', details);
  return new AppError(isTooLarge ? 'limit.callTooLarge' : 'limit.rateNow', details);
}
