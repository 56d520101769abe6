import { type ChatProtocol, isChatProtocol } from '../../canonical/chat-request.ts';
import type { RelayRequest } from '../../canonical/request.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import { finish } from '../../lib/steps.ts';
import type { ChannelTarget, OwnChat, ProviderAdapter } from '../../providers/adapter.ts';
import { upstreamProtocol } from '../../providers/upstream-protocol.ts';
import { chatClients } from '../../wire/chat-client.ts';
import { chatUpstreams } from '../../wire/chat-upstream.ts';
import type { Protocol } from '../../wire/protocol.ts';
import { protocols } from '../../wire/registry.ts';
import { ObjectBody } from '../request/object-body.ts';

export interface TestCall {
  protocol: Protocol;
  asked: RelayRequest;
  body: ObjectBody;
  isResponse(document: unknown): boolean;
  /** Set where the vendor is spoken to in a format of its own; `body` is in it. */
  own?: OwnChat;
}

/** The cheapest call that shows that key, address and model work together, in a format the channel speaks. */
export function testCall(adapter: ProviderAdapter, channel: ChannelTarget, model: string): TestCall {
  if (/rerank/i.test(model)) return callOf(protocols.rerank, { model, query: 'hi', documents: ['hi'] });
  if (/embedding|embed|bge-|^m3e/i.test(model)) return callOf(protocols['openai-embedding'], { model, input: 'hi' });
  // Models that think first refuse the older name, and spend tokens before they say anything.
  const limit = /^(o\d|gpt-5)/.test(model) ? { max_completion_tokens: 16 } : { max_tokens: 10 };
  const call = callOf(protocols['openai-chat'], { model, messages: [{ role: 'user', content: 'hi' }], ...limit });
  const own = adapter.ownChat?.(model, channel);
  const spoken = own ? 'openai-chat' : upstreamProtocol(adapter, 'openai-chat', model, channel);
  if (!own && (spoken === 'openai-chat' || !isChatProtocol(spoken))) return call;
  const codec = own?.codec ?? chatUpstreams[spoken as ChatProtocol];
  const chat = finish(chatClients['openai-chat'].readRequest(call.body.json()));
  const context = { defaultMaxOutput: 16, ...adapter.writeContext?.(model, channel), model };
  const { body } = finish(codec.writeRequest({ ...chat, stream: own?.streamsOnly === true }, context));
  const isResponse = (document: unknown) => codec.isResponse(document);
  return {
    protocol: protocols[spoken],
    asked: call.asked,
    body: new ObjectBody(body),
    isResponse,
    ...(own && { own }),
  };
}

function callOf(protocol: Protocol, object: Record<string, unknown>): TestCall {
  const body = new ObjectBody(object);
  const isResponse = protocol.isResponse?.bind(protocol) ?? isJsonObject;
  return { protocol, asked: protocol.parse(body.fields), body, isResponse };
}
