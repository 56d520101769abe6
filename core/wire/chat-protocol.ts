import type { ChatClientCodec, ChatUpstreamCodec } from '../canonical/chat-codec.ts';
import { foldEvents, type ResponsePart } from '../canonical/fold.ts';
import type { Usage } from '../canonical/usage.ts';
import { readingOf } from './chat-reading.ts';
import type { Protocol } from './protocol.ts';

type Own = Pick<Protocol, 'path' | 'parse' | 'terminal'> & Partial<Protocol>;

const nobody = { identity: { id: '', model: '', created: 0 } };

/** A chat protocol whose responses are read by its upstream codec. */
export function defineChatProtocol(client: ChatClientCodec, upstream: ChatUpstreamCodec, own: Own): Protocol {
  return {
    name: client.protocol,
    body: 'json',
    isResponse: (response) => upstream.isResponse(response),
    readUsage: (response) => lastUsage(upstream, response),
    readText: (response) =>
      foldEvents(upstream.readResponse(response, nobody)).choices.flatMap(({ parts }) => textsOf(parts)),
    readEvent: (event) => readingOf(upstream.createStreamReader(nobody).event(event)),
    needsFinish: true,
    chat: client,
    ...own,
  };
}

function lastUsage(upstream: ChatUpstreamCodec, response: unknown): Usage | undefined {
  const usages = upstream.readResponse(response, nobody).filter(({ type }) => type === 'usage');
  const last = usages.at(-1);
  return last?.type === 'usage' ? last.usage : undefined;
}

function textsOf(parts: ResponsePart[]): string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'toolCall') return [part.name, part.arguments];
    return 'text' in part ? [part.text] : [];
  });
}
