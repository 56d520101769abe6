import { describe, expect, it } from 'vitest';
import type { ChatClientCodec, ChatUpstreamCodec, StreamContext } from '../../../core/canonical/chat-codec.ts';
import { emptyUsage } from '../../../core/canonical/usage.ts';
import type { JsonObject } from '../../../core/lib/json-value.ts';
import { writeJson } from '../../../core/lib/raw-json.ts';
import { finish } from '../../../core/lib/steps.ts';
import { anthropicClient } from '../../../core/wire/anthropic-messages/client-codec.ts';
import { anthropicUpstream } from '../../../core/wire/anthropic-messages/upstream-codec.ts';
import { openaiChatClient } from '../../../core/wire/openai-chat/client-codec.ts';
import { openaiChatUpstream } from '../../../core/wire/openai-chat/upstream-codec.ts';

const identity = { id: 'id1', model: 'asked', created: 7 };

/** What a client gets for a whole response of an upstream, as JSON. */
function responseFor(
  client: ChatClientCodec,
  upstream: ChatUpstreamCodec,
  call: JsonObject,
  model: string,
  response: unknown,
) {
  const request = finish(client.readRequest(call));
  const { body, losses, ...changes } = finish(upstream.writeRequest(request, { model, defaultMaxOutput: 4096 }));
  const events = upstream.readResponse(response, { identity, ...changes });
  const context: StreamContext = { identity, promptTokens: 10, wantsUsage: true, request };
  return {
    sent: JSON.parse(writeJson(body)) as JsonObject,
    lost: losses.map(({ field }) => field),
    response: JSON.parse(writeJson(client.writeResponse(events, context))) as JsonObject,
  };
}

/** As Claude Code calls: system blocks with a line that changes, marks, many tools, thinking, a beta. */
const claudeCode: JsonObject = {
  model: 'claude-sonnet-4-5',
  max_tokens: 32_000,
  stream: true,
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2; cch=ab12;' },
    { type: 'text', text: 'You are a coding agent.', cache_control: { type: 'ephemeral' } },
    { type: 'text', text: 'Be careful.', cache_control: { type: 'ephemeral' } },
  ],
  thinking: { type: 'enabled', budget_tokens: 31_999 },
  metadata: { user_id: 'user_1_account__session_2' },
  tools: ['Read', 'Write', 'mcp__git__log'].map((name) => ({
    name,
    description: name,
    input_schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { path: { type: 'string' } },
    },
  })),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>today</system-reminder>' },
        { type: 'text', text: 'Read a.ts and b.ts', cache_control: { type: 'ephemeral' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Two files.', signature: 'EqQB' },
        { type: 'text', text: 'Reading.' },
        { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a.ts' } },
        { type: 'tool_use', id: 'toolu_2', name: 'Read', input: { path: 'b.ts' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no such file', is_error: true },
        { type: 'text', text: 'go on' },
      ],
    },
  ],
};

describe('Claude Code on an OpenAI-compatible upstream', () => {
  const toolResponse = {
    id: 'chatcmpl-1',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: '',
          reasoning_content: 'hm',
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'Write', arguments: '{"path":"c.ts","n":12345678901234567890}' },
            },
            { id: 'call_2', type: 'function', function: { name: 'Read', arguments: '' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 50, completion_tokens: 9, total_tokens: 59, prompt_tokens_details: { cached_tokens: 40 } },
  };

  it('sends what the upstream takes, in its order, and names what it cannot take', () => {
    const { sent, lost } = responseFor(anthropicClient, openaiChatUpstream, claudeCode, 'gpt-5.2', toolResponse);
    expect(sent).toMatchObject({
      model: 'gpt-5.2',
      stream: true,
      max_completion_tokens: 32_000,
      reasoning_effort: 'high',
      safety_identifier: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    const roles = (sent.messages as { role: string }[]).map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'user']);
    expect((sent.messages as { content: unknown }[])[0]?.content).toBe('You are a coding agent.\n\nBe careful.');
    expect(sent.tools).toHaveLength(3);
    expect(lost).toEqual([
      'messages.content.cache_control',
      'messages.content.thinking',
      'messages.content.is_error',
      'thinking',
    ]);
  });

  it('gets blocks it can act on, with the usage it bills by, and its next call is legal again', () => {
    const { response } = responseFor(anthropicClient, openaiChatUpstream, claudeCode, 'gpt-5.2', toolResponse);
    expect(response).toMatchObject({
      type: 'message',
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'hm', signature: '' },
        { type: 'tool_use', id: 'call_1', name: 'Write' },
        { type: 'tool_use', id: 'call_2', name: 'Read', input: {} },
      ],
      usage: { input_tokens: 10, cache_read_input_tokens: 40, output_tokens: 9 },
    });
    const next = {
      ...claudeCode,
      messages: [
        ...(claudeCode.messages as unknown[]),
        { role: 'assistant', content: response.content },
        {
          role: 'user',
          content: ['call_2', 'call_1'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: id })),
        },
      ],
    };
    // The same conversation on Anthropic after a change of channel: the blank signature must not reach it.
    const { sent } = responseFor(anthropicClient, anthropicUpstream, next, 'claude-sonnet-4-5', {});
    const turns = sent.messages as { role: string; content: JsonObject[] }[];
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(turns[3]?.content.map(({ type }) => type)).toEqual(['tool_use', 'tool_use']);
    expect(turns[4]?.content.map(({ tool_use_id }) => tool_use_id)).toEqual(['call_1', 'call_2']);
    // Edge 9: those calls have no thinking of Anthropic's, so it may not be asked for.
    expect(sent).not.toHaveProperty('thinking');
  });
});

describe('an OpenAI client on Anthropic', () => {
  const call: JsonObject = {
    model: 'claude',
    max_completion_tokens: 500,
    messages: [
      { role: 'system', content: 'Be short.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
        ],
      },
    ],
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }],
  };
  const message = {
    id: 'msg_1',
    type: 'message',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 'EqQB' },
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 3, cache_read_input_tokens: 4, cache_creation_input_tokens: 5, output_tokens: 6 },
  };

  it('gets calls, reasoning and inclusive usage, and brings the signature back', () => {
    const model = 'claude-opus-4-5';
    const first = responseFor(
      openaiChatClient,
      anthropicUpstream,
      { ...call, reasoning_effort: 'low' },
      model,
      message,
    );
    expect(first.sent).toMatchObject({
      system: [{ type: 'text', text: 'Be short.' }],
      messages: [{ role: 'user', content: [{ type: 'text' }, { type: 'image' }] }],
      thinking: { type: 'enabled', budget_tokens: 1024 },
      max_tokens: 1524,
    });
    const choice = (first.response.choices as { message: JsonObject; finish_reason: string }[])[0];
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'Looking.',
        reasoning_content: 'hm',
        tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
    });
    expect(first.response.usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 6, total_tokens: 18 });
    const next = {
      ...call,
      reasoning_effort: 'low',
      messages: [
        ...(call.messages as unknown[]),
        choice?.message,
        { role: 'tool', tool_call_id: 'toolu_1', content: 'a cat' },
      ],
    };
    const second = responseFor(openaiChatClient, anthropicUpstream, next, model, message);
    expect((second.sent.messages as { content: JsonObject[] }[])[1]?.content).toEqual(message.content);
    expect(second.sent).toHaveProperty('thinking');
    expect(second.lost).toEqual(['reasoning_effort']);
  });

  it('edge 30: blocks of another protocol inside its content are left out of a response and named', () => {
    const leaked = {
      ...call,
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'ok' },
            { type: 'tool_use', id: 'a', name: 'f', input: {} },
          ],
        },
        { role: 'user', content: 'y' },
      ],
    };
    const { sent, lost } = responseFor(openaiChatClient, anthropicUpstream, leaked, 'claude-opus-4-5', message);
    expect((sent.messages as { content: unknown }[])[1]?.content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(lost).toEqual(['messages']);
  });

  it('gets a JSON response as text from a model that can only give it as a call', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } } };
    const asked = {
      ...call,
      tools: undefined,
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    };
    const response = {
      content: [{ type: 'tool_use', id: 't', name: 'json_output', input: { a: 1 } }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const result = responseFor(openaiChatClient, anthropicUpstream, asked, 'claude-3-5-haiku-20241022', response);
    expect(result.response.choices).toMatchObject([{ message: { content: '{"a":1}' }, finish_reason: 'stop' }]);
  });
});

describe('the same call through either client', () => {
  it('costs the same (money is counted from the upstream, never from what was written)', () => {
    const message = {
      content: [{ type: 'text', text: 'x' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 20,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 400,
        cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 60 },
        output_tokens: 30,
      },
    };
    const events = anthropicUpstream.readResponse(message, { identity });
    const request = finish(openaiChatClient.readRequest({ model: 'm', messages: [{ role: 'user', content: 'x' }] }));
    const context: StreamContext = { identity, promptTokens: 1, wantsUsage: true, request };
    const asAnthropic = anthropicUpstream.readResponse(anthropicClient.writeResponse(events, context), { identity });
    const usage = events.find((event) => event.type === 'usage');
    expect(usage).toEqual({
      type: 'usage',
      usage: { ...emptyUsage, prompt: 520, completion: 30, cachedRead: 400, cacheWrite: 100, cacheWriteHour: 60 },
    });
    expect(asAnthropic.find((event) => event.type === 'usage')).toEqual(usage);
    expect(openaiChatClient.writeResponse(events, context).usage).toMatchObject({
      prompt_tokens: 520,
      prompt_tokens_details: { cached_tokens: 400, cache_write_tokens: 100 },
      completion_tokens: 30,
    });
  });
});
