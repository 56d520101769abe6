import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamContext } from '../../../../core/canonical/chat-codec.ts';
import type { ChatProtocol } from '../../../../core/canonical/chat-request.ts';
import type { ProtocolName } from '../../../../core/canonical/request.ts';
import { emptyUsage } from '../../../../core/canonical/usage.ts';
import { OpenAiReader } from '../../../../core/relay/deliver/openai-reader.ts';
import { PassingReader, type StreamReader } from '../../../../core/relay/deliver/stream-reader.ts';
import { UsageMeter } from '../../../../core/relay/meter/usage-meter.ts';
import { protocols } from '../../../../core/wire/registry.ts';
import { EventCutter, splitEvents } from '../../../../core/wire/sse.ts';
import { arbitraryResponse } from '../../../support/arbitrary-events.ts';
import { clients, upstreams } from '../../../support/chat-codecs.ts';
import { chatRequest } from '../../../support/chat-request.ts';

const identity = { id: 'id1', model: 'asked', created: 7 };
const fixtures = resolve(import.meta.dirname, '../../../fixtures');

function isConvertible(name: ProtocolName): name is ChatProtocol {
  return name in upstreams;
}

function readerOf(name: ProtocolName, meter: UsageMeter, choices?: number): StreamReader {
  const protocol = protocols[name];
  if (name !== 'openai-chat' && isConvertible(name)) {
    return new PassingReader(protocol, upstreams[name], { identity, choices });
  }
  return new OpenAiReader({
    protocol,
    choices,
    meter,
    identity,
    wantsUsage: true,
    format: undefined,
    isError: () => false,
  });
}

/** What a stream is billed for, and how it ended. `skips`: events like the one before are told without parsing. */
async function metered(name: ProtocolName, stream: string, skips: boolean, choices?: number) {
  let told = '';
  // The text itself instead of its number of tokens, so that a difference shows.
  const count = async (texts: string[]) => {
    told += texts.join('');
    return 0;
  };
  const meter = new UsageMeter('m', { count } as unknown as ConstructorParameters<typeof UsageMeter>[1]);
  const reader = readerOf(name, meter, choices);
  const cutter = new EventCutter();
  const bytes = Buffer.from(stream).toString('latin1');
  const ends: string[] = [];
  let skipped = 0;
  for (const { data } of splitEvents(cutter.push(bytes) + cutter.rest())) {
    if (data === undefined || data === '' || ends.length > 0) continue;
    const known = skips ? reader.template?.textOf(data) : undefined;
    if (known) {
      meter.noteText(known, 1);
      skipped += 1;
      continue;
    }
    const event = attempt(() => reader.read(data));
    if (typeof event === 'string') ends.push(event);
    else {
      meter.note(event, 1);
      if (event.ended) ends.push('ended');
      if (event.error) ends.push('error');
    }
  }
  if (ends.length === 0) {
    const event = attempt(() => reader.close());
    if (typeof event === 'string') ends.push(event);
    else {
      meter.note(event, 1);
      ends.push(event.error ? 'broken' : 'whole');
    }
  }
  const reported = meter.reportedResult(10);
  await meter.counted(async () => 0);
  return { result: { ends, reported, told, events: meter.runningCompletion }, skipped };
}

function attempt<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
}

async function expectSame(name: ProtocolName, stream: string): Promise<number> {
  const [plain, quick] = [await metered(name, stream, false), await metered(name, stream, true)];
  expect(quick.result).toEqual(plain.result);
  return quick.skipped;
}

const recorded = ['openai', 'compatible', 'azure', 'anthropic'].flatMap((folder) =>
  readdirSync(resolve(fixtures, folder))
    .filter((file) => file.endsWith('.sse'))
    .map((file) => `${folder}/${file}`),
);

function protocolOf(file: string): ProtocolName {
  if (file.startsWith('anthropic/')) return 'anthropic-messages';
  if (file.endsWith('completion.sse')) return 'openai-completion';
  return file.endsWith('image.sse') ? 'openai-image' : 'openai-chat';
}

/** Without what many resellers leave out. */
function bare(stream: string): string {
  return stream.replaceAll(/"sequence_number":\d+,/g, '').replaceAll(/"usage(Metadata)?":\{/g, '"unused":{');
}

/** The Responses events of one text, as a reseller sends them: without sequence numbers and without usage. */
function bareResponse(words: string[]): string {
  const text = words.join('');
  const item = { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
  const events = [
    { type: 'response.created', response: { id: 'resp_1', model: 'm', created_at: 1 } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    ...words.map((delta) => ({
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta,
    })),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [item] } },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

describe('a stream whose events are told without parsing where they are alike', () => {
  it.each(recorded)('is billed as one that is parsed whole: %s', async (file) => {
    await expectSame(protocolOf(file), readFileSync(resolve(fixtures, file), 'utf8'));
  });

  it('counts a Responses text once when the upstream tells neither sequence numbers nor usage', async () => {
    const words = Array.from({ length: 200 }, (_value, index) => `word${index} `);
    const stream = bareResponse(words);
    await expectSame('openai-responses', stream);
    const { result } = await metered('openai-responses', stream, true);
    expect(result.told).toBe(words.join(''));
    expect(result.ends).toEqual(['ended']);
  });

  it('still passes by most of a long text of Claude, Gemini and chat', async () => {
    const pieces = Array.from({ length: 50 }, (_value, index) => ({
      ...({ type: 'delta', part: 0 } as const),
      text: index % 10 === 0 ? 'a "quoted"\nline' : `word${index} `,
    }));
    for (const name of ['anthropic-messages', 'gemini', 'openai-chat'] as const) {
      const context: StreamContext = { identity, promptTokens: 1, wantsUsage: false, request: chatRequest() };
      const writer = clients[name].createStreamWriter(context);
      const start = [
        { type: 'start', id: 'a1', model: 'm', created: 9 },
        { type: 'open', part: 0, choice: 0, kind: 'text' },
      ] as const;
      const end = [
        { type: 'close', part: 0 },
        { type: 'finish', choice: 0, reason: 'stop' },
      ] as const;
      const text = [...start, ...pieces, ...end].map((event) => writer.event(event)).join('') + writer.end(emptyUsage);
      expect(await expectSame(name, text), name).toBeGreaterThan(40);
    }
  });

  it.each(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const)(
    'is billed as one that is parsed whole, whatever a %s upstream tells',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(arbitraryResponse, fc.boolean(), fc.nat(40), async (told, isBare, cut) => {
          const context: StreamContext = { identity, promptTokens: 1, wantsUsage: true, request: chatRequest() };
          const writer = clients[name].createStreamWriter(context);
          const written = told.map((event) => (event.type === 'end' ? '' : writer.event(event)));
          const whole = written.join('') + writer.end(emptyUsage);
          const blocks = whole.split('\n\n').slice(0, cut === 0 ? undefined : -cut);
          const text = blocks.join('\n\n');
          await expectSame(name, isBare ? bare(text) : text);
        }),
        { numRuns: 120 },
      );
    },
  );
});

describe('a stream of several responses', () => {
  const chunk = (index: number, content: string, finish: string | null) =>
    `data: ${JSON.stringify({ id: 'c', model: 'm', created: 1, choices: [{ index, delta: { content }, finish_reason: finish }] })}\n\n`;
  const candidate = (index: number, text: string, finishReason?: string) =>
    `data: ${JSON.stringify({ candidates: [{ index, content: { parts: [{ text }] }, finishReason }] })}\n\n`;
  const streams: [ProtocolName, string, string][] = [
    ['openai-chat', chunk(0, 'one', null) + chunk(1, 'two', null) + chunk(0, '', 'stop'), chunk(1, '', 'stop')],
    ['gemini', candidate(0, 'one') + candidate(1, 'two') + candidate(0, '', 'STOP'), candidate(1, '', 'STOP')],
  ];

  it.each(streams)('of %s that is cut with one of them open is broken, for every reader', async (name, cut, rest) => {
    const isBroken = async (text: string) => {
      const { result } = await metered(name, text, true);
      return !['whole', 'ended'].includes(result.ends[0] ?? '');
    };
    expect(await isBroken(cut)).toBe(true);
    expect(await isBroken(cut + rest)).toBe(false);
    const converted = (text: string) => {
      const reader = upstreams[name as ChatProtocol].createStreamReader({ identity });
      const events = text.split('\n\n').filter(Boolean);
      const read = events.flatMap((event) => reader.event(JSON.parse(event.slice('data: '.length)) as unknown));
      return [...read, ...reader.end()].at(-1)?.type;
    };
    expect(converted(cut)).toBe('error');
    expect(converted(cut + rest)).toBe('end');
  });

  it.each<[ProtocolName, string]>([
    ['openai-chat', chunk(0, 'one', 'stop')],
    ['gemini', candidate(0, 'one', 'STOP')],
  ])(
    'of %s that brings fewer than were asked for is broken, unless the upstream says that it is all',
    async (name, text) => {
      const endOf = async (stream: string, choices: number) =>
        (await metered(name, stream, true, choices)).result.ends[0] ?? '';
      expect(await endOf(text, 1)).toBe('whole');
      expect(['whole', 'ended']).not.toContain(await endOf(text, 2));
      const converted = (choices: number, isDone: boolean) => {
        const reader = upstreams[name as ChatProtocol].createStreamReader({ identity, choices });
        const read = reader.event(JSON.parse(text.trim().slice('data: '.length)));
        return [...read, ...(isDone ? reader.event('[DONE]') : []), ...reader.end()].at(-1)?.type;
      };
      expect(converted(1, false)).toBe('end');
      expect(converted(2, false)).toBe('error');
      if (name !== 'openai-chat') return;
      expect(await endOf(`${text}data: [DONE]\n\n`, 2)).toBe('ended');
      expect(converted(2, true)).toBe('end');
    },
  );
});
