import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { type FakeResponse, json, type RecordedRequest } from '../../../support/upstream-script.ts';
import { openHolds } from '../relay-checks.ts';

const mebibyte = 1024 * 1024;
const model = 'gemini-2.5-flash';
const reply = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi.' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 3, totalTokenCount: 23 },
};

let gateway: TestGateway;
let worker: RecordedRequest[] = [];
let open = 0;
let maxOpen = 0;

function png(bytes: number): Buffer {
  return Buffer.concat([Buffer.from('\x89PNG', 'latin1'), Buffer.alloc(bytes - 4, 7)]);
}

/** What stands under `https://media.example/<kind>/<bytes>/<n>`. */
function mediaOf(request: RecordedRequest): FakeResponse {
  worker.push(request);
  open += 1;
  maxOpen = Math.max(maxOpen, open);
  void request.closed.then(() => {
    open -= 1;
  });
  const { url } = request.json as { url: string };
  const [, kind = '', bytes = '0'] = new URL(url).pathname.split('/');
  const firstByteMs = 20;
  if (kind === 'page') {
    return { firstByteMs, headers: { 'content-type': 'text/html' }, generatedBytes: 20 * mebibyte };
  }
  if (kind === 'note') return { firstByteMs, headers: { 'content-type': 'text/plain' }, body: Buffer.from('a note') };
  return { firstByteMs, headers: { 'content-type': 'image/png' }, body: png(Number(bytes)) };
}

beforeAll(async () => {
  gateway = await startGateway(
    'sqlite',
    { UPSTREAM_PRIVATE: '127.0.0.1', RELAY_BODY_LIMIT: '2MiB' },
    { overloadLimits: { memoryBytes: 8 * mebibyte } },
  );
  for (const [name, priority] of [
    ['first', 2],
    ['second', 1],
  ] as const) {
    await gateway.addChannel({ type: 24, name, key: `${name}-key`, models: model, priority });
  }
  await gateway.setOption('ModelRatio', JSON.stringify({ [model]: 1 }));
  await gateway.setOption('WorkerUrl', `${gateway.upstream.url}/worker`);
  await gateway.setOption('WorkerValidKey', 'key-of-the-worker');
  await gateway.setOption('RetryTimes', '1');
});
afterEach(async () => {
  gateway.upstream.reset();
  worker = [];
  maxOpen = 0;
  expect(await openHolds(gateway)).toBe(0);
});
afterAll(() => gateway.stop());

const picture = (url: string) => ({ type: 'image_url', image_url: { url } });
const addresses = (count: number, bytes: number, kind = 'png') =>
  Array.from({ length: count }, (_, index) => `https://media.example/${kind}/${bytes}/${index}`);

function ask(urls: string[], key = gateway.key): Promise<Response> {
  gateway.upstream.route('/worker', mediaOf);
  return gateway.chat({ model, messages: [{ role: 'user', content: urls.map(picture) }] }, { key });
}

interface GeminiBody {
  contents: { parts: { inlineData?: { data: string } }[] }[];
}

function sentPictures(): string[] {
  const sent = gateway.upstream.requests.filter(({ path }) => path.includes('generateContent')).at(-1);
  const { contents } = (sent?.json ?? { contents: [] }) as GeminiBody;
  return contents.flatMap(({ parts }) => parts.flatMap(({ inlineData }) => (inlineData ? [inlineData.data] : [])));
}

describe('pictures that a call names by their addresses', () => {
  it('A-092 A-093 go to an upstream that does not fetch them, each once, six at a time, byte for byte', async () => {
    gateway.upstream.always(json(200, reply));
    const urls = addresses(20, 10_000);
    const response = await ask([...urls, ...urls]);
    expect(response.status, await response.text()).toBe(200);
    expect(worker.length).toBe(20);
    expect(worker.map(({ json }) => (json as { key: string }).key)).toEqual(new Array(20).fill('key-of-the-worker'));
    expect(maxOpen).toBeGreaterThan(1);
    expect(maxOpen).toBeLessThanOrEqual(6);
    const data = png(10_000).toString('base64');
    expect(sentPictures()).toEqual(new Array(40).fill(data));
  });

  it('are refused beyond twenty, before one of them is fetched', async () => {
    const response = await ask(addresses(21, 100));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('at most 20');
    expect(worker).toEqual([]);
  });

  it('are refused when all of them together are larger than a body may be', async () => {
    const response = await ask(addresses(5, 0.5 * mebibyte));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('exceed 2 MiB');
  });

  it('are fetched once for a call that goes to a second channel', async () => {
    gateway.upstream.always(({ headers }) =>
      headers['x-goog-api-key'] === 'first-key' ? json(500, { error: { message: 'broken' } }) : json(200, reply),
    );
    const response = await ask(addresses(3, 5000));
    expect(response.status, await response.text()).toBe(200);
    expect(worker.length).toBe(3);
    expect(sentPictures()).toEqual(new Array(3).fill(png(5000).toString('base64')));
    expect((await gateway.lastLog())?.other).toMatchObject({ admin_info: { use_channel: expect.anything() } });
  });

  it('are refused when one turns out to be something else, and nothing goes upstream', async () => {
    const response = await ask([...addresses(6, 1, 'page'), ...addresses(14, 100)]);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('cannot be fetched');
    expect(gateway.upstream.requests.every(({ path }) => path === '/worker')).toBe(true);
    // Those that were under way; the others are given up.
    expect(worker.length).toBeLessThanOrEqual(6);
  });

  it('may be files of text, which are written as such', async () => {
    gateway.upstream.always(json(200, reply));
    expect((await ask(addresses(1, 1, 'note'))).status).toBe(200);
    expect(sentPictures()).toEqual([Buffer.from('a note').toString('base64')]);
  });

  it('wait in line where memory has room for a few calls only: ten calls of which three fit are all served', async () => {
    gateway.upstream.always({ ...json(200, reply), firstByteMs: 300 });
    const urls = (call: number) => addresses(9, 0.2 * mebibyte).map((url) => `${url}/${call}`);
    const responses = await Promise.all(Array.from({ length: 10 }, (_, call) => ask(urls(call))));
    expect(responses.map(({ status }) => status)).toEqual(new Array(10).fill(200));
  });

  it('are held for: a call that names them needs a balance for them', async () => {
    const id = await gateway.addUser('short', 10_000);
    const key = await gateway.addToken(id);
    gateway.upstream.always(json(200, reply));
    const response = await ask(addresses(20, 100), key);
    expect(response.status).toBe(403);
    expect(worker).toEqual([]);
  });

  it('are fetched for nothing a hundred times and no more: a third party is not called through failing requests', async () => {
    const id = await gateway.addUser('reflector', 100_000_000);
    const key = await gateway.addToken(id);
    gateway.upstream.always(json(400, { error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } }));
    for (let call = 0; call < 5; call += 1) expect((await ask(addresses(20, 100), key)).status).toBe(400);
    const refused = await ask(addresses(1, 100), key);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(worker.length).toBe(100);
    gateway.upstream.always(json(200, reply));
    expect((await ask(addresses(1, 100))).status).toBe(200);
  });
});

describe('pictures that a vendor gives by their addresses', () => {
  const draw = (response_format: string) => {
    gateway.upstream.route('/worker', mediaOf);
    return gateway.call('/v1/images/generations', { model: 'cogview-3', prompt: 'a dot', response_format });
  };
  const drawn = (kind: string) => json(200, { created: 1, data: [{ url: `https://media.example/${kind}/5000/0` }] });

  beforeAll(async () => {
    await gateway.addChannel({ type: 26, name: 'drawing', models: 'cogview-3' });
    await gateway.setOption('ModelPrice', '{"cogview-3":0.01}');
  });

  it('come as base64 for a client that wants them so, and as addresses for others', async () => {
    gateway.upstream.always(drawn('png'));
    expect(await (await draw('url')).json()).toMatchObject({ data: [{ url: 'https://media.example/png/5000/0' }] });
    expect(worker).toEqual([]);
    expect(await (await draw('b64_json')).json()).toEqual({
      created: 1,
      data: [{ b64_json: png(5000).toString('base64') }],
    });
    expect((await gateway.lastLog())?.quota).toBe(5000);
  });

  it('are neither drawn again nor billed when one cannot be read', async () => {
    gateway.upstream.always(drawn('page'));
    const before = await gateway.quotaOf(gateway.userId);
    const response = await draw('b64_json');
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      502,
      'picture_unreadable',
    ]);
    expect(gateway.upstream.requests.filter(({ path }) => path.includes('images')).length).toBe(1);
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
  });
});
