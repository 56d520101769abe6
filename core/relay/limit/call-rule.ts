import type { Caller } from '../../services/caller.ts';
import { type AppliedLimit, isKnownAtTheDoor, type LimitBook } from '../../services/limit/book.ts';
import { limitKey, windowMsOf } from '../../services/limit/rule.ts';
import type { LimitRule, WindowRule } from '../../services/rate-limit/limit-rule.ts';

/** Each 0 = off. */
export interface CallLimitSettings {
  /** Per user, on `/v1` only (relay reference, 8.10). */
  model: { calls: number; successes: number; minutes: number } | undefined;
  tokenCallsPerMinute: number;
  userCallsPerMinute: number;
  tokenCallsAtOnce: number;
  userCallsAtOnce: number;
}

export type CallOwner = Pick<Caller, 'userId' | 'tokenId' | 'tokenName' | 'group'>;

/** What a call may use, as far as it can be said beforehand; and what it has used. */
export interface CallTokens {
  prompt: number;
  completion: number;
}

/** One limit of a call, as the limiter counts it. */
export interface CallRule {
  rule: LimitRule;
  /** Undefined for one of the settings that are alike for all. */
  limit: AppliedLimit | undefined;
}

const minuteMs = 60_000;

/** What the settings say of every token and every user, unless a limit of their own replaces it. */
export function settingRules(
  { model, ...settings }: CallLimitSettings,
  { userId, tokenId }: CallOwner,
  applied: readonly AppliedLimit[],
): CallRule[] {
  const rules: CallRule[] = [];
  const isReplaced = (kind: string, measure: string) =>
    applied.some((limit) => limit.kind === kind && limit.measure === measure && limit.period !== 'hour');
  const add = (rule: LimitRule) => rules.push({ rule, limit: undefined });
  const perMinute = (kind: 'user' | 'token', id: number, max: number) => {
    if (max > 0 && !isReplaced(kind, 'requests')) {
      add({ kind: 'window', key: `${kind}-calls ${id}`, max, windowMs: minuteMs });
    }
  };
  const atOnce = (kind: 'user' | 'token', id: number, max: number) => {
    if (max > 0 && !isReplaced(kind, 'concurrency')) add({ kind: 'running', key: `${kind}-running ${id}`, max });
  };
  perMinute('user', userId, settings.userCallsPerMinute);
  atOnce('user', userId, settings.userCallsAtOnce);
  // The playground has no token.
  if (tokenId === 0) return rules;
  perMinute('token', tokenId, settings.tokenCallsPerMinute);
  atOnce('token', tokenId, settings.tokenCallsAtOnce);
  if (!model) return rules;
  const windowMs = model.minutes * minuteMs;
  if (model.calls > 0) add({ kind: 'window', key: `model-calls ${userId}`, max: model.calls, windowMs });
  add({ kind: 'window', key: `model-successes ${userId}`, max: model.successes, windowMs, onlySuccess: true });
  return rules;
}

export function limitsAnything({ model, ...counts }: CallLimitSettings): boolean {
  return model !== undefined || Object.values(counts).some((count) => count > 0);
}

/** The limits of calls themselves; those of a model wait until it is known. */
export function doorRules(applied: readonly AppliedLimit[]): CallRule[] {
  return applied.filter(isKnownAtTheDoor).map((limit) => ruleOf(limit, 1));
}

/** The rest, once it is known what a call asks for. A session asks for a token of each kind, to see whether any are left. */
export function contentRules(
  book: LimitBook,
  owner: CallOwner,
  model: string,
  tokens: CallTokens | 'session',
): CallRule[] {
  return book
    .applied({ ...owner, model })
    .filter((limit) => limit.measure !== 'budget' && !isKnownAtTheDoor(limit))
    .map((limit) => ruleOf(limit, tokens === 'session' ? 1 : (tokensOf(limit, tokens) ?? 1)))
    .filter(({ rule }) => rule.kind === 'running' || rule.weight !== 0);
}

/** Those that count tokens, for tokens that have been used. */
export function tokenRules(book: LimitBook, owner: CallOwner, model: string, tokens: CallTokens): CallRule[] {
  return book.applied({ ...owner, model }).flatMap((limit) => {
    const used = tokensOf(limit, tokens) ?? 0;
    return used > 0 ? [ruleOf(limit, used)] : [];
  });
}

/** Undefined for what does not count tokens. */
export function tokensOf({ measure }: AppliedLimit, { prompt, completion }: CallTokens): number | undefined {
  if (measure === 'tokens') return prompt + completion;
  if (measure === 'input_tokens') return prompt;
  return measure === 'output_tokens' ? completion : undefined;
}

export const countsTokens = ({ limit }: CallRule): boolean =>
  limit !== undefined && tokensOf(limit, { prompt: 0, completion: 0 }) !== undefined;

function ruleOf(limit: AppliedLimit, weight: number): CallRule {
  const { id, subject, measure, period, amount: max } = limit;
  const key = limitKey(id, subject);
  if (measure === 'concurrency') return { rule: { kind: 'running', key, max }, limit };
  const rule: WindowRule = { kind: 'window', key, max, windowMs: windowMsOf(period), weight };
  return { rule, limit };
}

/** Of counts that processes tell each other: those of calls, and not those of addresses. */
export const isOfCalls = (name: string): boolean => /^(limit|user-|token-|model-)/.test(name);
