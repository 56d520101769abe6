import type { StreamContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import { type FoldedChoice, foldEvents, type ResponsePart } from '../../canonical/fold.ts';
import { isNoArguments } from '../../canonical/tool-arguments.ts';
import { emptyUsage } from '../../canonical/usage.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { writeOpaqueDetail, writeTextDetail } from './reasoning-detail.ts';
import { writeServiceTier, writeUsage } from './usage.ts';
import { responseId, writeAnnotation, writeCall, writeMedia, writeReason } from './write-delta.ts';

/** A whole chat.completion. */
export function writeChatResponse(events: readonly ChatEvent[], { identity }: StreamContext): JsonObject {
  const response = foldEvents(events);
  const id = responseId(response.id || identity.id);
  const created = response.created || identity.created;
  return {
    id,
    object: 'chat.completion',
    created,
    model: identity.model,
    choices: response.choices.map((choice) => writeChoice(choice, { id, created })),
    usage: writeUsage(response.usage ?? emptyUsage),
    ...writeServiceTier(response.usage ?? emptyUsage),
  };
}

function writeChoice({ index, parts, finish }: FoldedChoice, identity: { id: string; created: number }): JsonObject {
  const calls = parts.filter((part) => part.kind === 'toolCall');
  const text = textOf(parts, 'text');
  const refusal = textOf(parts, 'refusal') || (finish?.reason === 'filter' ? (finish.detail ?? '') : '');
  const annotations = writeAnnotations(parts);
  const isEmpty = text === '' && (calls.length > 0 || refusal !== '');
  return {
    index,
    message: {
      role: 'assistant',
      content: isEmpty ? null : text,
      refusal: refusal === '' ? null : refusal,
      ...writeReasoning(parts),
      ...(annotations.length > 0 && { annotations }),
      ...writeMediaParts(parts, identity),
      ...(calls.length > 0 && { tool_calls: calls.map((call) => writeCall(call, writeArguments(call))) }),
    },
    logprobs: writeLogprobs(parts),
    ...writeReason(finish?.reason ?? 'stop'),
  };
}

/** Clients parse the arguments, and nothing is not JSON. */
function writeArguments({ arguments: text, custom }: Extract<ResponsePart, { kind: 'toolCall' }>): string {
  return isNoArguments(text) && !custom ? '{}' : text;
}

function textOf(parts: readonly ResponsePart[], kind: 'text' | 'refusal' | 'reasoning'): string {
  return parts.map((part) => (part.kind === kind ? part.text : '')).join('');
}

function writeReasoning(parts: readonly ResponsePart[]): JsonObject {
  const text = textOf(parts, 'reasoning');
  // Signed texts follow the reasoning, each as an entry of its own.
  const thoughts = parts.filter((part) => part.kind === 'reasoning');
  const signed = parts.filter((part) => part.kind === 'text' && part.opaque);
  const details = [...thoughts, ...signed].flatMap((part, index) => [
    ...(part.kind === 'reasoning' && part.text !== '' ? [writeTextDetail(part.text, index)] : []),
    ...('opaque' in part && part.opaque ? [writeOpaqueDetail(part.opaque, index)] : []),
  ]);
  return {
    ...(text !== '' && { reasoning_content: text }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

function writeAnnotations(parts: readonly ResponsePart[]): JsonObject[] {
  let from = 0;
  return parts.flatMap((part) => {
    if (part.kind !== 'text') return [];
    const start = from;
    from += part.text.length;
    return part.citations
      .map((citation) => writeAnnotation(citation, start, from))
      .filter((note) => note !== undefined);
  });
}

function writeMediaParts(parts: readonly ResponsePart[], identity: { id: string; created: number }): JsonObject {
  const written = parts
    .filter((part) => part.kind === 'media')
    .map((part, index) => writeMedia(part, { ...identity, index }));
  const images = written.flatMap((media) => (Array.isArray(media.images) ? (media.images as unknown[]) : []));
  const sound = written.find((media) => media.audio !== undefined);
  return { ...(images.length > 0 && { images }), ...sound };
}

function writeLogprobs(parts: readonly ResponsePart[]): JsonObject | null {
  const of = (kind: 'text' | 'refusal') => {
    const entries = parts.flatMap((part) => (part.kind === kind ? part.logprobs : []));
    return entries.length === 0 ? null : entries;
  };
  const [content, refusal] = [of('text'), of('refusal')];
  return content || refusal ? { content, refusal } : null;
}
