import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamContext } from '../../../core/canonical/chat-codec.ts';
import type { ChatEvent } from '../../../core/canonical/chat-event.ts';
import type { ChatProtocol } from '../../../core/canonical/chat-request.ts';
import { foldEvents } from '../../../core/canonical/fold.ts';
import { emptyUsage } from '../../../core/canonical/usage.ts';
import { writeJson } from '../../../core/lib/raw-json.ts';
import { finish } from '../../../core/lib/steps.ts';
import { arbitraryResponse } from '../../support/arbitrary-events.ts';
import { clients, upstreams } from '../../support/chat-codecs.ts';
import { conversations } from '../../support/chat-conversation.ts';
import { brokenRules, readStreamText } from '../../support/chat-events.ts';

const names = Object.keys(clients) as ChatProtocol[];
const pairs = names.flatMap((client) => names.map((upstream) => [client, upstream] as const));

const identity = { id: 'id1', model: 'asked', created: 7 };
const models: Record<ChatProtocol, string> = {
  'openai-chat': 'gpt-5.2',
  'openai-responses': 'gpt-5.2',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-pro',
};

/** What a request says, however its protocol says it. */
function gist(protocol: ChatProtocol, body: Record<string, unknown>) {
  const request = finish(clients[protocol].readRequest({ ...body, model: 'm' }, { model: 'm' }));
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
    const request = finish(clients[client].readRequest(conversations[client], { model: 'm', stream: false }));
    const { body } = finish(
      upstreams[upstream].writeRequest(request, { model: models[upstream], defaultMaxOutput: 4096 }),
    );
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

  it('gets the response, streamed and whole', () => {
    const request = finish(clients[client].readRequest(conversations[client], { model: 'm', stream: true }));
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
      fc.property(arbitraryResponse, (told) => {
        // The upstream's own words for it, read by our reader.
        const theirs = clients[upstream].writeResponse(told, context);
        const events = upstreams[upstream].readResponse(JSON.parse(writeJson(theirs)), { identity });
        expect(brokenRules(events)).toEqual([]);
        const writer = clients[client].createStreamWriter(context);
        const usage = foldEvents(events).usage ?? emptyUsage;
        const text = events.map((event) => writer.event(event)).join('') + writer.end(usage);
        const streamed = readStreamText(upstreams[client].createStreamReader({ identity }), text);
        expect(brokenRules(streamed)).toEqual([]);
        expect(plain(streamed)).toEqual(plain(told));
        const whole = upstreams[client].readResponse(
          JSON.parse(writeJson(clients[client].writeResponse(events, context))),
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
