import type { LimitPass } from '../../services/rate-limit/rate-limit.ts';
import { type CallRule, type CallTokens, tokensOf } from './call-rule.ts';
import type { CountedRule } from './limit-headers.ts';

interface Counted {
  pass: LimitPass;
  rules: readonly CallRule[];
}

/** What one call was counted under. */
export class CallPass {
  readonly #counted: Counted[] = [];
  #isTakenBack = false;

  add(pass: LimitPass, rules: readonly CallRule[]): void {
    this.#counted.push({ pass, rules });
  }

  /** Another limit refuses the call: it counts for nothing. */
  takeBack(): void {
    this.#isTakenBack = true;
  }

  counted(): CountedRule[] {
    return this.#counted.flatMap(({ pass, rules }) =>
      rules.map((rule, at) => ({ ...rule, used: pass.used[at] ?? 0, waitMs: undefined })),
    );
  }

  /** The call is over; `used` tells the tokens of one that was paid for. Call it once. */
  end(succeeded: boolean, used?: CallTokens): void {
    for (const { pass, rules } of this.#counted) {
      const limits = new Map(rules.map(({ rule, limit }) => [rule, limit]));
      pass.end(succeeded, (rule) => {
        if (this.#isTakenBack || (rule.onlySuccess && !succeeded)) return 0;
        const limit = limits.get(rule);
        const tokens = limit && tokensOf(limit, used ?? { prompt: 0, completion: 0 });
        return tokens ?? 1;
      });
    }
  }
}
