import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors/app-error.ts';
import { networkOf } from '../../lib/address-network.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { retryAfterSeconds, type WindowRule } from './limit-rule.ts';

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

/** How often an address may call the console: all routes together, and the ones that can be guessed at (console reference, 2.5). */
export function createAddressLimit(limiter: RateLimiter, { api, web, criticalCalls }: AddressLimits) {
  return async (rate: 'api' | 'critical' | 'web' | 'none', address: string): Promise<void> => {
    if (rate === 'none') return;
    const network = networkOf(address);
    const rules: WindowRule[] = [];
    if (rate === 'web' && web) rules.push(windowRule(`GW ${network}`, web.calls, web.seconds));
    if (rate !== 'web' && api) rules.push(windowRule(`GA ${network}`, api.calls, api.seconds));
    // One bucket for all of them: whoever guesses passwords does not get as many tries at codes.
    if (rate === 'critical') rules.push(windowRule(`CT ${network}`, criticalCalls, criticalWindowSeconds));
    if (rules.length === 0) return;
    const result = await limiter.enter(randomUUID(), rules);
    if ('pass' in result) return;
    const seconds = retryAfterSeconds(result.refusal);
    throw new AppError('address.tooManyCalls', { seconds }, { retryAfterSeconds: seconds });
  };
}

function windowRule(key: string, most: number, seconds: number): WindowRule {
  return { kind: 'window', key, most, windowMs: seconds * 1000 };
}
