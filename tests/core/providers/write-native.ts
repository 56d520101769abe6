import { finish } from '../../../core/lib/steps.ts';
import type { ChannelTarget } from '../../../core/providers/adapter.ts';
import { chatClients } from '../../../core/wire/chat-client.ts';
import { adapterOf, channelOf } from './call.ts';

/** What an OpenAI chat becomes in a vendor's own format, and the request that carries it. */
export function writeNative(
  type: number,
  changes: Partial<ChannelTarget>,
  { model = 'm', ...call }: Record<string, unknown> & { model?: string },
  { now = 1_700_000_000_000, query = '' } = {},
) {
  const channel = channelOf(type, changes);
  const own = adapterOf(type).ownChat?.(model, channel);
  if (!own) throw new Error(`type ${type} speaks ${model} in a common protocol`);
  const asked = finish(chatClients['openai-chat'].readRequest({ model, ...call }));
  const stream = asked.stream || own.streamsOnly === true;
  const { body, losses } = finish(own.codec.writeRequest({ ...asked, stream }, { model, defaultMaxOutput: 16 }));
  const request = own.buildRequest(
    {
      query: new URLSearchParams(query),
      model,
      body,
      now,
      request: { model, stream, wantsUsage: false, maxCompletion: undefined, units: {} },
      fields: { has: () => false, value: () => undefined, count: () => undefined },
    },
    channel,
  );
  return { body, losses, request, codec: own.codec };
}
