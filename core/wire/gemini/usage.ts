import { type ServerToolUse, type ServiceTier, type Usage, withTool } from '../../canonical/usage.ts';
import { countOf, isJsonObject, type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';

const maxCount = 10_000_000;
/** Members that count by kind: text, sound, pictures. */
const detailSides = [
  'promptTokensDetails',
  'cacheTokensDetails',
  'toolUsePromptTokensDetails',
  'candidatesTokensDetails',
] as const;

/** Counts of one response; early chunks of a stream contain a part of them, so the largest of each counts. */
export class UsageMetadata {
  readonly #counts: Record<string, number> = {};
  readonly #queries = new Set<string>();
  readonly #grounded = new Set<'search' | 'maps'>();
  #tier: ServiceTier | undefined;
  #isSeen = false;

  add(metadata: unknown): void {
    if (!isJsonObject(metadata)) return;
    this.#tier = tierOf(metadata) ?? this.#tier;
    for (const [name, value] of Object.entries(metadata)) {
      const count = Array.isArray(value) ? undefined : countOf(value);
      if (count !== undefined) this.#keep(name, count);
    }
    for (const side of detailSides) {
      for (const { modality, tokenCount } of recordsOf(metadata[side])) {
        const count = countOf(tokenCount);
        if (typeof modality === 'string' && count !== undefined) this.#keep(`${side}.${modality}`, count);
      }
    }
  }

  /** Searches behind a candidate's response; the last chunks repeat them. */
  ground({ groundingMetadata }: JsonObject): void {
    const { webSearchQueries, imageSearchQueries, groundingChunks } = recordOf(groundingMetadata);
    for (const query of [webSearchQueries, imageSearchQueries].flat()) {
      if (typeof query === 'string' && query !== '') this.#queries.add(query);
    }
    for (const chunk of recordsOf(groundingChunks)) {
      if (isJsonObject(chunk.web) || isJsonObject(chunk.image)) this.#grounded.add('search');
      if (isJsonObject(chunk.maps)) this.#grounded.add('maps');
    }
  }

  /** Before Gemini 3 a response that searched is paid once, since then every query is. */
  #tools(model: string): ServerToolUse | undefined {
    const isByResponse = /gemini-[12]\b/.test(model);
    const searched = this.#queries.size > 0 || this.#grounded.has('search') ? 1 : 0;
    const maps = withTool(undefined, 'google_maps', this.#grounded.has('maps') ? 1 : 0);
    return isByResponse
      ? withTool(maps, 'google_search_answer', searched)
      : withTool(maps, 'google_search', Math.max(this.#queries.size, searched));
  }

  #keep(name: string, count: number): void {
    this.#isSeen = true;
    this.#counts[name] = Math.max(this.#counts[name] ?? 0, count);
  }

  /** Undefined when they are absent or not sane. */
  read(model: string): Usage | undefined {
    if (!this.#isSeen) return undefined;
    const { promptTokenCount = 0, toolUsePromptTokenCount = 0, thoughtsTokenCount = 0 } = this.#counts;
    const { cachedContentTokenCount = 0, totalTokenCount = 0, candidatesTokenCount } = this.#counts;
    const prompt = promptTokenCount + toolUsePromptTokenCount;
    const candidates = candidatesTokenCount ?? Math.max(0, totalTokenCount - prompt - thoughtsTokenCount);
    // Some models on Vertex count thoughts among the candidates; the total tells.
    const isInside = thoughtsTokenCount > 0 && prompt + candidates === totalTokenCount;
    const completion = isInside ? candidates : candidates + thoughtsTokenCount;
    if (prompt > maxCount || completion > maxCount || prompt + completion === 0) return undefined;
    const cachedRead = Math.min(cachedContentTokenCount, prompt);
    const audioInput = Math.min(this.#given('AUDIO'), prompt - cachedRead);
    const audioOutput = Math.min(this.#counts['candidatesTokensDetails.AUDIO'] ?? 0, completion);
    const usage: Usage = {
      prompt,
      completion,
      cachedRead,
      cacheWrite: 0,
      audioInput,
      audioOutput,
      reasoning: Math.min(thoughtsTokenCount, completion),
    };
    const imageInput = this.#given('IMAGE');
    const imageOutput = this.#counts['candidatesTokensDetails.IMAGE'] ?? 0;
    if (imageInput > 0) usage.imageInput = Math.min(imageInput, prompt - cachedRead - audioInput);
    if (imageOutput > 0) usage.imageOutput = Math.min(imageOutput, completion - audioOutput);
    const tools = this.#tools(model);
    if (tools) usage.serverTools = tools;
    if (this.#tier) usage.serviceTiers = [this.#tier];
    return usage;
  }

  /** Tokens of a kind in the prompt, and in what tools put into it, without those from the cache: those have a price of their own. */
  #given(modality: string): number {
    const of = (side: (typeof detailSides)[number]) => this.#counts[`${side}.${modality}`] ?? 0;
    return Math.max(0, of('promptTokensDetails') + of('toolUsePromptTokensDetails') - of('cacheTokensDetails'));
  }
}

/** AI Studio names the tier, Vertex the kind of traffic. */
function tierOf({ serviceTier, trafficType }: JsonObject): ServiceTier | undefined {
  const name = String(serviceTier ?? trafficType ?? '').toLowerCase();
  if (name === 'flex' || name === 'on_demand_flex') return 'flex';
  return name === 'priority' || name === 'on_demand_priority' ? 'priority' : undefined;
}
