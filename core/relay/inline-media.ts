import type { ChatRequest, MediaSource, Message, Part } from '../canonical/chat-request.ts';

/** Reads what an address of a client's names. Throws AppError (`media.*`) when it may not be fetched or is none. */
export type MediaFetcher = (url: string) => Promise<FetchedMedia>;

export interface FetchedMedia {
  mime: string;
  /** Base64. */
  data: string;
}

/** Addresses a call names its pictures and files by. */
export function mediaAddresses({ messages }: ChatRequest): string[] {
  const found: string[] = [];
  eachSource(messages, (source) => {
    if (source.type === 'url') found.push(source.url);
  });
  return found;
}

/** The call with what `isWanted` of its addresses names in it; each address is fetched once, all side by side. */
export async function inlineMedia(
  request: ChatRequest,
  isWanted: (url: string) => boolean,
  fetchMedia: MediaFetcher,
): Promise<ChatRequest> {
  const urls = [...new Set(mediaAddresses(request).filter(isWanted))];
  if (urls.length === 0) return request;
  const fetched = new Map(await Promise.all(urls.map(async (url) => [url, await fetchMedia(url)] as const)));
  const inline = (source: MediaSource): MediaSource => {
    const media = source.type === 'url' ? fetched.get(source.url) : undefined;
    return media ? { type: 'data', ...media } : source;
  };
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

function eachSource(messages: Message[], visit: (source: MediaSource) => void): void {
  const open = messages.flatMap(({ parts }) => parts);
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.kind === 'image' || part.kind === 'document') visit(part.source);
    else if (part.kind === 'toolResult') open.push(...part.parts);
  }
}
