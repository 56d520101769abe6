import type { ServiceTier, Usage } from '../../canonical/usage.ts';
import { countOf, type JsonObject, recordOf, textOf } from '../../lib/json-value.ts';

/** Counts beyond this are not believed: the call is counted instead. */
const maxCount = 10_000_000;

/** Anthropic's counts as they come, from the start of a stream and its end; missing ones are undefined. */
interface Counts {
  input?: number;
  read?: number;
  write?: number;
  writeHour?: number;
  output?: number;
  thinking?: number;
  searches?: number;
}

/**
 * Collects usage over a stream: every report is cumulative, so it replaces what was known, except that nothing (null, or a zero
 * from a proxy that did not count) never replaces something.
 */
export class UsageCollector {
  readonly #counts: Counts = {};
  readonly #tiers = new Set<ServiceTier>();

  add(usage: unknown): void {
    for (const tier of readTiers(recordOf(usage))) this.#tiers.add(tier);
    for (const [key, value] of Object.entries(readCounts(recordOf(usage))) as [keyof Counts, number | undefined][]) {
      if (value !== undefined && (value > 0 || this.#counts[key] === undefined)) this.#counts[key] = value;
    }
  }

  /** Undefined while it is absent or not sane. */
  total(): Usage | undefined {
    const { input = 0, read = 0, write = 0, writeHour = 0, output = 0, thinking = 0, searches = 0 } = this.#counts;
    // Anthropic counts cached tokens beside the input.
    const prompt = input + read + write;
    if (prompt + output === 0 || prompt > maxCount || output > maxCount) return undefined;
    return {
      prompt,
      completion: output,
      cachedRead: read,
      cacheWrite: write,
      reasoning: Math.min(thinking, output),
      audioInput: 0,
      audioOutput: 0,
      ...(writeHour > 0 && { cacheWriteHour: Math.min(writeHour, write) }),
      ...(searches > 0 && { serverTools: { web_search: searches } }),
      ...(this.#tiers.size > 0 && { serviceTiers: [...this.#tiers] }),
    };
  }
}

/** Speed and place have prices of their own beside the tier. */
function readTiers({ service_tier, speed, inference_geo }: JsonObject): ServiceTier[] {
  const tier = textOf(service_tier);
  return [
    ...(tier === 'batch' || tier === 'priority' ? [tier as ServiceTier] : []),
    ...(speed === 'fast' ? ['fast' as const] : []),
    ...(inference_geo === 'us' ? ['us' as const] : []),
  ];
}

function readCounts(usage: JsonObject): Counts {
  const split = recordOf(usage.cache_creation);
  const [minutes, hour] = [countOf(split.ephemeral_5m_input_tokens), countOf(split.ephemeral_1h_input_tokens)];
  const sum = minutes === undefined && hour === undefined ? undefined : (minutes ?? 0) + (hour ?? 0);
  return {
    input: countOf(usage.input_tokens),
    read: countOf(usage.cache_read_input_tokens),
    write: countOf(usage.cache_creation_input_tokens) ?? sum,
    writeHour: hour,
    output: countOf(usage.output_tokens),
    thinking: countOf(recordOf(usage.output_tokens_details).thinking_tokens),
    searches: countOf(recordOf(usage.server_tool_use).web_search_requests),
  };
}
