import type { ServiceTier, Usage } from '../../canonical/usage.ts';
import { countOf, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';

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
  #compactions: Counts[] = [];

  add(usage: unknown): void {
    const given = recordOf(usage);
    for (const tier of readTiers(given)) this.#tiers.add(tier);
    for (const [key, value] of Object.entries(readCounts(given)) as [keyof Counts, number | undefined][]) {
      if (value !== undefined && (value > 0 || this.#counts[key] === undefined)) this.#counts[key] = value;
    }
    const compactions = readCompactions(given);
    if (compactions.length > 0) this.#compactions = compactions;
  }

  /** Undefined while it is absent or not sane; 0 for a side that was not told. */
  total(): Usage | undefined {
    const { thinking = 0, searches = 0 } = this.#counts;
    // What was cached is counted beside the input: without that it is not the prompt.
    const isPrompt = this.#counts.input !== undefined;
    const [input, read, write] = isPrompt ? [this.#sum('input'), this.#sum('read'), this.#sum('write')] : [0, 0, 0];
    const [writeHour, output] = [this.#sum('writeHour'), this.#sum('output')];
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

  #sum(key: keyof Counts): number {
    return this.#compactions.reduce((sum, counts) => sum + (counts[key] ?? 0), this.#counts[key] ?? 0);
  }
}

/** The passes that summed up a conversation grown too long: Anthropic bills them, and leaves them out of the counts at the top. */
function readCompactions({ iterations }: JsonObject): Counts[] {
  return recordsOf(iterations)
    .filter(({ type }) => type === 'compaction')
    .map(readCounts);
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
