import type { ServiceTier, Usage } from '../../canonical/usage.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { readCacheWrite } from './cache-write.ts';
import { readToolUse, writeToolUse } from './tool-use.ts';

/** Counts beyond this are not believed (M7): the call is counted instead. */
const maxCount = 10_000_000;

export interface UsageOptions {
  /** Embeddings report no completion; everywhere else a report without one is not sane. */
  hasCompletion: boolean;
}

/**
 * Usage of a whole response or of one stream event, wherever vendors put it: at the top, inside the choice (Moonshot), in
 * `x_groq`. Undefined when it is absent, not sane, or all counts are zero.
 */
export function readResponseUsage(
  response: unknown,
  options: UsageOptions = { hasCompletion: true },
): Usage | undefined {
  if (!isJsonObject(response)) return undefined;
  const given = usageObjectIn(response);
  const usage = given && readUsageObject(given, options);
  return usage && withCircumstances(usage, response);
}

function usageObjectIn({ usage, choices, x_groq }: JsonObject): JsonObject | undefined {
  if (isJsonObject(usage)) return usage;
  if (Array.isArray(choices)) {
    for (const choice of choices) {
      if (isJsonObject(choice) && isJsonObject(choice.usage)) return choice.usage;
    }
  }
  return isJsonObject(x_groq) && isJsonObject(x_groq.usage) ? x_groq.usage : undefined;
}

/** What a response says of its price outside its usage: the tier that served it, and models that search before every response. */
function withCircumstances(usage: Usage, { service_tier, model }: JsonObject): Usage {
  if (service_tier !== undefined) {
    const tier = readServiceTier(service_tier);
    if (tier) usage.serviceTiers = [tier];
  }
  if (typeof model === 'string' && model.includes('-search-')) {
    if (/^gpt-4o.*-search-preview/.test(model)) usage.serverTools = { web_search_preview: 1 };
    else if (/^gpt-5.*-search-api/.test(model)) usage.serverTools = { web_search: 1 };
  }
  return usage;
}

const openaiTiers = ['flex', 'priority', 'batch', 'ultrafast'] as const;

/** The tier that served a call, when it has a price of its own. */
export function readServiceTier(given: unknown): ServiceTier | undefined {
  return openaiTiers.find((tier) => tier === given);
}

/** Every spelling of the family and of its look-alikes, brought to the OpenAI way of counting: details are parts of the whole. */
export function readUsageObject(usage: JsonObject, { hasCompletion }: UsageOptions): Usage | undefined {
  // Seconds of sound are not tokens (the other half of the transcription union).
  if (usage.type === 'duration') return undefined;
  const promptName = usage.prompt_tokens ?? usage.input_tokens;
  const completionName = usage.completion_tokens ?? usage.output_tokens;
  const total = count(usage.total_tokens);
  const given = {
    prompt: promptName ?? (hasCompletion ? difference(total, completionName) : total),
    completion: completionName ?? (hasCompletion ? difference(total, promptName) : 0),
  };
  const reportedPrompt = count(given.prompt);
  const reportedCompletion = count(given.completion);
  if (reportedPrompt === undefined || reportedCompletion === undefined) return undefined;

  const promptDetails = firstObject(
    usage.prompt_tokens_details,
    usage.prompt_token_details,
    usage.input_tokens_details,
    usage.input_token_details,
  );
  const completionDetails = firstObject(
    usage.completion_tokens_details,
    usage.completion_token_details,
    usage.output_tokens_details,
    usage.output_token_details,
  );
  const cachedRead = firstCount(
    promptDetails.cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.cached_tokens,
    usage.num_cached_tokens,
    usage.cache_read_input_tokens,
  );
  const written = readCacheWrite(usage, promptDetails, reportedPrompt - cachedRead);
  const cacheWrite = written.all;
  const reasoning = firstCount(completionDetails.reasoning_tokens, usage.reasoning_tokens);
  // Anthropic counts cached tokens beside the input; a reseller that reports more cached than prompt does the same.
  const isExclusive =
    (usage.prompt_tokens === undefined && isAnthropic(usage)) || cachedRead + cacheWrite > reportedPrompt;
  const prompt = isExclusive ? reportedPrompt + cachedRead + cacheWrite : reportedPrompt;
  // xAI leaves reasoning out of the completion; only the total shows it.
  const isBeside = reasoning > 0 && total === reportedPrompt + reportedCompletion + reasoning;
  const completion = isBeside ? reportedCompletion + reasoning : reportedCompletion;

  if (prompt > maxCount || completion > maxCount || prompt + completion === 0) return undefined;
  const result: Usage = {
    prompt,
    completion,
    cachedRead,
    cacheWrite,
    reasoning: Math.min(reasoning, completion),
    // Parts never add up to more than the whole, or a price would charge a token twice.
    audioInput: Math.min(firstCount(promptDetails.audio_tokens), prompt - cachedRead - cacheWrite),
    audioOutput: Math.min(firstCount(completionDetails.audio_tokens), completion),
  };
  const imageInput = firstCount(promptDetails.image_tokens);
  const imageOutput = firstCount(completionDetails.image_tokens);
  if (written.hour > 0) result.cacheWriteHour = written.hour;
  if (imageInput > 0) result.imageInput = Math.min(imageInput, prompt - cachedRead - cacheWrite - result.audioInput);
  if (imageOutput > 0) result.imageOutput = Math.min(imageOutput, completion - result.audioOutput);
  const tools = readToolUse(usage, !isBeside);
  if (tools) result.serverTools = tools;
  return result;
}

/** Usage as the OpenAI family writes it, for responses that we complete. */
export function writeUsage(usage: Usage): Record<string, unknown> {
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: {
      cached_tokens: usage.cachedRead,
      cache_write_tokens: usage.cacheWrite,
      audio_tokens: usage.audioInput,
      ...(usage.imageInput && { image_tokens: usage.imageInput }),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.audioOutput,
      ...(usage.imageOutput && { image_tokens: usage.imageOutput }),
    },
    ...writeUsageExtras(usage),
  };
}

/** Fields OpenAI has none of its own for, spelled as resellers do, so that the next gateway bills the same. */
export function writeUsageExtras({ cacheWrite, cacheWriteHour, serverTools }: Usage): Record<string, unknown> {
  return {
    ...(cacheWriteHour && {
      claude_cache_creation_5_m_tokens: cacheWrite - cacheWriteHour,
      claude_cache_creation_1_h_tokens: cacheWriteHour,
    }),
    ...writeToolUse(serverTools),
  };
}

/** The tier beside the usage; empty for the standard one. */
export function writeServiceTier({ serviceTiers = [] }: Usage): Record<string, unknown> {
  const tier = serviceTiers.find((name) => readServiceTier(name));
  return tier ? { service_tier: tier } : {};
}

const none: JsonObject = {};

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxCount
    ? // -0 is an integer too, and would print as such.
      value + 0
    : undefined;
}

function firstCount(...values: unknown[]): number {
  for (const value of values) {
    const read = count(value);
    if (read !== undefined) return read;
  }
  return 0;
}

function firstObject(...values: unknown[]): JsonObject {
  for (const value of values) if (isJsonObject(value)) return value;
  return none;
}

/** `undefined` when the total does not tell: a side that is missing beside an unusable total cannot be known. */
function difference(total: number | undefined, known: unknown): number | undefined {
  const part = count(known);
  return total !== undefined && part !== undefined && total >= part ? total - part : undefined;
}

function isAnthropic(usage: JsonObject): boolean {
  return usage.cache_read_input_tokens !== undefined || usage.cache_creation_input_tokens !== undefined;
}
