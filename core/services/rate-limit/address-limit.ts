import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors/app-error.ts';
import { networkOf } from '../../lib/address-network.ts';
import { retryAfterSeconds, type WindowRule } from './limit-rule.ts';
import type { RateLimiter } from './rate-limit.ts';

interface CallsInTime {
  calls: number;
  seconds: number;
}

interface AddressLimits {
  /** Undefined = off. */
  api: CallsInTime | undefined;
  /** Pages of the dashboard; undefined = off. */
  web: CallsInTime | undefined;
  criticalCalls: number;
}

const criticalWindowSeconds = 1200;

/** A signed-in user gets so many times the calls of an address of strangers: several tabs, lists that renew themselves, long runs. */
const signedInFactor = 20;

/**
 * How often the console may be called: all routes together, and the ones that can be guessed at (console reference, 2.5). Calls of a
 * user who is signed in are counted for that user wherever they come from, all others for their address.
 */
export function createAddressLimit(limiter: RateLimiter, { api, web, criticalCalls }: AddressLimits) {
  return async (rate: 'api' | 'critical' | 'web' | 'none', address: string, userId?: number): Promise<void> => {
    if (rate === 'none') return;
    const network = networkOf(address);
    const rules: WindowRule[] = [];
    const [kind, general] = rate === 'web' ? (['GW', web] as const) : (['GA', api] as const);
    if (general && userId === undefined) rules.push(windowRule(`${kind} ${network}`, general.calls, general.seconds));
    else if (general) rules.push(windowRule(`${kind} user ${userId}`, signedInFactor * general.calls, general.seconds));
    // One bucket for all of them: an attacker who guesses passwords does not get as many tries at codes.
    if (rate === 'critical') rules.push(windowRule(`CT ${network}`, criticalCalls, criticalWindowSeconds));
    if (rules.length === 0) return;
    const result = await limiter.enter(randomUUID(), rules);
    if ('pass' in result) return;
    const seconds = retryAfterSeconds(result.refusal);
    throw new AppError('address.tooManyCalls', { seconds }, { retryAfterSeconds: seconds });
  };
}

function windowRule(key: string, max: number, seconds: number): WindowRule {
  return { kind: 'window', key, max, windowMs: seconds * 1000 };
}
