import { countOf, isJsonObject, type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';

export interface CacheWrite {
  all: number;
  /** The part that is kept for an hour, which has a higher price. */
  hour: number;
}

/** What of the prompt was put into the cache, in every spelling of the family; `room` is the prompt that was not read from it. */
export function readCacheWrite(usage: JsonObject, details: JsonObject, room: number): CacheWrite {
  const hour = firstCount(
    usage.claude_cache_creation_1_h_tokens,
    ...[details.cache_creation, details.cache_creation_token_details, usage.cache_creation].map(hourOf),
  );
  const told = firstCount(
    details.cache_write_tokens,
    details.cache_creation_tokens,
    usage.cache_creation_input_tokens,
    sum(usage.claude_cache_creation_5_m_tokens, usage.claude_cache_creation_1_h_tokens),
  );
  const all = told ?? (readQwenWrite(details, room) || readQwenSteps(usage, room));
  return { all, hour: Math.min(hour ?? 0, all) };
}

/** Alibaba tells it among the details; some resellers repeat there what was read, which is more than the prompt has room for. */
function readQwenWrite(details: JsonObject, room: number): number {
  const { cache_creation: split, cache_creation_input_tokens: written } = details;
  const parts = isJsonObject(split) ? sum(split.ephemeral_5m_input_tokens, split.ephemeral_1h_input_tokens) : undefined;
  const count = firstCount(written, recordOf(split).cache_creation_input_tokens, parts) ?? 0;
  return count <= room ? count : 0;
}

/** Its Responses API tells it for each step of a response. */
function readQwenSteps({ x_details: steps }: JsonObject, room: number): number {
  const written = recordsOf(steps).map((step) => readQwenWrite(recordOf(step.prompt_tokens_details), room));
  const all = written.reduce((total, one) => total + one, 0);
  return all <= room ? all : 0;
}

function hourOf(split: unknown): unknown {
  return recordOf(split).ephemeral_1h_input_tokens;
}

/** Counts beyond this are not believed. */
const maxCount = 10_000_000;

function firstCount(...values: unknown[]): number | undefined {
  const found = values.map(countOf).find((count) => count !== undefined && count <= maxCount);
  // -0 is an integer too, and would print as such.
  return found === undefined ? undefined : found + 0;
}

function sum(left: unknown, right: unknown): number | undefined {
  return left === undefined && right === undefined ? undefined : (firstCount(left) ?? 0) + (firstCount(right) ?? 0);
}
