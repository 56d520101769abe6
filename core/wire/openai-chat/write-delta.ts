import type { Citation, FinishReason } from '../../canonical/chat-event.ts';
import type { Opaque } from '../../canonical/chat-request.ts';
import { writeDataUrl } from '../../lib/data-url.ts';
import type { JsonObject } from '../../lib/json-value.ts';

const finishReasons: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  tool: 'tool_calls',
  filter: 'content_filter',
  // The client calls again with what it has got; `stop_reason` beside it says why.
  pause: 'stop',
};

export function writeReason(reason: FinishReason): JsonObject {
  return { finish_reason: finishReasons[reason], ...(reason === 'pause' && { stop_reason: 'pause_turn' }) };
}

/** The id of a response in this protocol's spelling. */
export function responseId(id: string): string {
  return id.startsWith('chatcmpl-') ? id : `chatcmpl-${id}`;
}

/** A cited page; passages of documents the client sent have no address, and no place here. `from` and `to` are places in the content. */
export function writeAnnotation(
  { url, title, start, end, raw }: Citation,
  from: number,
  to: number,
): JsonObject | undefined {
  if (url === undefined) return undefined;
  // Of its own protocol a place is one in the content already.
  const offset = raw?.origin === 'openai-chat' ? 0 : from;
  const place = (own: number | undefined, otherwise: number) => (own === undefined ? otherwise : offset + own);
  return {
    type: 'url_citation',
    url_citation: { url, title: title ?? url, start_index: place(start, from), end_index: place(end, to) },
  };
}

/** A function or custom call without its `index`. */
export function writeCall(
  call: { id: string; name: string; custom?: boolean; opaque?: Opaque },
  text: string,
): JsonObject {
  const { id, name, custom, opaque } = call;
  if (custom) return { id, type: 'custom', custom: { name, input: text } };
  // Where Google's own compatible interface has it, so that its clients bring it back.
  const isSigned = opaque?.origin === 'gemini';
  return {
    id,
    type: 'function',
    function: { name, arguments: text },
    ...(isSigned && { extra_content: { google: { thought_signature: opaque.value } } }),
  };
}

/** A picture as OpenRouter has it; a sound as OpenAI has it, without a place where it could be fetched again. */
export function writeMedia(
  media: { mime: string; data: string; transcript?: string },
  { id, created, index }: { id: string; created: number; index: number },
): JsonObject {
  const { mime, data, transcript } = media;
  if (mime.startsWith('audio/'))
    return { audio: { id: `audio_${id}_${index}`, data, transcript: transcript ?? '', expires_at: created } };
  return { images: [{ type: 'image_url', index, image_url: { url: writeDataUrl(media) } }] };
}
