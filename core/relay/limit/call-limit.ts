import { AppError } from '../../errors/app-error.ts';
import type { Caller } from '../../services/caller.ts';
import { type LimitRule, retryAfterSeconds } from '../../services/rate-limit/limit-rule.ts';
import type { LimitPass, RateLimiter } from '../../services/rate-limit/rate-limit.ts';

/** Each 0 = off. */
export interface CallLimitSettings {
  /** Per user, on `/v1` only (relay reference, 8.10). */
  model: { calls: number; successes: number; minutes: number } | undefined;
  tokenCallsPerMinute: number;
  userCallsPerMinute: number;
  tokenCallsAtOnce: number;
  userCallsAtOnce: number;
}

export interface CallLimits {
  /** Undefined while nothing limits the call, so that no call waits. Rejects with a 429 error. */
  enter(callId: string, caller: Pick<Caller, 'userId' | 'tokenId' | 'tokenName'>): Promise<LimitPass> | undefined;
  /** The settings changed. */
  change(settings: CallLimitSettings): void;
}

const minuteMs = 60_000;

/** What a token and a user may ask for in a while, and at one time. */
export function createCallLimits(limiter: RateLimiter, first: CallLimitSettings): CallLimits {
  let settings = first;
  let isLimited = limitsAnything(first);

  async function enter(callId: string, rules: LimitRule[], tokenName: string): Promise<LimitPass> {
    const result = await limiter.enter(callId, rules);
    if ('pass' in result) return result.pass;
    const { rule } = result.refusal;
    const seconds = retryAfterSeconds(result.refusal);
    const minutes = rule.kind === 'window' ? rule.windowMs / minuteMs : 0;
    const details = { name: tokenName, max: rule.max, minutes, seconds };
    throw new AppError(refusalCode(rule), details, { retryAfterSeconds: seconds });
  }

  return {
    enter(callId, caller) {
      if (!isLimited) return undefined;
      const rules = rulesFor(settings, caller);
      return rules.length === 0 ? undefined : enter(callId, rules, caller.tokenName);
    },
    change(next) {
      settings = next;
      isLimited = limitsAnything(next);
    },
  };
}

function refusalCode({ kind, key }: LimitRule) {
  if (key.startsWith('token')) return kind === 'window' ? 'limit.tokenCalls' : 'limit.tokenRunning';
  return kind === 'window' ? 'limit.userCalls' : 'limit.userRunning';
}

function limitsAnything({ model, ...counts }: CallLimitSettings): boolean {
  return model !== undefined || Object.values(counts).some((count) => count > 0);
}

function rulesFor(settings: CallLimitSettings, { userId, tokenId }: Pick<Caller, 'userId' | 'tokenId'>): LimitRule[] {
  const { model, tokenCallsPerMinute, userCallsPerMinute, tokenCallsAtOnce, userCallsAtOnce } = settings;
  const rules: LimitRule[] = [];
  const perMinute = (key: string, max: number) => {
    if (max > 0) rules.push({ kind: 'window', key, max, windowMs: minuteMs });
  };
  const atOnce = (key: string, max: number) => {
    if (max > 0) rules.push({ kind: 'running', key, max });
  };
  perMinute(`user-calls ${userId}`, userCallsPerMinute);
  atOnce(`user-running ${userId}`, userCallsAtOnce);
  // The playground has no token.
  if (tokenId === 0) return rules;
  perMinute(`token-calls ${tokenId}`, tokenCallsPerMinute);
  atOnce(`token-running ${tokenId}`, tokenCallsAtOnce);
  if (!model) return rules;
  const windowMs = model.minutes * minuteMs;
  if (model.calls > 0) rules.push({ kind: 'window', key: `model-calls ${userId}`, max: model.calls, windowMs });
  rules.push({
    kind: 'window',
    key: `model-successes ${userId}`,
    max: model.successes,
    windowMs,
    onlySuccess: true,
  });
  return rules;
}
