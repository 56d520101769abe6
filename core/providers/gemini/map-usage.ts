import type { Usage } from '../../canonical/usage.ts';
import { countOf, isRecord, recordsOf } from '../../lib/json-value.ts';

const maximumCount = 10_000_000;

/** Counts of one answer; early chunks of a stream hold a part of them, so the largest of each counts. */
export class UsageMetadata {
  readonly #counts: Record<string, number> = {};
  #isSeen = false;

  add(metadata: unknown): void {
    if (!isRecord(metadata)) return;
    for (const [name, value] of Object.entries(metadata)) {
      const count = Array.isArray(value) ? undefined : countOf(value);
      if (count !== undefined) this.#keep(name, count);
    }
    for (const side of ['promptTokensDetails', 'candidatesTokensDetails']) {
      for (const { modality, tokenCount } of recordsOf(metadata[side])) {
        const count = countOf(tokenCount);
        if (typeof modality === 'string' && count !== undefined) this.#keep(`${side}.${modality}`, count);
      }
    }
  }

  #keep(name: string, count: number): void {
    this.#isSeen = true;
    this.#counts[name] = Math.max(this.#counts[name] ?? 0, count);
  }

  /** Undefined when there are none, or they are not sane. */
  read(): Usage | undefined {
    if (!this.#isSeen) return undefined;
    const { promptTokenCount = 0, toolUsePromptTokenCount = 0, thoughtsTokenCount = 0 } = this.#counts;
    const { cachedContentTokenCount = 0, totalTokenCount = 0, candidatesTokenCount } = this.#counts;
    const prompt = promptTokenCount + toolUsePromptTokenCount;
    const candidates = candidatesTokenCount ?? Math.max(0, totalTokenCount - prompt - thoughtsTokenCount);
    // Some models on Vertex count thoughts among the candidates; the total tells.
    const isInside = thoughtsTokenCount > 0 && prompt + candidates === totalTokenCount;
    const completion = isInside ? candidates : candidates + thoughtsTokenCount;
    if (prompt > maximumCount || completion > maximumCount || prompt + completion === 0) return undefined;
    const cachedRead = Math.min(cachedContentTokenCount, prompt);
    const audioInput = Math.min(this.#counts['promptTokensDetails.AUDIO'] ?? 0, prompt - cachedRead);
    const audioOutput = Math.min(this.#counts['candidatesTokensDetails.AUDIO'] ?? 0, completion);
    const usage: Usage = {
      ...{ prompt, completion, cachedRead, cacheWrite: 0, audioInput, audioOutput },
      reasoning: Math.min(thoughtsTokenCount, completion),
    };
    const imageInput = this.#counts['promptTokensDetails.IMAGE'] ?? 0;
    const imageOutput = this.#counts['candidatesTokensDetails.IMAGE'] ?? 0;
    if (imageInput > 0) usage.imageInput = Math.min(imageInput, prompt - cachedRead - audioInput);
    if (imageOutput > 0) usage.imageOutput = Math.min(imageOutput, completion - audioOutput);
    return usage;
  }
}
