import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startMailServer } from '../../../support/mail-server.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

describe('settings over HTTP', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  beforeAll(async () => {
    gateway = await startGateway();
    root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
  });
  afterAll(() => gateway.stop());

  const put = (key: string, value: unknown) => root.put('/api/option/', { key, value });
  async function stored(key: string): Promise<string | undefined> {
    const entries: { key: string; value: string }[] = await root.data(root.get('/api/option/'));
    return entries.find((entry) => entry.key === key)?.value;
  }

  it('A-130 A-215 A-216 are listed as text, saved one by one, and in force at once', async () => {
    expect(await stored('RetryTimes')).toBe('2');
    expect(await stored('ServerAddress')).toBe('');
    const saved = await put('SystemName', 'My gateway');
    expect(saved.body).toEqual({ success: true, message: '' });
    expect((await root.data(root.get('/api/status'))).system_name).toBe('My gateway');
    expect(await stored('SystemName')).toBe('My gateway');
  });

  it('hide every secret, and B91 keep it when its blank comes back', async () => {
    const secrets = ['SMTPToken', 'EpayKey', 'TurnstileSecretKey', 'GitHubClientSecret', 'WorkerValidKey'];
    await root.data(put('ServerAddress', 'https://gate.example.com'));
    for (const key of secrets) await root.data(put(key, `secret of ${key}`));
    await root.data(put('TurnstileSiteKey', 'site-key'));
    const entries: { key: string; value: string }[] = await root.data(root.get('/api/option'));
    expect(entries.filter(({ key }) => /(token|secret|key)$/i.test(key))).toEqual([]);
    expect(JSON.stringify(entries)).not.toContain('secret of');
    for (const key of [...secrets, 'TurnstileSiteKey']) await root.data(put(key, ''));
    const { options } = gateway.app.services;
    expect(options.get('EpayKey')).toBe('secret of EpayKey');
    expect(options.get('TurnstileSiteKey')).toBe('site-key');
    await options.resetMany(systemActor, [...secrets, 'ServerAddress']);
  });

  it('tell the settings page which are set and which prices are the own ones, and no secret', async () => {
    const { options } = gateway.app.services;
    await options.setMany(
      systemActor,
      Object.entries({ ServerAddress: 'https://gate.example.com', EpayKey: 'secret of the shop' }).map(
        ([key, value]) => ({ key, value }),
      ),
    );
    await root.data(put('ModelRatio', '{"my-model":3}'));
    const details: { key: string; value: string; has: boolean; own: string }[] = await root.data(
      root.get('/api/option/detail'),
    );
    const detail = (key: string) => details.find((one) => one.key === key);
    expect(detail('EpayKey')).toEqual({ key: 'EpayKey', value: '', has: true, own: '', version: expect.any(String) });
    expect(detail('GitHubClientSecret')).toMatchObject({ has: false });
    expect(detail('ModelRatio')).toMatchObject({ has: true, own: '{"my-model":3}' });
    expect(JSON.parse(detail('ModelRatio')?.value ?? '')).toHaveProperty('gpt-4o');
    await options.resetMany(systemActor, ['EpayKey', 'ModelRatio', 'ServerAddress']);
  });

  it('send a test mail with what is saved, and say why a mail server refused it', async () => {
    const test = (email: string) =>
      root.post('/api/option/test_mail', { email }, { 'accept-language': 'en' }).then(({ body }) => body);
    expect(await test('ops@example.com')).toMatchObject({ success: false, message: expect.stringContaining('mail') });
    const mailServer = await startMailServer();
    await root.data(put('SMTPServer', '127.0.0.1'));
    await root.data(put('SMTPPort', String(mailServer.port)));
    await root.data(put('SMTPFrom', 'gateway@example.com'));
    expect(await test('ops@example.com')).toEqual({ success: true, message: '' });
    expect((await mailServer.take('ops@example.com')).text).toContain('mail settings are correct');
    await mailServer.close();
    expect(await test('ops@example.com')).toMatchObject({
      success: false,
      message: expect.stringContaining('cannot be reached (ECONNREFUSED)'),
    });
    expect(await test('no address')).toMatchObject({ success: false });
    const refusing = (code: number) => (_: unknown, _session: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error('no'), { responseCode: code }));
    for (const [handlers, words] of [
      [{ onRcptTo: refusing(550) }, 'rejected the recipient (EENVELOPE 550)'],
      [{ onMailFrom: refusing(553) }, 'rejected the sender (EENVELOPE 553)'],
      [{ secure: true }, 'turn on SMTP SSL'],
    ] as const) {
      const strict = await startMailServer(handlers);
      await root.data(put('SMTPPort', String(strict.port)));
      expect(await test('ops@example.com')).toMatchObject({ success: false, message: expect.stringContaining(words) });
      await strict.close();
    }
    for (const key of ['SMTPServer', 'SMTPPort', 'SMTPFrom'])
      await gateway.app.services.options.reset(systemActor, key);
  });

  it('S11 say that a secret went with its address', async () => {
    await root.data(put('SMTPServer', 'mail.example.com'));
    await root.data(put('SMTPToken', 'secret of the mail server'));
    const moved = await put('SMTPServer', 'evil.example.com');
    expect(moved).toMatchObject({ status: 200, success: false, message: expect.stringContaining('SMTPToken') });
    const emptied = await root.put('/api/option/', { key: 'SMTPServer', value: '' }, { 'accept-language': 'en' });
    const message = 'SMTPToken was deleted together with its address: enter it again when you set a new one';
    expect(emptied.body).toEqual({ success: true, message });
    expect((await put('SMTPServer', 'evil.example.com')).body).toEqual({ success: true, message: '' });
    expect(gateway.app.services.options.get('SMTPToken')).toBe('');
    await root.data(put('SMTPServer', ''));
  });

  it.each([[true], [5], [null], [['a']], [{ a: 1 }]])(
    'are refused with HTTP 400 when the value is not text: %j',
    async (value) => {
      expect(await put('RetryTimes', value)).toMatchObject({ status: 400, success: false });
      expect(await stored('RetryTimes')).toBe('2');
    },
  );

  it.each([
    ['B85', 'GroupRatio', '{"default":1,"vip":'],
    ['B85', 'ModelRatio', 'null'],
    ['B85', 'UserUsableGroups', '["default"]'],
    ['B86', 'GroupRatio', '{"default":-1}'],
    ['B86', 'ModelRatio', '{"a":NaN}'],
    ['B86', 'ModelRatio', '{"a":1e308}'],
    ['B86', 'CompletionRatio', '{"a":null}'],
    ['B86', 'ModelPrice', '{"a":"1"}'],
    ['A-166', 'TopupGroupRatio', '{"default":"x"}'],
    ['B89', 'DrawingEnabled', 'yes'],
    ['B89', 'RetryTimes', 'abc'],
    ['B89', 'RetryTimes', ''],
    ['B90', 'NoSuchOption', '1'],
    ['B90', '__proto__', '1'],
    ['B92', 'ServerAddress', 'javascript:alert(1)'],
    ['B92', 'ServerAddress', 'https://user:pass@example.com'],
    ['B92', 'ServerAddress', 'https://example.com/path'],
    ['B92', 'ServerAddress', 'https://example.com\nSet-Cookie: a'],
    ['B93', 'PayAddress', 'http://169.254.169.254/pay'],
    ['B93', 'WorkerUrl', 'http://[::ffff:a9fe:a9fe]/'],
    ['B95', 'Logo', 'data:image/png;base64,AAAA'],
    ['B95', 'Logo', `https://example.com/${'a'.repeat(51_200)}`],
    ['B96', 'Chats', '[{"a":"javascript:alert(1)"}]'],
    ['B96', 'Chats', '{"a":"https://x.example"}'],
    ['guard', 'GitHubOAuthEnabled', 'true'],
    ['guard', 'TurnstileCheckEnabled', 'true'],
  ])('%s %s is refused as %j, and the old value kept', async (_number, key, value) => {
    const before = await stored(key);
    const chinese = await put(key, value);
    expect(chinese).toMatchObject({ status: 200, success: false });
    expect(chinese.message).toMatch(/[\u4e00-\u9fff]/);
    const english = await root.put('/api/option/', { key, value }, { 'accept-language': 'en' });
    expect(english.message).not.toMatch(/[\u4e00-\u9fff]/);
    expect(await stored(key)).toBe(before);
  });

  it('B88 take any name for a plain model or group, and pollute nothing', async () => {
    await root.data(put('GroupRatio', '{"default":1,"vip":1,"svip":1,"__proto__":3,"constructor":2}'));
    expect(await root.data(root.get('/api/group/'))).toContain('__proto__');
    expect(({} as Record<string, unknown>).default).toBeUndefined();
    await gateway.app.services.options.reset(systemActor, 'GroupRatio');
  });

  it('B87 accept 60,000 models, and say of 100,000 that they are too many', async () => {
    const models = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1])));
    expect((await put('ModelPrice', models(60_000))).success).toBe(true);
    expect((await put('ModelPrice', models(100_000))).status).toBe(413);
    await gateway.app.services.options.reset(systemActor, 'ModelPrice');
  });

  it('S11 send an address together with its secret, or leave the word that the stored one may go there', async () => {
    const smtp = { SMTPServer: 'mail.example.com', SMTPToken: 'first' };
    const batch = (values: Record<string, string>, more = {}) =>
      root.put('/api/option/batch', {
        options: Object.entries(values).map(([key, value]) => ({ key, value })),
        ...more,
      });
    await root.data(batch(smtp));
    expect((await put('SMTPServer', 'evil.example.com')).success).toBe(false);
    expect((await batch({ SMTPServer: 'evil.example.com', RetryTimes: '9' })).success).toBe(false);
    expect(await stored('RetryTimes')).toBe('2');
    expect(await stored('SMTPServer')).toBe('mail.example.com');
    await root.data(batch({ SMTPServer: 'mail2.example.com', SMTPToken: 'second' }));
    await root.data(
      root.put('/api/option/', { key: 'SMTPServer', value: 'mail3.example.com', confirmKeepSecret: true }),
    );
    expect(gateway.app.services.options.get('SMTPToken')).toBe('second');
    expect((await root.put('/api/option/batch', { options: [{ key: 'RetryTimes', value: 5 }] })).status).toBe(400);
  });

  it('say what is in the way of a change made from an older version, with HTTP 409 and in both languages', async () => {
    const details: { key: string; version: string }[] = await root.data(root.get('/api/option/detail'));
    const version = details.find(({ key }) => key === 'GroupRatio')?.version;
    await root.data(put('GroupRatio', '{"default":1,"gold":2}'));
    const entry = { key: 'GroupRatio', value: '{"default":1,"silver":3}', version };
    const alone = await root.put('/api/option/', entry);
    expect(alone).toMatchObject({
      status: 409,
      success: false,
      message: expect.stringMatching(/root 在您打开之后修改/),
    });
    const english = { 'accept-language': 'en' };
    const batch = await root.put('/api/option/batch', { options: [entry] }, english);
    expect(batch.message).toMatch(/root changed GroupRatio/);
    const [conflict] = (batch.body.data as { conflicts: Record<string, unknown>[] }).conflicts;
    expect(conflict).toMatchObject({ key: 'GroupRatio', own: '{"default":1,"gold":2}', changed_by: 'root' });
    expect(await stored('GroupRatio')).toBe('{"default":1,"gold":2}');
    await root.data(root.put('/api/option/', { ...entry, version: conflict?.version }));
    expect(await stored('GroupRatio')).toBe(entry.value);
    await gateway.app.services.options.reset(systemActor, 'GroupRatio');
  });

  it('A-090 A-217 put the model ratios back to the built-in ones', async () => {
    const builtin = await stored('ModelRatio');
    await root.data(put('ModelRatio', '{"gpt-4o":99}'));
    expect(JSON.parse((await stored('ModelRatio')) ?? '')).toMatchObject({ 'gpt-4o': 99 });
    expect((await root.post('/api/option/rest_model_ratio')).body).toEqual({ success: true, message: '' });
    expect(await stored('ModelRatio')).toBe(builtin);
  });

  it('A-049 are for root alone', async () => {
    const admin = createConsoleClient(gateway.url);
    const id = await gateway.addUser('keeper', 0);
    await gateway.app.database.users.update({ role: 10 }, { where: { id } });
    await admin.signIn('keeper', 'correct horse battery');
    expect((await admin.get('/api/option/')).status).toBe(403);
    expect((await admin.put('/api/option/', { key: 'RetryTimes', value: '1' })).status).toBe(403);
    expect((await admin.post('/api/option/rest_model_ratio')).status).toBe(403);
  });
});
