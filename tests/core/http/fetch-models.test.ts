import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { json } from '../../support/upstream-script.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
const accountOf = (private_key: string) =>
  JSON.stringify({ type: 'service_account', project_id: 'p-1', client_email: 'a@p-1.example', private_key });
const english = { 'accept-language': 'en' };

describe('the models an upstream serves, before its channel is saved', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;

  beforeAll(async () => {
    gateway = await startGateway();
    root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
  });
  afterEach(() => gateway.upstream.reset());
  afterAll(() => gateway.stop());

  const openAiList = { object: 'list', data: [{ id: 'm-1' }] };
  const read: [string, Record<string, unknown>, string, unknown][] = [
    [
      'the account of Cloudflare',
      { type: 39, other: 'acc-1' },
      '/client/v4/accounts/acc-1/ai/models/search',
      { result: [{ name: 'm-1' }] },
    ],
    ['the version of Azure', { type: 3, other: '2024-10-21' }, 'api-version=2024-10-21', openAiList],
    ['the default version of Azure', { type: 3 }, 'api-version=2023-06-01-preview', openAiList],
    [
      'the region in the key of AWS',
      { type: 33, key: 'AKID|secret|us-east-1' },
      '/foundation-models',
      {
        modelSummaries: [
          {
            modelId: 'anthropic.claude-3-haiku-20240307-v1:0',
            inferenceTypesSupported: ['ON_DEMAND'],
            modelLifecycle: { status: 'ACTIVE' },
          },
        ],
      },
    ],
  ];
  it.each(read)('are read with %s', async (_what, input, path, response) => {
    gateway.upstream.respond(json(200, response));
    const { success, message, data } = (
      await root.post('/api/channel/fetch_models', { base_url: gateway.upstream.url, key: 'k', ...input }, english)
    ).body;
    expect([success, message]).toEqual([true, '']);
    expect(data).toHaveLength(1);
    expect(gateway.upstream.requests.at(-1)?.path).toContain(path);
  });

  const refused: [string, Record<string, unknown>, RegExp][] = [
    ['no account of Cloudflare', { type: 39 }, /Account ID/],
    ['no address of Azure', { type: 3, base_url: '' }, /base URL/],
    ['an invalid version of Azure', { type: 3, other: 'a b' }, /api-version/],
    ['a key of AWS in two parts', { type: 33, key: 'AKID|secret' }, /must look like/],
    ['a key of Vertex that is no JSON', { type: 41, key: 'plain', other: 'global' }, /service account/],
    ['a key of Vertex of another kind', { type: 41, key: '{"type":"x"}', other: 'global' }, /must look like/],
    ['a key of Vertex that cannot sign', { type: 41, key: accountOf('no key'), other: 'global' }, /private_key/],
    ['no region of Vertex', { type: 41, key: accountOf(pem) }, /region/],
    ['a type without a list', { type: 27 }, /does not provide a model list/],
    ['an invalid proxy', { setting: '{"proxy":"ftp://x"}' }, /proxy/],
  ];
  it.each(refused)('are refused with 400 and the reason: %s', async (_what, input, says) => {
    const body = { base_url: gateway.upstream.url, key: 'k', ...input };
    const { status, success, message } = await root.post('/api/channel/fetch_models', body, english);
    expect([status, success, message]).toEqual([400, false, expect.stringMatching(says)]);
    expect(gateway.upstream.requests).toEqual([]);
  });
});
