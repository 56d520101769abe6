import { writeBudgets } from '../../billing/budget-claim.ts';
import { claimOf, type LimitBook } from '../../services/limit/book.ts';
import type { RateLimiter } from '../../services/rate-limit/rate-limit.ts';
import { CallPass } from './call-pass.ts';
import {
  type CallLimitSettings,
  type CallOwner,
  type CallRule,
  type CallTokens,
  contentRules,
  countsTokens,
  doorRules,
  limitsAnything,
  settingRules,
  tokenRules,
} from './call-rule.ts';
import { refusalError, tooLargeError } from './limit-error.ts';

export interface CallLimits {
  /** Before the body is read. Undefined while nothing limits the call, so that no call waits. Rejects with a 429 error. */
  enter(callId: string, owner: CallOwner): Promise<CallPass> | undefined;
  /**
   * Once it is known what the call asks for: the limits of models and of tokens, for which `tokens` is reserved. Resolves with the pass
   * that counts all of it; undefined when there is nothing more to ask. A call that is refused counts for nothing.
   */
  admit(call: AskedCall, pass: CallPass | undefined): Promise<CallPass> | undefined;
  /** Tokens that a part of a session has used, at the time it has used them: they are counted, and nothing is refused. */
  countTokens(owner: CallOwner, model: string, tokens: CallTokens): void;
  /** The budgets a call is paid from, as its hold names them; empty for none. */
  budgets(owner: CallOwner, model: string): string;
  /** The settings changed. */
  change(settings: CallLimitSettings): void;
}

export interface AskedCall {
  id: string;
  owner: CallOwner;
  model: string;
  /** Of a session it is not known beforehand. It is let in while any are left. */
  tokens: CallTokens | 'session';
}

/** What tokens, users, groups and models may ask for in a while, and at one time. */
export function createCallLimits(limiter: RateLimiter, book: LimitBook, first: CallLimitSettings): CallLimits {
  let settings = first;
  let hasSettings = limitsAnything(first);

  async function count(callId: string, rules: CallRule[], owner: CallOwner, pass: CallPass): Promise<CallPass> {
    const result = await limiter.enter(
      callId,
      rules.map(({ rule }) => rule),
    );
    if ('pass' in result) {
      pass.add(result.pass, rules);
      return pass;
    }
    pass.takeBack();
    throw refusalError(result.refusal, rules, owner);
  }

  /** Looks whether tokens are left, and keeps none: what a session says is counted as it is said. */
  async function admitSession(id: string, rules: CallRule[], owner: CallOwner, pass: CallPass): Promise<CallPass> {
    const [ofTokens, others] = [rules.filter(countsTokens), rules.filter((rule) => !countsTokens(rule))];
    const look = new CallPass();
    try {
      await count(id, ofTokens, owner, look);
    } catch (error) {
      pass.takeBack();
      throw error;
    }
    look.takeBack();
    look.end(false);
    return others.length === 0 ? pass : count(id, others, owner, pass);
  }

  return {
    enter(callId, owner) {
      if (!hasSettings && book.isEmpty()) return undefined;
      const applied = book.applied({ ...owner, model: undefined });
      const rules = [...(hasSettings ? settingRules(settings, owner, applied) : []), ...doorRules(applied)];
      return rules.length === 0 ? undefined : count(callId, rules, owner, new CallPass());
    },
    admit({ id, owner, model, tokens }, pass) {
      if (!book.needsModel()) return undefined;
      const rules = contentRules(book, owner, model, tokens);
      if (rules.length === 0) return undefined;
      if (tokens === 'session') return admitSession(id, rules, owner, pass ?? new CallPass());
      const tooLarge = tooLargeError(rules, owner);
      if (tooLarge) {
        pass?.takeBack();
        return Promise.reject(tooLarge);
      }
      return count(id, rules, owner, pass ?? new CallPass());
    },
    countTokens(owner, model, tokens) {
      if (!book.needsModel()) return;
      const rules = tokenRules(book, owner, model, tokens);
      if (rules.length > 0) limiter.count(rules.flatMap(({ rule }) => (rule.kind === 'window' ? [rule] : [])));
    },
    budgets: (owner, model) => (book.isEmpty() ? '' : writeBudgets(book.budgets({ ...owner, model }).map(claimOf))),
    change(next) {
      settings = next;
      hasSettings = limitsAnything(next);
    },
  };
}
