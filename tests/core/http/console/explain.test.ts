import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { failure } from '../../../support/upstream-script.ts';

const password = 'correct horse battery';

describe('POST /api/explain (promise 6)', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;

  beforeAll(async () => {
    gateway = await startGateway();
    root = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', password));
  });
  afterAll(() => gateway?.stop());

  it('takes the body as text or as an object, and refuses others with a reason', async () => {
    const messages = [{ role: 'user', content: 'hi' }];
    const [text, object] = await Promise.all([
      root.data(root.post('/api/explain', { body: JSON.stringify({ model: 'gpt-4o-mini', messages }) })),
      root.data(root.post('/api/explain', { model: 'gpt-4o-mini', body: { messages, temperature: 0 } })),
    ]);
    expect(JSON.parse(text.request.body)).toEqual({ model: 'gpt-4o-mini', messages });
    expect(JSON.parse(object.request.body)).toEqual({ model: 'gpt-4o-mini', messages, temperature: 0 });
    const wrong = [
      [{}, 'model'],
      [{ model: 'gpt-4o-mini', protocol: 'smoke' }, 'protocol'],
      [{ model: 'gpt-4o-mini', group: 'default', token_id: 1 }, 'omit one of the two'],
      [{ model: 'gpt-4o-mini', body: '[1]' }, 'JSON'],
      [{ model: 'gpt-4o-mini', token_id: 999_999 }, '999999'],
    ] as const;
    for (const [input, words] of wrong) {
      const response = await root.post('/api/explain', input, { 'accept-language': 'en' });
      expect(response, JSON.stringify(input)).toMatchObject({ success: false });
      expect(response.message).toContain(words);
    }
  });

  it('is for admins alone', async () => {
    const alice = createConsoleClient(gateway.url);
    await alice.data(alice.signIn('alice', password));
    expect((await alice.post('/api/explain', { model: 'gpt-4o-mini' })).success).toBe(false);
  });

  it('M knows which channels rest after failures, which the command line cannot', async () => {
    await gateway.setOption('RetryTimes', '0');
    await gateway.addChannel({ name: 'spare', priority: -1 });
    gateway.upstream.always(failure(500));
    for (let call = 0; call < 6; call += 1) await (await gateway.chat()).text();
    const { channels, sees_circuits } = await root.data(root.post('/api/explain', { model: 'gpt-4o-mini' }));
    expect(sees_circuits).toBe(true);
    const [resting] = (channels as { name: string; reasons: { code: string }[] }[]).filter(({ reasons }) =>
      reasons.some(({ code }) => code === 'explain.circuitOpen'),
    );
    expect(resting?.name).toBe('fake');
    const inChinese = await root.post('/api/explain', { model: 'gpt-4o-mini' }, { 'accept-language': 'zh' });
    expect(JSON.stringify(inChinese.data.channels)).toContain('连续失败');
  });
});
