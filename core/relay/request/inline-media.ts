import type { ChatRequest, MediaSource, Part } from '../../canonical/chat-request.ts';
import type { CallMedia } from './call-media.ts';

/** Addresses a call names its pictures and files by, in their order. */
export function mediaAddresses({ messages }: ChatRequest): string[] {
  const found: string[] = [];
  for (const { parts } of messages) {
    eachSource(parts, (source) => {
      if (source.type === 'url') found.push(source.url);
    });
  }
  return found;
}

/** The call with what `isWanted` of its addresses names in it. Throws AppError (`request.media...`, `limit.unpaidMedia`). */
export async function inlineMedia(
  request: ChatRequest,
  isWanted: (url: string) => boolean,
  media: CallMedia,
): Promise<ChatRequest> {
  const urls = [...new Set(mediaAddresses(request).filter(isWanted))];
  if (urls.length === 0) return request;
  await media.fetch(urls);
  const inline = (source: MediaSource): MediaSource =>
    (source.type === 'url' ? media.sourceOf(source.url) : undefined) ?? source;
  return {
    ...request,
    messages: request.messages.map((message) => ({ ...message, parts: replaced(message.parts, inline) })),
  };
}

function replaced(parts: Part[], inline: (source: MediaSource) => MediaSource): Part[] {
  return parts.map((part) => {
    if (part.kind === 'image' || part.kind === 'document') return { ...part, source: inline(part.source) };
    return part.kind === 'toolResult' ? { ...part, parts: replaced(part.parts, inline) } : part;
  });
}

function eachSource(parts: Part[], visit: (source: MediaSource) => void): void {
  for (const part of parts) {
    if (part.kind === 'image' || part.kind === 'document') visit(part.source);
    else if (part.kind === 'toolResult') eachSource(part.parts, visit);
  }
}
