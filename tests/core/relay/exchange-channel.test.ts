import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelStatus } from '../../../core/schemas/channel-status.ts';
import { wordsIn } from '../../../core/text/text.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { type FakeResponse, json, type RecordedRequest, stall } from '../../support/upstream-script.ts';

const model = 'ERNIE-4.0-8K';
const response = {
  id: 'as-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  result: 'Hi there.',
  is_truncated: false,
  usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
};
const expired = { error_code: 111, error_msg: 'Access token expired' };

let gateway: TestGateway;
let channelId: number;
/** Tokens given out so far, and those that no longer count. */
let given = 0;
const ended = new Set<string>();
const exchanges = () => gateway.upstream.requests.filter(({ path }) => path.startsWith('/oauth/'));
const chats = () => gateway.upstream.requests.filter(({ path }) => path.startsWith('/rpc/'));
const tokenOf = ({ path }: RecordedRequest) => new URLSearchParams(path.split('?')[1]).get('access_token') ?? '';

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('SelfUseModeEnabled', 'true');
  await gateway.setOption('AutomaticDisableChannelEnabled', 'true');
});
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});

/** Each test has a key of its own, and so no token yet. */
beforeEach(async () => {
  const { upstream } = gateway;
  upstream.reset();
  ended.clear();
  upstream.route('/oauth/2.0/token', () => {
    given += 1;
    return json(200, { access_token: `24.${given}`, expires_in: 2_592_000 });
  });
  upstream.always((request) => json(200, ended.has(tokenOf(request)) ? expired : response));
  await gateway.app.database.channels.destroy({ where: { type: 15 } });
  const key = `AK${given}x|SK${given}-0123456789abcdef`;
  channelId = await gateway.addChannel({ type: 15, name: 'baidu', models: model, key });
});

const ask = (body = {}) => gateway.chat({ model, ...body });
const statusOf = async () => (await gateway.app.database.channels.findByPk(channelId, { raw: true }))?.status;
const test = () => gateway.app.services.channelChecks.test(systemActor, channelId, model);

describe('a token that is given for a channel’s key', () => {
  it('is asked for once, however many calls wait for it, and kept', async () => {
    const responses = await Promise.all(Array.from({ length: 12 }, () => ask()));
    expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(200));
    await (await ask({ stream: true })).text();
    expect(exchanges()).toHaveLength(1);
    expect(exchanges()[0]).toMatchObject({ method: 'POST', body: Buffer.alloc(0) });
    expect(new Set(chats().map(tokenOf)).size).toBe(1);
  });

  it('is renewed once when the vendor says that it ended, for all calls that heard so', async () => {
    await ask();
    for (const request of chats()) ended.add(tokenOf(request));
    const responses = await Promise.all(Array.from({ length: 8 }, (_, place) => ask({ stream: place % 2 === 0 })));
    const texts = await Promise.all(responses.map((one) => one.text()));
    expect(texts.filter((text) => text.includes('Hi there.') || text.includes('upstream'))).toHaveLength(8);
    expect(exchanges()).toHaveLength(2);
    expect(await statusOf()).toBe(channelStatus.enabled);
  });

  it('that ends again at once is no good: the channel is, after one more try', async () => {
    gateway.upstream.always(json(200, expired));
    const response = await ask();
    expect(response.status).toBe(502);
    expect(chats()).toHaveLength(2);
    expect(exchanges()).toHaveLength(2);
    await expect.poll(statusOf).toBe(channelStatus.autoDisabled);
  });

  it('is renewed for a test of the channel, too', async () => {
    expect(await test()).toMatchObject({ ok: true });
    for (const request of chats()) ended.add(tokenOf(request));
    expect(await test()).toMatchObject({ ok: true, reason: '' });
    expect(exchanges()).toHaveLength(2);
  });

  it('comes with no word of the key in what a client or an operator reads', async () => {
    gateway.upstream.route('/oauth/2.0/token', json(401, { error: 'invalid_client', error_description: 'AK SK' }));
    const text = await (await ask()).text();
    expect(text).not.toMatch(/AK\d|SK\d|access_token/);
    await expect.poll(statusOf).toBe(channelStatus.autoDisabled);
    const { ok, reason } = await test();
    expect([ok, wordsIn('en', reason)]).toEqual([false, 'Baidu rejected the APIKey and SecretKey of this channel']);
  });
});

describe('a token server', () => {
  it.each<[string, FakeResponse]>([
    ['fails', json(500, 'oops')],
    ['sends something else', json(200, '<html>proxy</html>')],
    ['sends a token that would be two headers', json(200, { access_token: 'a\r\nx: y', expires_in: 60 })],
    ['hangs up', { end: { after: -1, how: 'cut' } }],
  ])('that %s costs the call, and not the channel', async (_what, broken) => {
    gateway.upstream.route('/oauth/2.0/token', broken);
    const response = await ask();
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(chats()).toHaveLength(0);
    expect(await statusOf()).toBe(channelStatus.enabled);
    const before = given;
    gateway.upstream.route('/oauth/2.0/token', () => {
      given = before + 1;
      return json(200, { access_token: `24.${given}`, expires_in: 2_592_000 });
    });
    expect((await ask()).status).toBe(200);
  });

  it('that says nothing does not keep a call whose client left', async () => {
    gateway.upstream.route('/oauth/2.0/token', stall('headers'));
    const cancel = new AbortController();
    const asked = gateway.chat({ model }, { signal: cancel.signal }).catch((error: Error) => error.name);
    await expect.poll(() => exchanges().length).toBe(1);
    cancel.abort();
    expect(await asked).toBe('AbortError');
    expect(chats()).toHaveLength(0);
  });
});
