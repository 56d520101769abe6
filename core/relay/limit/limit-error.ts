import { AppError, type AppErrorOptions, type ErrorDetails } from '../../errors/app-error.ts';
import type { ErrorCode } from '../../errors/catalog.ts';
import { isShared } from '../../schemas/limit-subject.ts';
import type { AppliedLimit } from '../../services/limit/book.ts';
import { whoOf, wordsOf } from '../../services/limit/words.ts';
import { type LimitRefusal, retryAfterSeconds, weightOf } from '../../services/rate-limit/limit-rule.ts';
import type { CallOwner, CallRule } from './call-rule.ts';
import type { CountedRule } from './limit-headers.ts';

/** A limit refuses a call; the response says how much of it is left. */
export class LimitError extends AppError {
  readonly counted: CountedRule[];

  constructor(code: ErrorCode, details: ErrorDetails, options: AppErrorOptions, counted: CountedRule[] = []) {
    super(code, details, options);
    this.counted = counted;
  }
}

const minuteMs = 60_000;

export function refusalError(refusal: LimitRefusal, rules: readonly CallRule[], owner: CallOwner): LimitError {
  const { rule, waitMs, used } = refusal;
  const seconds = retryAfterSeconds(refusal);
  const limit = rules.find((one) => one.rule === rule)?.limit;
  const counted = [{ rule, limit, used, waitMs }];
  const options = { retryAfterSeconds: seconds };
  if (!limit) {
    const minutes = rule.kind === 'window' ? rule.windowMs / minuteMs : 0;
    const details = { name: owner.tokenName, max: rule.max, minutes, seconds };
    return new LimitError(settingCode(rule.key, rule.kind), details, options, counted);
  }
  const details = { who: whoOf(limit, owner), max: rule.max, used, seconds, ...wordsOf(limit, rule.max) };
  return new LimitError(codeOf(limit, rule.kind), details, options, counted);
}

function codeOf({ kind }: AppliedLimit, rule: 'window' | 'running'): ErrorCode {
  if (rule === 'running') return 'limit.running';
  // How much others have used of it is not for everyone to see.
  return isShared(kind) ? 'limit.sharedRate' : 'limit.rate';
}

/** A call that is larger than a whole window never fits; undefined when none of the rules is too small for it. */
export function tooLargeError(rules: readonly CallRule[], owner: CallOwner): AppError | undefined {
  for (const { rule, limit } of rules) {
    const needed = weightOf(rule);
    if (!limit || rule.kind !== 'window' || needed <= rule.max) continue;
    return new AppError('limit.callTooLarge', {
      who: whoOf(limit, owner),
      needed,
      max: rule.max,
      ...wordsOf(limit, rule.max),
    });
  }
  return undefined;
}

function settingCode(key: string, kind: 'window' | 'running') {
  if (key.startsWith('token')) return kind === 'window' ? 'limit.tokenCalls' : 'limit.tokenRunning';
  return kind === 'window' ? 'limit.userCalls' : 'limit.userRunning';
}
