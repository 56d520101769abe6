import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { StreamContext } from '../../../../core/canonical/chat-codec.ts';
import type { ChatEvent } from '../../../../core/canonical/chat-event.ts';
import { writeJson } from '../../../../core/lib/raw-json.ts';
import { anthropicUpstream } from '../../../../core/wire/anthropic-messages/upstream-codec.ts';
import { openaiChatClient } from '../../../../core/wire/openai-chat/client-codec.ts';
import { readFixtureStream } from '../../../support/chat-events.ts';
import { chatRequest } from '../../../support/chat-request.ts';

const identity = { id: 'id1', model: 'asked', created: 7 };
const context: StreamContext = { identity, promptTokens: 0, wantsUsage: true, request: chatRequest() };
const call = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }] };

/** The SDK, which receives what we would send. */
function sdk(body: string, type: string): OpenAI {
  return new OpenAI({
    apiKey: 'sk-test',
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': type } })),
  });
}

function streamText(events: ChatEvent[]): string {
  const writer = openaiChatClient.createStreamWriter(context);
  const usage = events.findLast((event) => event.type === 'usage');
  if (!usage) throw new Error('the fixture has no usage');
  return events.map((event) => writer.event(event)).join('') + writer.end(usage.usage);
}

describe.each(['message-tool', 'message-thinking', 'message-search', 'message-refusal'])(
  'the OpenAI SDK gets %s',
  (name) => {
    const events = readFixtureStream(anthropicUpstream.createStreamReader({ identity }), `anthropic/${name}.sse`);
    const whole = writeJson(openaiChatClient.writeResponse(events, context));

    it('streamed and whole alike', async () => {
      const stream = sdk(streamText(events), 'text/event-stream').chat.completions.stream(call);
      const streamed = await stream.finalChatCompletion();
      const completion = await sdk(whole, 'application/json').chat.completions.create(call);
      const [left, right] = [streamed.choices[0], completion.choices[0]];
      expect(left?.finish_reason).toBe(right?.finish_reason);
      expect(left?.message.content ?? '').toBe(right?.message.content ?? '');
      expect(left?.message.refusal ?? null).toBe(right?.message.refusal);
      const plain = (calls: OpenAI.ChatCompletionMessageToolCall[] | undefined) =>
        (calls ?? []).map((item) => [
          item.id,
          item.type === 'function' && item.function.name,
          item.type === 'function' && item.function.arguments,
        ]);
      expect(plain(left?.message.tool_calls)).toEqual(plain(right?.message.tool_calls));
      expect(streamed.usage).toEqual(completion.usage);
      expect(streamed.id).toBe(completion.id);
    });
  },
);
