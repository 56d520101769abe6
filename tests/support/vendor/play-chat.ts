import { expect } from 'vitest';
import type { MatrixClient, Question, Reply } from '../matrix/question.ts';
import { chunked, cut, type FakeResponse, resolve, type Script } from '../upstream-script.ts';
import { helloText } from './hello.ts';
import { aliasOf, type LogRow, type Stage } from './stage.ts';
import type { ChatFixture, ChatResponses, VendorFixture } from './vendor-fixture.ts';

const weather = {
  name: 'get_weather',
  description: 'The weather of a city',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
/** PNG's first bytes: as much of a picture as is looked at. */
const picture = Buffer.from('89504e47', 'hex').toString('base64');
const hello: Omit<Question, 'model' | 'stream'> = { system: 'Be brief.', turns: [{ user: [{ text: 'Hi' }] }] };

/** One chat fixture, asked by one SDK. */
export interface ChatPlay {
  stage: Stage;
  fixture: VendorFixture;
  chat: ChatFixture;
  client: MatrixClient;
}

export function question({ fixture, chat }: Pick<ChatPlay, 'fixture' | 'chat'>, stream: boolean): Question {
  return { ...hello, model: aliasOf(fixture, chat.model), stream };
}

/** The vendor's response to a call that a client wants whole, or in pieces. */
export function scriptOf({ whole, stream }: ChatResponses, isStream: boolean): Script {
  return isStream ? stream : (whole ?? stream);
}

export async function playText(play: ChatPlay, isStream: boolean, change = (script: Script) => script): Promise<void> {
  const { stage, fixture, chat, client } = play;
  stage.play(fixture, change(scriptOf(chat.text, isStream)));
  const { response, row } = await stage.logged(() => client.ask(question(play, isStream)));
  expect(stage.takenOver()).toBe(0);
  expect([response.text, response.finish]).toEqual([helloText, 'stop']);
  chat.text.asked?.(stage.asked());
  expectBilled(play, response, row);
}

/** What the client is told, what the row says and what the vendor said are the same. */
function expectBilled({ chat }: ChatPlay, { usage }: Reply, row: LogRow): void {
  const { prompt, completion, cached = 0 } = chat.usage;
  const billed = {
    prompt: row.prompt_tokens,
    completion: row.completion_tokens,
    cached: Number(row.other.cache_tokens ?? 0),
  };
  if (chat.usageSource === 'counted') {
    expect(billed.prompt * billed.completion).toBeGreaterThan(0);
    expect(usage).toMatchObject({ prompt: billed.prompt, completion: billed.completion });
  } else {
    expect(billed).toEqual({ prompt, completion, cached });
    expect(usage).toEqual(billed);
  }
}

export async function playTool({ stage, fixture, chat, client }: ChatPlay, isStream: boolean): Promise<void> {
  if (!chat.tool) throw new Error('no call of a tool is scripted');
  stage.play(fixture, scriptOf(chat.tool, isStream));
  const asked = { ...question({ fixture, chat }, isStream), tools: [weather] };
  const { calls, finish } = await client.ask(asked);
  expect(stage.takenOver()).toBe(0);
  expect(calls.map(({ name, input }) => ({ name, input }))).toEqual([
    { name: 'get_weather', input: { city: 'Paris' } },
  ]);
  expect(finish).toBe('tool');
  chat.tool.asked?.(stage.asked());
}

export async function playVision({ stage, fixture, chat, client }: ChatPlay): Promise<void> {
  if (!chat.vision) throw new Error('no picture is looked for');
  stage.play(fixture, scriptOf(chat.text, false));
  const model = aliasOf(fixture, chat.vision.model ?? chat.model);
  const turns: Question['turns'] = [{ user: [{ text: 'What is this?' }, { picture }] }];
  const { text } = await client.ask({ model, stream: false, turns });
  expect(stage.takenOver()).toBe(0);
  expect(text).toBe(helloText);
  chat.vision.asked(stage.asked());
}

/** The connection ends inside an event. */
export async function playCut(play: ChatPlay): Promise<void> {
  const { stage, fixture, chat, client } = play;
  const broken = (script: Script): Script =>
    typeof script === 'function' ? (request) => cutMidway(resolve(script(request))) : cutMidway(resolve(script));
  stage.play(fixture, broken(chat.text.stream));
  stage.mayTakeOver(false);
  const reply = await client.ask(question(play, true)).catch((error: unknown) => client.raised(error));
  expect(reply).toMatchObject({ isTyped: true });
}

function bytesOf({ pieces, body }: FakeResponse): Buffer {
  return Buffer.concat(pieces ?? (body ? [body] : []));
}

/** In the middle of the last words, or of the bytes where they do not contain them in clear. */
function cutMidway(response: FakeResponse): FakeResponse {
  const bytes = bytesOf(response);
  const at = bytes.indexOf('upstream.');
  return cut(response, at > 0 ? at + 3 : Math.floor(bytes.length / 2));
}

/** Sizes that split characters, line ends and events. */
export function inOddPackets(script: Script): Script {
  const split = (response: FakeResponse) => ({ ...chunked(response, 7, 1, 23, 3, 2, 41), delayMs: undefined });
  return typeof script === 'function' ? (request) => split(resolve(script(request))) : split(resolve(script));
}
