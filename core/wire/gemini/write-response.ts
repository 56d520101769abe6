import type { StreamContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent, Citation, FinishReason } from '../../canonical/chat-event.ts';
import { type FoldedChoice, foldEvents, type ResponsePart } from '../../canonical/fold.ts';
import { writeLogprobsResult } from '../../canonical/logprob.ts';
import { wrapOpaque } from '../../canonical/opaque-text.ts';
import { argumentObjectOrWrapped } from '../../canonical/tool-arguments.ts';
import { emptyUsage, type Usage } from '../../canonical/usage.ts';
import type { JsonObject } from '../../lib/json-value.ts';

/** This protocol has no reason for tool calls: they are seen in the parts. */
const finishReasons: Record<FinishReason, string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool: 'STOP',
  filter: 'SAFETY',
  pause: 'STOP',
};

export function writeGeminiResponse(events: readonly ChatEvent[], { identity }: StreamContext): JsonObject {
  const { choices, usage = emptyUsage } = foldEvents(events);
  return {
    candidates: choices.map(writeCandidate),
    usageMetadata: writeUsageMetadata(usage),
    modelVersion: identity.model,
    responseId: identity.id,
  };
}

function writeCandidate({ index, parts, finish }: FoldedChoice): JsonObject {
  const written = parts.flatMap(writePart);
  const citations = parts.flatMap((part) => (part.kind === 'text' ? part.citations : []));
  const logprobs = parts.flatMap((part) => ('logprobs' in part ? part.logprobs : []));
  return {
    content: { role: 'model', parts: written.length > 0 ? written : [{ text: '' }] },
    finishReason: finishReasons[finish?.reason ?? 'stop'],
    ...(finish?.detail !== undefined && { finishMessage: finish.detail }),
    index,
    ...writeCitations(citations),
    ...(logprobs.length > 0 && { logprobsResult: writeLogprobsResult(logprobs) }),
  };
}

function writePart(part: ResponsePart): JsonObject[] {
  switch (part.kind) {
    case 'text':
      return [{ text: part.text, ...signatureOf(part) }];
    case 'refusal':
      return [{ text: part.text }];
    case 'reasoning':
      return [{ text: part.text, thought: true, ...signatureOf(part) }];
    case 'toolCall':
      return [writeCall(part)];
    case 'media':
      return [{ inlineData: { mimeType: part.mime, data: part.data } }];
    case 'native':
      return part.origin === 'gemini' ? [part.raw as JsonObject] : [];
  }
}

export function writeCall(
  part: Pick<Extract<ResponsePart, { kind: 'toolCall' }>, 'id' | 'name' | 'arguments' | 'opaque'>,
): JsonObject {
  const args = argumentObjectOrWrapped(part.arguments);
  return { functionCall: { id: part.id, name: part.name, args }, ...signatureOf(part) };
}

export function signatureOf({ opaque }: { opaque?: Parameters<typeof wrapOpaque>[0] }): JsonObject {
  return opaque ? { thoughtSignature: wrapOpaque(opaque, 'gemini') } : {};
}

/**
 * Pages that a response cites: as a search of Google's own shows them, and in the list that the Gemini API and Vertex AI name
 * differently. Each SDK reads one of these only.
 */
export function writeCitations(given: Citation[]): JsonObject {
  const cited = given.filter(({ url }) => url);
  if (cited.length === 0) return {};
  const citations = cited.map(({ start, end, url, title }) => ({
    startIndex: start,
    endIndex: end,
    uri: url,
    title,
  }));
  const pages = new Map(cited.map(({ url, title }) => [url, title]));
  return {
    citationMetadata: { citationSources: citations, citations },
    groundingMetadata: { groundingChunks: [...pages].map(([uri, title]) => ({ web: { uri, title } })) },
  };
}

export function writeFinish(reason: FinishReason): string {
  return finishReasons[reason];
}

/** Thoughts are beside the candidates here, not among them. */
export function writeUsageMetadata(usage: Usage): JsonObject {
  return {
    promptTokenCount: usage.prompt,
    candidatesTokenCount: usage.completion - usage.reasoning,
    totalTokenCount: usage.prompt + usage.completion,
    ...(usage.cachedRead > 0 && { cachedContentTokenCount: usage.cachedRead }),
    ...(usage.reasoning > 0 && { thoughtsTokenCount: usage.reasoning }),
    ...modalities('promptTokensDetails', usage.prompt, usage.audioInput, usage.imageInput),
    ...modalities('candidatesTokensDetails', usage.completion - usage.reasoning, usage.audioOutput, usage.imageOutput),
    ...trafficOf(usage),
  };
}

/** Told when something else than text was counted. */
function modalities(name: string, all: number, audio: number, image = 0): JsonObject {
  if (audio + image === 0) return {};
  const counts = { TEXT: Math.max(all - audio - image, 0), AUDIO: audio, IMAGE: image };
  const entries = Object.entries(counts).filter(([, tokenCount]) => tokenCount > 0);
  return { [name]: entries.map(([modality, tokenCount]) => ({ modality, tokenCount })) };
}

function trafficOf({ serviceTiers = [] }: Usage): JsonObject {
  if (serviceTiers.includes('priority')) return { trafficType: 'ON_DEMAND_PRIORITY' };
  return serviceTiers.includes('flex') ? { trafficType: 'ON_DEMAND_FLEX' } : {};
}
