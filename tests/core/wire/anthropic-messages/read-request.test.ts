import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../core/errors/app-error.ts';
import { writeJson } from '../../../../core/lib/raw-json.ts';
import { finish } from '../../../../core/lib/steps.ts';
import { anthropicClient } from '../../../../core/wire/anthropic-messages/client-codec.ts';
import { anthropicUpstream } from '../../../../core/wire/anthropic-messages/upstream-codec.ts';
import { openaiChatUpstream } from '../../../../core/wire/openai-chat/upstream-codec.ts';
import { upstreams } from '../../../support/chat-codecs.ts';

const basic = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };
const read = (fields: Record<string, unknown> = {}) => finish(anthropicClient.readRequest({ ...basic, ...fields }));
const messagesOf = (...messages: unknown[]) => read({ messages }).messages;

function refusal(fields: Record<string, unknown>): { code: string; param: string | undefined } {
  try {
    read(fields);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, param: error.param };
    throw error;
  }
  throw new Error('was not refused');
}

describe('a Messages call', () => {
  it('reads every field, and keeps what it does not know', () => {
    const request = read({
      stream: true,
      system: [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stop_sequences: ['END'],
      metadata: { user_id: 'u1' },
      service_tier: 'auto',
      cache_control: { type: 'ephemeral' },
      thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' },
      output_config: { effort: 'high', format: { type: 'json_schema', schema: { type: 'object' } } },
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      tools: [
        {
          name: 'f',
          description: 'd',
          input_schema: { type: 'object' },
          strict: true,
          cache_control: { type: 'ephemeral' },
          defer_loading: true,
        },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
      ],
      container: 'c1',
      speed: null,
    });
    expect(request).toEqual({
      origin: 'anthropic-messages',
      model: 'claude-sonnet-4-5',
      stream: true,
      maxOutput: 100,
      sampling: { temperature: 0.5, topP: 0.9, topK: 5 },
      stop: ['END'],
      logprobs: undefined,
      instructions: [{ kind: 'text', text: 'Be short.', cache: '1h' }],
      messages: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
      tools: [
        {
          kind: 'function',
          name: 'f',
          description: 'd',
          schema: { type: 'object' },
          strict: true,
          cache: '5m',
          extras: { defer_loading: true },
        },
        {
          kind: 'hosted',
          type: 'web_search_20250305',
          raw: { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
        },
      ],
      toolChoice: { mode: 'required' },
      parallelTools: false,
      output: { kind: 'schema', name: 'answer', schema: { type: 'object' } },
      reasoning: { mode: 'budget', budget: 2000, effort: 'high', visible: 'none' },
      cache: { automatic: '5m' },
      userId: 'u1',
      serviceTier: 'auto',
      metadata: undefined,
      store: undefined,
      previousResponseId: undefined,
      extras: { container: 'c1' },
    });
  });

  it('edge 11: tool results come before the user’s text in the same turn', () => {
    const messages = messagesOf(
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'sig' },
          { type: 'tool_use', id: 'a', name: 'f', input: { n: 1 } },
          { type: 'tool_use', id: 'b', name: 'g', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'and' },
          { type: 'tool_result', tool_use_id: 'b', content: 'B', is_error: true },
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QU\nJD' } }],
          },
        ],
      },
    );
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        parts: [
          {
            kind: 'reasoning',
            text: 'hm',
            form: 'full',
            opaque: { origin: 'anthropic-messages', kind: 'signature', value: 'sig' },
          },
          { kind: 'toolCall', id: 'a', name: 'f', arguments: '{"n":1}' },
          { kind: 'toolCall', id: 'b', name: 'g', arguments: '' },
        ],
      },
      {
        role: 'tool',
        parts: [
          {
            kind: 'toolResult',
            callId: 'a',
            parts: [{ kind: 'image', source: { type: 'data', mime: 'image/png', data: 'QUJD' } }],
          },
          { kind: 'toolResult', callId: 'b', parts: [{ kind: 'text', text: 'B' }], isError: true },
        ],
      },
      { role: 'user', parts: [{ kind: 'text', text: 'and' }] },
    ]);
  });

  it('edge 28: system turns stay in place', () => {
    expect(
      messagesOf({ role: 'user', content: 'a' }, { role: 'system', content: 'b' }, { role: 'user', content: 'c' }).map(
        ({ role }) => role,
      ),
    ).toEqual(['user', 'system', 'user']);
  });

  it('documents, pictures and blocks of Anthropic alone', () => {
    const [message] = messagesOf({
      role: 'user',
      content: [
        { type: 'image', source: { type: 'url', url: 'https://a.example/x.png' } },
        {
          type: 'document',
          source: { type: 'file', file_id: 'file_1' },
          title: 'T',
          context: 'C',
          citations: { enabled: true },
        },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüß' } },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'one' }] } },
        { type: 'search_result', source: 's', title: 't', content: [] },
        { type: 'redacted_thinking', data: 'secret' },
      ],
    });
    const plain = (text: string) => ({ type: 'data', mime: 'text/plain', data: Buffer.from(text).toString('base64') });
    expect(message?.parts).toEqual([
      { kind: 'image', source: { type: 'url', url: 'https://a.example/x.png' } },
      { kind: 'document', source: { type: 'file', id: 'file_1' }, title: 'T', context: 'C', citations: true },
      { kind: 'document', source: plain('Grüß') },
      { kind: 'document', source: plain('one') },
      {
        kind: 'native',
        origin: 'anthropic-messages',
        raw: { type: 'search_result', source: 's', title: 't', content: [] },
      },
      {
        kind: 'reasoning',
        text: '',
        form: 'full',
        opaque: { origin: 'anthropic-messages', kind: 'redacted', value: 'secret' },
      },
    ]);
  });

  it.each([
    [{ type: 'disabled' }, undefined, { mode: 'off' }],
    [{ type: 'adaptive' }, 'low', { mode: 'auto', effort: 'low' }],
    [{ type: 'adaptive', display: 'summarized' }, undefined, { mode: 'auto', visible: 'summary' }],
    [undefined, 'max', { mode: 'effort', effort: 'max' }],
    [undefined, undefined, undefined],
  ])('thinking %o with effort %s', (thinking, effort, expected) => {
    const output = effort === undefined ? {} : { output_config: { effort } };
    expect(read({ ...(thinking && { thinking }), ...output }).reasoning).toEqual(expected);
  });

  it('a kind of thinking that is new goes on as it came', () => {
    const request = read({ thinking: { type: 'between_tools' } });
    expect(request.extras).toEqual({ thinking: { type: 'between_tools' } });
    const { body } = finish(anthropicUpstream.writeRequest(request, { model: 'claude-opus-5', defaultMaxOutput: 1 }));
    expect(body.thinking).toEqual({ type: 'between_tools' });
  });

  it('max_tokens 0 asks for nothing elsewhere, which is named', () => {
    const request = read({ max_tokens: 0 });
    expect(request.maxOutput).toBeUndefined();
    const named = (name: keyof typeof upstreams) =>
      finish(upstreams[name].writeRequest(request, { model: 'm', defaultMaxOutput: 8 })).losses;
    for (const name of ['openai-chat', 'openai-responses', 'gemini'] as const)
      expect(named(name)).toEqual([{ field: 'max_tokens', kind: 'dropped' }]);
    expect(named('anthropic-messages')).toEqual([]);
  });

  it.each([
    [{ max_tokens: undefined }, 'request.fieldMissing', 'max_tokens'],
    [{ max_tokens: 1.5 }, 'request.notInteger', 'max_tokens'],
    [{ model: undefined }, 'request.fieldMissing', 'model'],
    [{ messages: undefined }, 'request.fieldMissing', 'messages'],
    [{ messages: [] }, 'request.fieldEmpty', 'messages'],
    [{ messages: 'hi' }, 'request.notList', 'messages'],
    [{ messages: ['hi'] }, 'request.notObject', 'messages.0'],
    [{ messages: [{ content: 'hi' }] }, 'request.fieldMissing', 'messages.0.role'],
    [{ messages: [{ role: 'tool', content: 'hi' }] }, 'request.notOneOf', 'messages.0.role'],
    [{ messages: [{ role: 'user' }] }, 'request.fieldMissing', 'messages.0.content'],
    [{ messages: [{ role: 'user', content: 5 }] }, 'request.notTextOrList', 'messages.0.content'],
    [{ messages: [{ role: 'user', content: [{}] }] }, 'request.fieldMissing', 'messages.0.content.0.type'],
    [
      { messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] },
      'request.fieldMissing',
      'messages.0.content.0.tool_use_id',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'ftp' } }] }] },
      'request.notOneOf',
      'messages.0.content.0.source.type',
    ],
    [{ system: [{ type: 'image', source: { type: 'url', url: 'x' } }] }, 'request.notOneOf', 'system.type'],
    [{ tools: [{ input_schema: {} }] }, 'request.fieldMissing', 'tools.0.name'],
    [{ tool_choice: { type: 'all' } }, 'request.notOneOf', 'tool_choice.type'],
    [{ thinking: { type: 'enabled' } }, 'request.fieldMissing', 'thinking.budget_tokens'],
    [{ temperature: 2 }, 'request.notNumber', 'temperature'],
    [{ stop_sequences: 'END' }, 'request.notList', 'stop_sequences'],
  ])('is refused by the field at fault: %o', (fields, code, param) => {
    expect(refusal(fields)).toEqual({ code, param });
  });

  it('goes on to Anthropic as it came (Bedrock and Vertex take it from here)', () => {
    const fixture = JSON.parse(
      readFileSync(resolve(import.meta.dirname, '../../../fixtures/anthropic/request-tool.json'), 'utf8'),
    ) as Record<string, unknown>;
    const context = { model: String(fixture.model), defaultMaxOutput: 1 };
    const { body, losses } = finish(
      anthropicUpstream.writeRequest(finish(anthropicClient.readRequest(fixture)), context),
    );
    expect(losses).toEqual([]);
    expect(JSON.parse(writeJson(body))).toEqual({
      ...fixture,
      system: [{ type: 'text', text: 'Be short.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Weather in Oslo?' }] }],
    });
    const effort = read({ output_config: { effort: 'low' } });
    const written = finish(anthropicUpstream.writeRequest(effort, { model: 'claude-opus-4-6', defaultMaxOutput: 1 }));
    expect(written.body).toMatchObject({ output_config: { effort: 'low' } });
    expect(written.body).not.toHaveProperty('thinking');
  });

  it('a tool that Anthropic runs is refused by its name elsewhere', () => {
    const request = read({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] });
    expect(() => finish(openaiChatUpstream.writeRequest(request, { model: 'gpt-4o', defaultMaxOutput: 1 }))).toThrow(
      'web_search_20250305',
    );
  });
});
