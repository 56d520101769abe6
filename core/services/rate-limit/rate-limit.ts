import { leaseScript, limitScript } from '../../integrations/redis/limit-script.ts';
import type { RedisLink } from '../../integrations/redis/redis-link.ts';
import { countKey, type LimitRefusal, type LimitRule } from './limit-rule.ts';
import { createLocalCount } from './local-count.ts';
import { sliceMs } from './window-log.ts';

/** How long a call that runs counts after its process has died. */
const leaseMs = 30_000;
const renewEveryMs = 10_000;

export interface RateLimiter {
  /** Counts the call under every rule, or under none when one refuses. Never rejects; ask once for one call. */
  enter(callId: string, rules: readonly LimitRule[]): Promise<{ pass: LimitPass } | { refusal: LimitRefusal }>;
  /** Keys in memory. */
  size(): number;
  close(): void;
}

export interface LimitPass {
  /** The call is over; call it once. */
  end(succeeded: boolean): void;
}

/**
 * Sliding windows and calls at one time, by key: exact within this process, and among all that share a Redis. This process always
 * counts what it lets in itself, so its own limits apply from the moment Redis is gone.
 */
export function createRateLimiter(redis?: RedisLink, nowMs: () => number = () => performance.now()): RateLimiter {
  const local = createLocalCount(nowMs);
  /** Calls that run under a shared key. */
  const leased = new Map<string, Set<string>>();
  const timer = redis && setInterval(() => renew(redis), renewEveryMs);
  timer?.unref();

  async function enterShared(link: RedisLink, callId: string, rules: readonly LimitRule[]): Promise<Shared> {
    const response = await link.run(limitScript, rules.map(sharedKey), [
      'enter',
      callId,
      leaseMs,
      ...rules.flatMap((rule) =>
        rule.kind === 'window'
          ? [rule.kind, rule.max, rule.windowMs, sliceMs(rule.max, rule.windowMs)]
          : [rule.kind, rule.max, 0, 0],
      ),
    ]);
    if (!isNumbers(response)) return { stamps: undefined };
    const [isIn, ...rest] = response;
    if (isIn === 1) return { stamps: rest };
    const [number = 1, waitMs = 0] = rest;
    const rule = rules[number - 1];
    return rule ? { refusal: { rule, waitMs } } : { stamps: undefined };
  }

  function endShared(link: RedisLink, callId: string, ended: { rule: LimitRule; stamp: number }[]): void {
    if (ended.length === 0) return;
    // No caller waits for it, and what is lost leaves with its window or its lease.
    void link.run(
      limitScript,
      ended.map(({ rule }) => sharedKey(rule)),
      ['end', callId, ...ended.flatMap(({ rule, stamp }) => [rule.kind, stamp])],
    );
  }

  function renew(link: RedisLink): void {
    for (const [key, callIds] of leased) void link.run(leaseScript, [key], [leaseMs, ...callIds]);
  }

  function keepLeases(callId: string, rules: readonly LimitRule[]): void {
    for (const rule of rules) {
      if (rule.kind !== 'running') continue;
      const key = sharedKey(rule);
      const callIds = leased.get(key) ?? new Set();
      leased.set(key, callIds.add(callId));
    }
  }

  function dropLeases(callId: string, rules: readonly LimitRule[]): void {
    for (const rule of rules) {
      const key = sharedKey(rule);
      const callIds = leased.get(key);
      callIds?.delete(callId);
      if (callIds?.size === 0) leased.delete(key);
    }
  }

  return {
    async enter(callId, rules) {
      const refusal = local.refusal(rules);
      if (refusal) return { refusal };
      const stamps = local.add(rules);
      const shared: Shared = redis?.isUp() ? await enterShared(redis, callId, rules) : { stamps: undefined };
      if ('refusal' in shared) {
        local.end(rules, stamps, () => true);
        return shared;
      }
      if (redis) keepLeases(callId, rules);
      return {
        pass: {
          end(succeeded) {
            const isTakenBack = (rule: LimitRule) => rule.kind === 'window' && rule.onlySuccess === true && !succeeded;
            local.end(rules, stamps, isTakenBack);
            if (!redis) return;
            dropLeases(callId, rules);
            const ended = rules
              .map((rule, index) => ({ rule, stamp: shared.stamps?.[index] ?? 0 }))
              .filter(({ rule, stamp }) => rule.kind === 'running' || (isTakenBack(rule) && stamp > 0));
            endShared(redis, callId, ended);
          },
        },
      };
    },
    size: local.size,
    close: () => clearInterval(timer),
  };
}

/** No stamps: Redis was not asked, or did not respond. */
type Shared = { stamps: number[] | undefined } | { refusal: LimitRefusal };

/** One slot, should it be a cluster: a script sees only keys that lie together. */
function sharedKey(rule: LimitRule): string {
  return `{tollgate}:limit:${countKey(rule)}`;
}

function isNumbers(response: unknown): response is number[] {
  return Array.isArray(response) && response.every((part) => typeof part === 'number');
}
