import type { Citation, FinishReason } from '../../canonical/chat-event.ts';
import type { Opaque } from '../../canonical/chat-request.ts';
import type { ResponsePart } from '../../canonical/fold.ts';
import { wrapOpaque } from '../../canonical/opaque-text.ts';
import { writeDataUrl } from '../../lib/data-url.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';

export const protocolName = 'anthropic-messages';

/** The id of a response in this protocol's spelling. */
export function messageId(id: string): string {
  return id.startsWith('msg_') ? id : `msg_${id}`;
}

/** A signature of another vendor is wrapped, so that the client brings it back for that vendor. */
export function writeSignature(opaque: Opaque): string {
  return wrapOpaque(opaque, protocolName);
}

/** What the thinking block of some state looks like when it is whole. */
export function writeThinkingBlock(text: string, opaque: Opaque | undefined): JsonObject {
  if (opaque?.kind === 'redacted' && text === '') return { type: 'redacted_thinking', data: writeSignature(opaque) };
  return { type: 'thinking', thinking: text, signature: opaque ? writeSignature(opaque) : '' };
}

/** A call's signature goes into a thinking block of its own before the call; only Gemini signs calls. */
export function carriesSignature(part: { opaque?: Opaque }): part is { opaque: Opaque } {
  return part.opaque !== undefined && part.opaque.origin !== protocolName;
}

/** Anthropic has no pictures and no sound in responses: what a text can say of them. */
export function writeMediaText({ mime, data, transcript }: Extract<ResponsePart, { kind: 'media' }>): string {
  if (mime.startsWith('image/')) return `![image](${writeDataUrl({ mime, data })})`;
  return transcript ?? '';
}

/** Only a block of Anthropic's own means something here. */
export function writeNativeBlock({ origin, raw }: Extract<ResponsePart, { kind: 'native' }>): JsonObject | undefined {
  return origin === protocolName && isJsonObject(raw) ? raw : undefined;
}

export function writeCitation({ raw, url, title, text }: Citation): JsonObject | undefined {
  if (raw?.origin === protocolName && isJsonObject(raw.value)) return raw.value;
  if (url === undefined) return undefined;
  return { type: 'web_search_result_location', url, title: title ?? null, cited_text: text ?? '', encrypted_index: '' };
}

const stopReasons: Record<FinishReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool: 'tool_use',
  filter: 'refusal',
  pause: 'pause_turn',
};

export interface Finish {
  reason: FinishReason;
  stopSequence?: string;
  detail?: string;
}

/** `stop_reason` and what is beside it. A client waits for calls it is told of, so the word must fit the content. */
export function writeStop(finish: Finish | undefined, calledTool: boolean): JsonObject {
  const { reason, stopSequence, detail } = finish ?? { reason: 'stop' };
  if (reason === 'stop' || reason === 'tool') {
    const ended = stopSequence === undefined ? 'end_turn' : 'stop_sequence';
    return { stop_reason: calledTool ? 'tool_use' : ended, stop_sequence: stopSequence ?? null };
  }
  return {
    stop_reason: stopReasons[reason],
    stop_sequence: null,
    ...(reason === 'filter' && { stop_details: { type: 'refusal', category: null, explanation: detail ?? null } }),
  };
}
