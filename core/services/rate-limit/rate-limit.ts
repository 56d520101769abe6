import { leaseScript, limitScript } from '../../integrations/redis/limit-script.ts';
import type { RedisLink } from '../../integrations/redis/redis-link.ts';
import { countKey, type LimitRefusal, type LimitRule, type WindowRule, weightOf } from './limit-rule.ts';
import { createLocalCount, type LocalCount } from './local-count.ts';
import { sliceMs } from './window-log.ts';

/** How long a call that runs counts after its process has died. */
const leaseMs = 30_000;
const renewEveryMs = 10_000;

export interface RateLimiter {
  /** Counts the call under every rule, or under none when one refuses. Never rejects; ask once for one call. */
  enter(callId: string, rules: readonly LimitRule[]): Promise<{ pass: LimitPass } | { refusal: LimitRefusal }>;
  /** Counts what has happened already, whatever the limits say. */
  count(rules: readonly WindowRule[]): void;
  /** What is counted at present under each rule; counts nothing. */
  look(rules: readonly LimitRule[]): Promise<number[]>;
  /** What this process counts, by `countKey`. */
  counts: LocalCount['counts'];
  /** What other processes count without Redis, by `countKey`; replaces what was said before. */
  hear(others: ReadonlyMap<string, number>): void;
  /** Keys in memory. */
  size(): number;
  close(): void;
}

export interface LimitPass {
  /** What is counted under each rule, with the call. */
  used: readonly number[];
  /** The call is over; call it once. `stays` says how much of a window it has taken in the end. */
  end(succeeded: boolean, stays?: (rule: WindowRule) => number): void;
}

/**
 * Sliding windows and calls at one time, by key: exact within this process, and among all that share a Redis. This process always
 * counts what it lets in itself, so its own limits apply from the moment Redis is gone; what it has heard of other processes by then
 * is counted with it.
 */
export function createRateLimiter(redis?: RedisLink, nowMs: () => number = () => performance.now()): RateLimiter {
  let others: ReadonlyMap<string, number> = new Map();
  const local = createLocalCount(nowMs, (name) => (redis?.isUp() ? 0 : (others.get(name) ?? 0)));
  /** Calls that run under a shared key. */
  const leased = new Map<string, Set<string>>();
  const timer = redis && setInterval(() => renew(redis), renewEveryMs);
  timer?.unref();

  async function enterShared(link: RedisLink, callId: string, rules: readonly LimitRule[]): Promise<Shared> {
    const response = await link.run(limitScript, rules.map(sharedKey), ['enter', callId, leaseMs, ...valuesOf(rules)]);
    if (!isNumbers(response)) return { stamps: undefined };
    const [isIn, ...rest] = response;
    // A stamp and a count for each rule.
    if (isIn === 1) return { stamps: rest.filter((_, at) => at % 2 === 0), used: rest.filter((_, at) => at % 2 === 1) };
    const [number = 1, waitMs = 0, used = 0] = rest;
    const rule = rules[number - 1];
    return rule ? { refusal: { rule, waitMs, used } } : { stamps: undefined };
  }

  function endShared(link: RedisLink, callId: string, ended: Ended[]): void {
    if (ended.length === 0) return;
    // No caller waits for it, and what is lost leaves with its window or its lease.
    void link.run(
      limitScript,
      ended.map(({ rule }) => sharedKey(rule)),
      ['end', callId, ...ended.flatMap(({ rule, stamp, surplus }) => [rule.kind, stamp, surplus])],
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
        local.end(rules, stamps, () => 0);
        return shared;
      }
      if (redis) keepLeases(callId, rules);
      return {
        pass: {
          used: shared.used ?? rules.map(local.used),
          end(succeeded, stays = (rule) => (rule.onlySuccess && !succeeded ? 0 : weightOf(rule))) {
            local.end(rules, stamps, stays);
            if (!redis) return;
            dropLeases(callId, rules);
            const surplusOf = (rule: LimitRule) => (rule.kind === 'window' ? weightOf(rule) - stays(rule) : 0);
            const ended = rules
              .map((rule, index) => ({ rule, stamp: shared.stamps?.[index] ?? 0, surplus: surplusOf(rule) }))
              .filter(({ rule, stamp, surplus }) => rule.kind === 'running' || (surplus !== 0 && stamp > 0));
            endShared(redis, callId, ended);
          },
        },
      };
    },
    count(rules) {
      local.add(rules);
      // No caller waits for it.
      if (redis?.isUp()) void redis.run(limitScript, rules.map(sharedKey), ['count', '', leaseMs, ...valuesOf(rules)]);
    },
    async look(rules) {
      const values = ['look', '', leaseMs, ...valuesOf(rules)];
      const response = redis?.isUp() ? await redis.run(limitScript, rules.map(sharedKey), values) : undefined;
      return isNumbers(response) ? response : rules.map(local.used);
    },
    counts: local.counts,
    hear(counts) {
      others = counts;
    },
    size: local.size,
    close: () => clearInterval(timer),
  };
}

/** No stamps: Redis was not asked, or did not respond. */
type Shared = { stamps: number[] | undefined; used?: number[] } | { refusal: LimitRefusal };

interface Ended {
  rule: LimitRule;
  stamp: number;
  /** What it took of a window and did not need in the end. */
  surplus: number;
}

/** Of each rule, as the script reads them. */
function valuesOf(rules: readonly LimitRule[]): (string | number)[] {
  return rules.flatMap((rule) =>
    rule.kind === 'window'
      ? [rule.kind, rule.max, rule.windowMs, sliceMs(rule.max, rule.windowMs), weightOf(rule)]
      : [rule.kind, rule.max, 0, 0, 1],
  );
}

/** One slot, should it be a cluster: a script sees only keys that lie together. */
function sharedKey(rule: LimitRule): string {
  return `{tollgate}:limit:${countKey(rule)}`;
}

function isNumbers(response: unknown): response is number[] {
  return Array.isArray(response) && response.every((part) => typeof part === 'number');
}
