import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatClientCodec, ChatUpstreamCodec, StreamContext } from '../../../core/canonical/chat-codec.ts';
import type { ChatEvent } from '../../../core/canonical/chat-event.ts';
import type { ChatProtocol } from '../../../core/canonical/chat-request.ts';
import { foldEvents } from '../../../core/canonical/fold.ts';
import { emptyUsage } from '../../../core/canonical/usage.ts';
import { writeJson } from '../../../core/lib/raw-json.ts';
import { anthropicClient } from '../../../core/protocols/anthropic-messages/codec.ts';
import { geminiClient } from '../../../core/protocols/gemini/codec.ts';
import { openaiChatClient } from '../../../core/protocols/openai-chat/codec.ts';
import { openaiResponsesClient } from '../../../core/protocols/openai-responses/codec.ts';
import { anthropicUpstream } from '../../../core/providers/anthropic/codec.ts';
import { geminiUpstream } from '../../../core/providers/gemini/codec.ts';
import { openaiChatUpstream } from '../../../core/providers/openai-chat/codec.ts';
import { openaiResponsesUpstream } from '../../../core/providers/openai-responses/codec.ts';
import { arbitraryAnswer } from '../../support/arbitrary-events.ts';
import { brokenRules, readStreamText } from '../../support/chat-events.ts';

const clients: Record<ChatProtocol, ChatClientCodec> = {
  'openai-chat': openaiChatClient,
  'openai-responses': openaiResponsesClient,
  'anthropic-messages': anthropicClient,
  gemini: geminiClient,
};
const upstreams: Record<ChatProtocol, ChatUpstreamCodec> = {
  'openai-chat': openaiChatUpstream,
  'openai-responses': openaiResponsesUpstream,
  'anthropic-messages': anthropicUpstream,
  gemini: geminiUpstream,
};
const names = Object.keys(clients) as ChatProtocol[];
const pairs = names.flatMap((client) => names.map((upstream) => [client, upstream] as const));

const identity = { id: 'id1', model: 'asked', created: 7 };
const models: Record<ChatProtocol, string> = {
  'openai-chat': 'gpt-5.2',
  'openai-responses': 'gpt-5.2',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-pro',
};

/** The same conversation in every protocol: a system text, a picture, two calls at once and their results. */
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const conversations: Record<ChatProtocol, Record<string, unknown>> = {
  'openai-chat': {
    model: 'm',
    messages: [
      { role: 'system', content: 'SYSTEM' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'QUESTION' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,UElDVFVSRQ==' } },
        ],
      },
      {
        role: 'assistant',
        content: 'SAID',
        tool_calls: ['one', 'two'].map((id) => ({
          id: `call_${id}`,
          type: 'function',
          function: { name: 'read', arguments: `{"path":"${id}"}` },
        })),
      },
      { role: 'tool', tool_call_id: 'call_two', content: 'RESULT two' },
      { role: 'tool', tool_call_id: 'call_one', content: 'RESULT one' },
      { role: 'user', content: 'NEXT' },
    ],
    tools: [{ type: 'function', function: { name: 'read', parameters: schema } }],
    tool_choice: 'required',
  },
  'openai-responses': {
    model: 'm',
    instructions: 'SYSTEM',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'QUESTION' },
          { type: 'input_image', image_url: 'data:image/png;base64,UElDVFVSRQ==' },
        ],
      },
      { role: 'assistant', content: 'SAID' },
      ...['one', 'two'].map((id) => ({
        type: 'function_call',
        call_id: `call_${id}`,
        name: 'read',
        arguments: `{"path":"${id}"}`,
      })),
      ...['two', 'one'].map((id) => ({ type: 'function_call_output', call_id: `call_${id}`, output: `RESULT ${id}` })),
      { role: 'user', content: 'NEXT' },
    ],
    tools: [{ type: 'function', name: 'read', parameters: schema, strict: false }],
    tool_choice: 'required',
  },
  'anthropic-messages': {
    model: 'm',
    max_tokens: 100,
    system: 'SYSTEM',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'QUESTION' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'UElDVFVSRQ==' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'SAID' },
          ...['one', 'two'].map((id) => ({ type: 'tool_use', id: `call_${id}`, name: 'read', input: { path: id } })),
        ],
      },
      {
        role: 'user',
        content: [
          ...['two', 'one'].map((id) => ({ type: 'tool_result', tool_use_id: `call_${id}`, content: `RESULT ${id}` })),
          { type: 'text', text: 'NEXT' },
        ],
      },
    ],
    tools: [{ name: 'read', input_schema: schema }],
    tool_choice: { type: 'any' },
  },
  gemini: {
    systemInstruction: { parts: [{ text: 'SYSTEM' }] },
    contents: [
      { role: 'user', parts: [{ text: 'QUESTION' }, { inlineData: { mimeType: 'image/png', data: 'UElDVFVSRQ==' } }] },
      {
        role: 'model',
        parts: [
          { text: 'SAID' },
          ...['one', 'two'].map((id) => ({ functionCall: { id: `call_${id}`, name: 'read', args: { path: id } } })),
        ],
      },
      {
        role: 'user',
        parts: ['two', 'one'].map((id) => ({
          functionResponse: { id: `call_${id}`, name: 'read', response: { output: `RESULT ${id}` } },
        })),
      },
      { role: 'user', parts: [{ text: 'NEXT' }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'read', parameters: schema }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  },
};

/** What a request says, however its protocol says it. */
function gist(protocol: ChatProtocol, body: Record<string, unknown>) {
  const request = clients[protocol].readRequest({ ...body, model: 'm' }, { model: 'm' });
  return {
    system: request.instructions.map((part) => 'text' in part && part.text),
    turns: request.messages.map(({ role, parts }) => [
      role,
      ...parts.map((part) => {
        if (part.kind === 'text') return part.text;
        if (part.kind === 'image') return part.source;
        if (part.kind === 'toolCall') return [part.name, JSON.parse(part.arguments || '{}') as unknown];
        return part.kind === 'toolResult' ? part.parts.map((inner) => 'text' in inner && inner.text) : part.kind;
      }),
    ]),
    tools: request.tools.map((tool) => tool.kind === 'function' && tool.name),
    choice: request.toolChoice,
  };
}

describe.each(pairs)('a %s client on a %s upstream', (client, upstream) => {
  it('asks what it asked: system text, picture, parallel calls, results in the order of the calls', () => {
    const request = clients[client].readRequest(conversations[client], { model: 'm', stream: false });
    const { body } = upstreams[upstream].writeRequest(request, { model: models[upstream], defaultMaxOutput: 4096 });
    expect(gist(upstream, JSON.parse(writeJson(body)) as Record<string, unknown>)).toEqual({
      system: ['SYSTEM'],
      turns: [
        ['user', 'QUESTION', { type: 'data', mime: 'image/png', data: 'UElDVFVSRQ==' }],
        ['assistant', 'SAID', ['read', { path: 'one' }], ['read', { path: 'two' }]],
        ['tool', ['RESULT one'], ['RESULT two']],
        ['user', 'NEXT'],
      ],
      tools: ['read'],
      choice: { mode: 'required' },
    });
  });

  it('gets what was answered, streamed and whole', () => {
    const request = clients[client].readRequest(conversations[client], { model: 'm', stream: true });
    const context: StreamContext = { identity, promptTokens: 1, wantsUsage: true, request };
    /** Order of text and calls among each other is lost in OpenAI's chat form. */
    const plain = (events: readonly ChatEvent[]) => {
      const { choices, usage } = foldEvents(events);
      const parts = choices[0]?.parts ?? [];
      const textOf = (kind: string) =>
        parts.map((part) => (part.kind === kind && 'text' in part ? part.text : '')).join('');
      const calls = parts.flatMap((part) =>
        part.kind === 'toolCall' ? [[part.name, JSON.parse(part.arguments || '{}')]] : [],
      );
      const { prompt, completion, cachedRead } = usage ?? emptyUsage;
      return {
        text: textOf('text'),
        reasoning: textOf('reasoning'),
        calls,
        finish: choices[0]?.finish?.reason,
        usage: { prompt, completion, cachedRead },
      };
    };
    fc.assert(
      fc.property(arbitraryAnswer, (told) => {
        // The upstream's own words for it, read by our reader.
        const theirs = clients[upstream].writeAnswer(told, context);
        const events = upstreams[upstream].readAnswer(JSON.parse(writeJson(theirs)), { identity });
        expect(brokenRules(events)).toEqual([]);
        const writer = clients[client].createStreamWriter(context);
        const usage = foldEvents(events).usage ?? emptyUsage;
        const text = events.map((event) => writer.event(event)).join('') + writer.end(usage);
        const streamed = readStreamText(upstreams[client].createStreamReader({ identity }), text);
        expect(brokenRules(streamed)).toEqual([]);
        expect(plain(streamed)).toEqual(plain(told));
        const whole = upstreams[client].readAnswer(
          JSON.parse(writeJson(clients[client].writeAnswer(events, context))),
          {
            identity,
          },
        );
        expect(plain(whole)).toEqual(plain(told));
      }),
      { numRuns: 60 },
    );
  });
});
