import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { openHolds } from '../relay-checks.ts';

const models = [
  'gpt-4o-mini,gpt-image-1,dall-e-3,whisper-1,tts-1,text-embedding-3-small,omni-moderation-latest',
  'gpt-3.5-turbo-instruct',
].join();
const chatPath = '/v1/chat/completions';
const geminiPath = '/v1beta/models/gpt-4o-mini:generateContent';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.addChannel({ name: 'all', models });
  await gateway.setOption('SensitiveWords', 'forbiddenword\n机密计划');
});
afterAll(() => gateway.stop());

const hi = { role: 'user', content: 'hi' };
const model = 'gpt-4o-mini';
const said = (content: unknown) => ({ model, messages: [{ role: 'user', content }] });
const schema = (text: string) => ({ type: 'object', properties: { a: { type: 'string', description: text } } });

/** Every place of every format where a model reads what the client wrote. */
const places: [format: string, place: string, path: string, body: (text: string) => Record<string, unknown>][] = [
  ['chat', 'a message', chatPath, said],
  ['chat', 'a part', chatPath, (text) => said([{ type: 'text', text }])],
  ['chat', 'a system message', chatPath, (text) => ({ model, messages: [{ role: 'system', content: text }, hi] })],
  [
    'chat',
    'the arguments of a tool call',
    chatPath,
    (text) => ({
      model,
      messages: [
        hi,
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: text } }] },
      ],
    }),
  ],
  [
    'chat',
    'a tool description',
    chatPath,
    (text) => ({ ...said('hi'), tools: [{ type: 'function', function: { name: 'f', description: text } }] }),
  ],
  [
    'chat',
    'a property of a tool',
    chatPath,
    (text) => ({ ...said('hi'), tools: [{ type: 'function', function: { name: 'f', parameters: schema(text) } }] }),
  ],
  ['chat', 'an old function', chatPath, (text) => ({ ...said('hi'), functions: [{ name: 'f', description: text }] })],
  [
    'chat',
    'the form of the answer',
    chatPath,
    (text) => ({
      ...said('hi'),
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: schema(text) } },
    }),
  ],
  ['Responses', 'the input', '/v1/responses', (text) => ({ model, input: text })],
  ['Responses', 'an item', '/v1/responses', (text) => ({ model, input: [{ role: 'user', content: text }] })],
  ['Responses', 'the instructions', '/v1/responses', (text) => ({ model, input: 'hi', instructions: text })],
  [
    'Responses',
    'a tool description',
    '/v1/responses',
    (text) => ({ model, input: 'hi', tools: [{ type: 'function', name: 'f', description: text, parameters: {} }] }),
  ],
  ['Messages', 'a message', '/v1/messages', (text) => ({ ...said(text), max_tokens: 9 })],
  ['Messages', 'the system text', '/v1/messages', (text) => ({ ...said('hi'), max_tokens: 9, system: text })],
  [
    'Messages',
    'a document of text',
    '/v1/messages',
    (text) => ({
      ...said([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: text } }]),
      max_tokens: 9,
    }),
  ],
  [
    'Messages',
    'a tool description',
    '/v1/messages',
    (text) => ({
      ...said('hi'),
      max_tokens: 9,
      tools: [{ name: 'f', description: text, input_schema: { type: 'object' } }],
    }),
  ],
  ['Gemini', 'the contents', geminiPath, (text) => ({ contents: [{ role: 'user', parts: [{ text }] }] })],
  ...['systemInstruction', 'system_instruction'].map((key): (typeof places)[number] => [
    'Gemini',
    key,
    geminiPath,
    (text) => ({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }], [key]: { parts: [{ text }] } }),
  ]),
  [
    'Gemini',
    'a tool description',
    geminiPath,
    (text) => ({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      tools: [{ functionDeclarations: [{ name: 'f', description: text }] }],
    }),
  ],
  ['completions', 'the prompt', '/v1/completions', (text) => ({ model: 'gpt-3.5-turbo-instruct', prompt: text })],
  [
    'embeddings',
    'one of the inputs',
    '/v1/embeddings',
    (text) => ({ model: 'text-embedding-3-small', input: ['a', text] }),
  ],
  [
    'Gemini embeddings',
    'the content',
    '/v1beta/models/text-embedding-3-small:embedContent',
    (text) => ({ content: { parts: [{ text }] } }),
  ],
  ['moderations', 'the input', '/v1/moderations', (text) => ({ model: 'omni-moderation-latest', input: text })],
  ['pictures', 'the prompt', '/v1/images/generations', (text) => ({ model: 'dall-e-3', prompt: text })],
  ['speech', 'the input', '/v1/audio/speech', (text) => ({ model: 'tts-1', voice: 'alloy', input: text })],
];

async function refused(response: Response): Promise<void> {
  const text = await response.text();
  expect(response.status, text).toBe(400);
  expect(text).toContain('words that are not allowed');
  expect(await openHolds(gateway)).toBe(0);
}

describe('words an operator does not accept', () => {
  it.each(places)('are found in %s: %s', async (_format, _place, path, body) => {
    const before = gateway.upstream.requests.length;
    for (const text of ['a ForbiddenWord b', 'data: say forbiddenword'])
      await refused(await gateway.call(path, body(text)));
    expect(gateway.upstream.requests.length).toBe(before);
    expect((await gateway.call(path, body('a harmless text'))).status).not.toBe(400);
  });

  it.each([
    ['/v1/images/edits', 'gpt-image-1', 'image'],
    ['/v1/audio/transcriptions', 'whisper-1', 'file'],
    ['/v1/audio/translations', 'whisper-1', 'file'],
  ])('are found in the prompt of a form: %s', async (path, name, file) => {
    const form = new FormData();
    form.set('model', name);
    form.set('prompt', 'a forbiddenword b');
    form.set(file, new Blob([Buffer.from('\x89PNG')], { type: 'image/png' }), 'a.png');
    const headers = { authorization: `Bearer ${gateway.key}` };
    await refused(await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: form }));
  });

  it.each([
    ['written in full-width letters', 'ｆｏｒｂｉｄｄｅｎｗｏｒｄ'],
    ['cut by a zero-width space', 'forbidden\u200bword'],
    ['cut by a soft hyphen and a joiner', 'for\u00adbid\u200dden\u2060word'],
    ['in another script', '有一个机\ufeff密计划'],
    ['behind a data URL of text', 'data:text/plain,forbiddenword'],
    ['as what looks like media', 'data:image/png;base64,forbiddenword'],
  ])('are found %s', async (_how, text) =>
    refused(await gateway.chat({ messages: [{ role: 'user', content: text }] })),
  );

  it('are found across two parts of one message, and not across messages', async () => {
    const parts = ['for', 'bidden', 'word'].map((text) => ({ type: 'text', text }));
    await refused(await gateway.chat(said(parts)));
    const messages = parts.map((part) => ({ role: 'user', content: [part] }));
    expect((await gateway.chat({ messages })).status).toBe(200);
  });

  it('are not looked for in the bytes of a picture', async () => {
    const data = `${Buffer.alloc(900, 1).toString('base64')}forbiddenword${'A'.repeat(300)}`;
    const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } };
    expect((await gateway.chat(said([picture]))).status).toBe(200);
  });

  it('are found anywhere in a prompt of megabytes, however it is cut', async () => {
    const filler = '好吧 '.repeat(500_000);
    await refused(await gateway.chat(said(`${filler}forbiddenword`)));
    await refused(await gateway.chat(said(`${'x\\'.repeat(1_000_000)}forbidden\u200bword${filler}`)));
    const tools = [{ type: 'function', function: { name: 'f', parameters: { properties: { forbiddenword: {} } } } }];
    await refused(await gateway.chat({ ...said(filler), tools }));
    expect((await gateway.chat(said(filler))).status).toBe(200);
  });

  it('are looked for only once a call is paid for, when the prompt is long', async () => {
    const id = await gateway.addUser('poor', 1);
    const key = await gateway.addToken(id);
    const response = await gateway.chat(said(`${'a b '.repeat(400_000)}forbiddenword`), { key });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: 'insufficient_user_quota' } });
  });
});
