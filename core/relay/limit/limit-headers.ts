import type { HeaderList } from '../deliver/client-writer.ts';
import type { CallRule } from './call-rule.ts';

/** A limit, with what is counted under it. */
export interface CountedRule extends CallRule {
  used: number;
  /** Until a refused call would fit; undefined for one that was let in. */
  waitMs: number | undefined;
}

interface Family {
  limit: number;
  remaining: number;
  resetMs: number;
}

const families = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;
type FamilyName = (typeof families)[number];
const parts = ['limit', 'remaining', 'reset'] as const;

/** All that a response can have, in the spelling of both SDKs. */
export const limitHeaderNames: readonly string[] = [
  ...(['requests', 'tokens'] as const).flatMap((family) => parts.map((part) => `x-ratelimit-${part}-${family}`)),
  ...families.flatMap((family) => parts.map((part) => `anthropic-ratelimit-${family}-${part}`)),
];

/**
 * The tightest limits of a call, by the names that OpenAI's or Anthropic's SDKs know. A window slides: it is whole again when as much
 * time as it is long has passed without a call.
 */
export function limitHeaders(protocol: string, counted: readonly CountedRule[], nowSeconds: number): HeaderList {
  const isAnthropic = protocol === 'anthropic-messages';
  const headers: HeaderList = [];
  for (const name of families) {
    const family = tightest(counted.filter((rule) => belongsTo(rule, name, isAnthropic)));
    if (!family) continue;
    const { limit, remaining, resetMs } = family;
    if (isAnthropic) {
      const reset = `${new Date(nowSeconds * 1000 + resetMs).toISOString().slice(0, 19)}Z`;
      const prefix = `anthropic-ratelimit-${name}`;
      headers.push(`${prefix}-limit`, limit, `${prefix}-remaining`, remaining, `${prefix}-reset`, reset);
    } else {
      headers.push(`x-ratelimit-limit-${name}`, limit, `x-ratelimit-remaining-${name}`, remaining);
      headers.push(`x-ratelimit-reset-${name}`, duration(resetMs));
    }
  }
  return headers;
}

/** OpenAI knows tokens of one kind only. */
function belongsTo({ rule, limit }: CountedRule, name: FamilyName, isAnthropic: boolean): boolean {
  if (rule.kind !== 'window') return false;
  if (name === 'requests') return limit ? limit.measure === 'requests' : !rule.onlySuccess;
  if (!limit) return false;
  if (isAnthropic) return limit.measure === name.replace('-', '_');
  return name === 'tokens' && limit.measure.endsWith('tokens');
}

function tightest(rules: readonly CountedRule[]): Family | undefined {
  const found = rules.map(({ rule, used, waitMs }) => ({
    limit: rule.max,
    remaining: Math.max(0, rule.max - used),
    resetMs: waitMs ?? (rule.kind === 'window' ? rule.windowMs : 0),
  }));
  return found.reduce<Family | undefined>(
    (best, one) => (best && best.remaining <= one.remaining ? best : one),
    undefined,
  );
}

/** As OpenAI writes it: `6m0s`, `1s`, `120ms`. */
function duration(ms: number): string {
  if (ms < 1000) return `${Math.ceil(ms)}ms`;
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const parts = [hours > 0 && `${hours}h`, (hours > 0 || minutes > 0) && `${minutes}m`, `${seconds % 60}s`];
  return parts.filter(Boolean).join('');
}
