import { estimateTokens } from '../../billing/count-tokens.ts';
import { imageFactor } from '../../billing/default-ratios.ts';
import { listRatiosFor } from '../../billing/list-price.ts';
import type { PreparedRates, PriceExtras, Rates } from '../../billing/price.ts';
import type { RelayRequest } from '../../canonical/request.ts';
import { emptyUsage, type ServerTool, type ServerToolUse, type Usage, withTool } from '../../canonical/usage.ts';
import type { Protocol } from '../../wire/protocol.ts';

/** What the relay knows of a body's size before tokens are counted. */
export interface PromptMeasure {
  promptBytes: number;
  mediaParts: number;
  /** Length of the audio that was sent, measured, never as claimed. */
  audioSeconds?: number;
  /** In a format that is not read here, so that the length is guessed from the size. */
  isLengthGuessed?: boolean;
}

/** A picture of unknown size (the high-detail rule for 1024 x 1024 gives 765). */
const tokensPerMedia = 765;
/** 0.006 US dollars a minute at whisper-1's ratio of 15 is 200 tokens a minute. */
const tokensPerAudioMinute = 200;
/** Of models sold by tokens, which write about 200 tokens a minute, too. */
const tokensPerHeardSecond = 10;
/** One token is 50 ms. */
const tokensPerSpokenSecond = 20;
const tokensPerChunk = 500;

/** Usage to take in advance: the prompt by its size, the completion by max_tokens or else the option PreConsumedQuota. */
export function estimateUsage(
  protocol: Protocol,
  request: RelayRequest,
  measure: PromptMeasure,
  assumedCompletion: number,
  rates: Rates,
): Usage {
  const measured = measuredUsage(request, measure, rates);
  if (measured) return measured;
  const prompt = estimateTokens(measure.promptBytes) + measure.mediaParts * tokensPerMedia;
  const asked = request.maxCompletion ?? assumedCompletion;
  // Some vendors think beyond the bound of the response.
  const completion = respondsInText(protocol) ? Math.max(asked, request.thinking ?? 0) : 0;
  return { ...emptyUsage, prompt, completion };
}

/** Usage that needs no upstream to tell: characters spoken, minutes heard. */
export function measuredUsage(request: RelayRequest, measure: PromptMeasure, rates: Rates): Usage | undefined {
  const { characters, spokenSeconds } = request.units;
  if (spokenSeconds !== undefined && isSoldByTokens(request.model, rates)) {
    const sound = Math.ceil(spokenSeconds * tokensPerSpokenSecond);
    // What a price of the operator says of output is all that it says of sound.
    const audioOutput = rates.source === 'list' ? sound : 0;
    return { ...emptyUsage, prompt: estimateTokens(measure.promptBytes), completion: sound, audioOutput };
  }
  if (characters !== undefined) return { ...emptyUsage, prompt: characters };
  if (measure.audioSeconds !== undefined) return heardUsage(request.model, measure.audioSeconds, rates);
  return undefined;
}

/** Speech that a model wrote down. */
export function heardUsage(model: string, seconds: number, rates: Rates): Usage {
  const text = Math.ceil((seconds * tokensPerAudioMinute) / 60);
  if (!isSoldByTokens(model, rates)) return { ...emptyUsage, prompt: text };
  const sound = Math.ceil(seconds * tokensPerHeardSecond);
  return { ...emptyUsage, prompt: sound, audioInput: sound, completion: text };
}

/** Deep research searches and reads without a bound: about what one call takes. */
const researchUse: ServerToolUse = { search_query: 30, citation_token: 50_000, reasoning_token: 200_000 };

/** How far a price of output may be from the vendor's to be one of tokens. */
const maxListFactor = 3;

/**
 * Its text is cheap and its sound is not: a vendor's price of tokens, taken for one of characters, would be a small part of the cost.
 * A price of characters has no output that costs more; one with about the vendor's price of output is one of tokens, whether a sync
 * or the operator entered it.
 */
function isSoldByTokens(model: string, { kind, source, modelRatio, completionRatio }: Rates): boolean {
  if (kind !== 'ratio' || completionRatio <= 1) return false;
  if (source !== 'operator') return source === 'list';
  const list = listRatiosFor(model);
  if (!list?.completionRatio || list.completionRatio <= 1) return false;
  const share = (modelRatio * completionRatio) / (list.modelRatio * list.completionRatio);
  return share >= 1 / maxListFactor && share <= maxListFactor;
}

/** Searches that a model makes for every response, or that the call asks for, as far as they have a price. */
export function estimateTools({ units: { search = {} } }: RelayRequest, rates: Rates): ServerToolUse | undefined {
  const { toolPrices } = rates;
  if (!toolPrices) return undefined;
  const priced = (tool: ServerTool, count = 0) => (toolPrices[tool] === undefined ? 0 : count);
  const context: ServerTool = `search_${search.context ?? 'low'}`;
  let uses = withTool(undefined, context, priced(context, 1));
  uses = withTool(uses, 'search_pro', priced('search_pro', search.isPro ? 1 : 0));
  uses = withTool(uses, 'search_source', priced('search_source', search.sources));
  if (toolPrices.citation_token === undefined) return uses;
  for (const [tool, count] of Object.entries(researchUse)) {
    uses = withTool(uses, tool as ServerTool, priced(tool as ServerTool, count));
  }
  return uses;
}

/** What a fixed price is paid for: pictures, by size and quality, or searches. */
export function unitExtras({ model, units: { images, documents } }: RelayRequest, measure: PromptMeasure): PriceExtras {
  if (images) return { calls: images.count, imageFactor: imageFactor(model, images.size, images.quality) };
  return documents === undefined ? {} : { calls: maxSearches(documents, estimateTokens(measure.promptBytes)) };
}

/** As Cohere counts, which sells by them: one for every 100 documents, and a long document is several. */
function maxSearches(documents: number, tokens: number): number {
  return Math.ceil(Math.max(documents, tokens / tokensPerChunk) / 100);
}

/** Quota per token as a plain number: for watching a stream run, never for a bill. */
export function roughTokenPrice(prepared: PreparedRates, promptTokens = 0): { prompt: number; completion: number } {
  if (prepared.kind === 'price') return { prompt: 0, completion: 0 };
  const { unit, perToken, longAbove, rates } = prepared;
  const long = promptTokens > longAbove ? rates.longPrompt : undefined;
  return {
    prompt: (Number(perToken.prompt) / Number(unit)) * (long?.prompt ?? 1),
    completion: (Number(perToken.completion) / Number(unit)) * (long?.completion ?? 1),
  };
}

/** Protocols whose responses are words, paid as completion. */
export function respondsInText({ name, chat }: Protocol): boolean {
  return chat !== undefined || name === 'openai-completion';
}
