import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../support/console-client.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { engines } from '../support/temporary-database.ts';

const dollar = 500_000;
const password = 'correct horse battery';

/** As the payment service signs (Epay sheet): every field but the signature, sorted, the secret behind it. */
function signedQuery(fields: Record<string, string>, key: string): string {
  const text = Object.keys(fields)
    .filter((name) => fields[name] !== '')
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
  const sign = createHash('md5')
    .update(text + key)
    .digest('hex');
  return new URLSearchParams({ ...fields, sign, sign_type: 'MD5' }).toString();
}

// Each step builds on the ones before it, as in an installation's life.
describe.each(engines)('the life of an installation on %s, through HTTP alone', (engine) => {
  let gateway: TestGateway;
  let mail: MailServer;
  let root: ConsoleClient;
  let ann: ConsoleClient;
  let bob: ConsoleClient;
  let annsKey = '';
  let channelId = 0;

  beforeAll(async () => {
    mail = await startMailServer();
    gateway = await startGateway(engine);
    [root, ann, bob] = [0, 1, 2].map(() => createConsoleClient(gateway.url)) as [
      ConsoleClient,
      ConsoleClient,
      ConsoleClient,
    ];
  });
  afterAll(async () => {
    await gateway?.stop();
    await mail?.close();
  });

  const quotaOf = async (user: ConsoleClient) => (await user.data(user.get('/api/user/self'))).quota as number;

  async function register(email: string, username: string, affCode = ''): Promise<void> {
    const guest = createConsoleClient(gateway.url);
    await guest.data(guest.get(`/api/verification?email=${encodeURIComponent(email)}`));
    const code = /\b[0-9a-f]{6}\b/.exec((await mail.take(email)).text)?.[0] ?? '';
    const form = { username, password, password2: password, email, verification_code: code, aff_code: affCode };
    await guest.data(guest.post('/api/user/register', form));
  }

  it('A-002 begins with root, who sets it up', async () => {
    await root.data(root.signIn('root', password));
    const settings: Record<string, string> = {
      SystemName: 'Harbour',
      ServerAddress: gateway.url,
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mail.port),
      SMTPFrom: 'gateway@example.com',
      EmailVerificationEnabled: 'true',
      QuotaForNewUser: String(2 * dollar),
      QuotaForInviter: String(dollar),
      QuotaForInvitee: String(dollar / 2),
      PayAddress: 'https://pay.example.com',
      EpayId: '1001',
      EpayKey: 'epaykey123',
      Price: '7.3',
    };
    for (const [key, value] of Object.entries(settings)) await root.data(root.put('/api/option/', { key, value }));
    const options = (await root.data(root.get('/api/option/'))) as { key: string; value: string }[];
    expect(options.find(({ key }) => key === 'SystemName')?.value).toBe('Harbour');
    expect(JSON.stringify(options)).not.toContain('epaykey123');
    expect(await root.data(root.get('/api/status'))).toMatchObject({
      system_name: 'Harbour',
      enable_online_topup: true,
    });
  });

  it('A-002 gets channels, tagged and tested', async () => {
    const channel = {
      type: 1,
      name: 'harbour',
      key: 'k1\nk2',
      models: 'gpt-4o-mini,gpt-4o',
      group: 'default',
      groups: ['default'],
      base_url: gateway.upstream.url,
    };
    await root.data(root.post('/api/channel/', channel));
    const list = (await root.data(root.get('/api/channel/?p=0&page_size=20'))) as {
      id: number;
      name: string;
      key: string;
    }[];
    const made = list.filter(({ name }) => name === 'harbour');
    expect(made).toHaveLength(2);
    expect(made.every(({ key }) => key === '')).toBe(true);
    const ids = made.map(({ id }) => id);
    expect(await root.data(root.post('/api/channel/batch/tag', { ids, tag: 'pier' }))).toBe(2);
    await root.data(root.put('/api/channel/tag', { tag: 'pier', priority: 5 }));
    channelId = ids[0] ?? 0;
    expect((await root.get(`/api/channel/test/${channelId}?model=gpt-4o-mini`)).body).toMatchObject({ success: true });
    expect((await root.data(root.get('/api/models'))) as object).toHaveProperty('1');
  });

  it('A-003 takes in a user by mail, who invites another', async () => {
    await register('ann@example.com', 'ann');
    await ann.data(ann.signIn('ann', password));
    expect(await quotaOf(ann)).toBe(2 * dollar);
    const invitation = await ann.data(ann.get('/api/user/aff'));
    await register('bob@example.com', 'bob', invitation);
    await bob.data(bob.signIn('bob@example.com', password));
    expect(await quotaOf(bob)).toBe(2.5 * dollar);
    expect(await ann.data(ann.get('/api/user/self'))).toMatchObject({ aff_count: 1, aff_quota: dollar });
    await ann.data(ann.post('/api/user/aff_transfer', { quota: dollar }));
    expect(await quotaOf(ann)).toBe(3 * dollar);
  });

  it('sells quota by code and by payment, each exactly once', async () => {
    const codes = await root.data(root.post('/api/redemption/', { name: 'spring', quota: dollar, count: 2 }));
    expect(codes).toHaveLength(2);
    expect(await ann.data(ann.post('/api/user/topup', { key: codes[0] }))).toBe(dollar);
    expect(await ann.post('/api/user/topup', { key: codes[0] })).toMatchObject({ success: false });
    const order = (await ann.post('/api/user/pay', { amount: 10, payment_method: 'zfb', top_up_code: '' })).body;
    expect(order).toMatchObject({
      message: 'success',
      url: 'https://pay.example.com/submit.php',
      data: { money: '73.00' },
    });
    const { out_trade_no, name } = order.data;
    const paid = {
      pid: '1001',
      trade_no: 't1',
      out_trade_no,
      type: 'alipay',
      name,
      money: '73.00',
      trade_status: 'TRADE_SUCCESS',
    };
    for (let time = 0; time < 2; time += 1) {
      const notice = await root.get(`/api/user/epay/notify?${signedQuery(paid, 'epaykey123')}`);
      expect(notice.body).toBe('success');
    }
    expect((await root.get(`/api/user/epay/notify?${signedQuery(paid, 'wrong')}`)).body).toBe('fail');
    expect(await quotaOf(ann)).toBe(14 * dollar);
  });

  it('A-001 A-004 relays calls of a token and shows where the money went', async () => {
    await ann.data(
      ann.post('/api/token/', { name: 'laptop', remain_quota: dollar, expired_time: -1, unlimited_quota: false }),
    );
    const [token] = await ann.data(ann.get('/api/token/?p=0&size=10'));
    annsKey = `sk-${token.key}`;
    const response = await gateway.chat({}, { key: annsKey });
    expect(response.status).toBe(200);
    await response.text();
    const log = await ann.data(ann.get('/api/log/self?p=1&page_size=10&type=2'));
    expect(log).toMatchObject({
      total: 1,
      items: [{ model_name: 'gpt-4o-mini', token_name: 'laptop', username: 'ann' }],
    });
    const { quota } = log.items[0];
    expect(quota).toBeGreaterThan(0);
    expect(await quotaOf(ann)).toBe(14 * dollar - quota);
    expect(await ann.data(ann.get('/api/log/self/stat'))).toMatchObject({ quota, rpm: 1 });
    expect(await ann.data(ann.get('/api/data/self'))).toMatchObject([{ model_name: 'gpt-4o-mini', quota, count: 1 }]);
    expect(log.items[0].other).not.toContain('admin_info');
    // Her data belongs to her only.
    expect(await bob.data(bob.get('/api/log/self'))).toMatchObject({ items: [{ type: 4 }, { type: 4 }] });
    expect(await bob.get(`/api/token/${token.id}`)).toMatchObject({ success: false });
  });

  it('is run by an admin within their rights', async () => {
    expect((await bob.get('/api/user/')).status).toBe(403);
    await root.data(root.post('/api/user/manage', { id: bob.userId, action: 'promote' }));
    await bob.data(bob.signIn('bob', password));
    const users = await bob.data(bob.get('/api/user/search?keyword=ann&group=&p=1&page_size=10'));
    expect(users.items).toMatchObject([{ username: 'ann', password: '', access_token: null }]);
    expect(await bob.data(bob.post('/api/user/manage', { id: ann.userId, action: 'disable' }))).toMatchObject({
      status: 2,
    });
    const refused = await gateway.chat({}, { key: annsKey });
    expect(refused.status).toBe(403);
    await refused.text();
    await bob.data(bob.post('/api/user/manage', { id: ann.userId, action: 'enable' }));
    expect(await bob.post('/api/user/manage', { id: root.userId, action: 'disable' })).toMatchObject({
      success: false,
    });
    expect((await bob.get('/api/option/')).status).toBe(403);
    expect(await bob.data(bob.get('/api/log/?p=1&page_size=10&type=2&username=ann'))).toMatchObject({
      items: [{ username: 'ann', channel: expect.any(Number) }],
    });
  });

  it('has its logs cleared, and its books are still right', async () => {
    expect(await root.delete('/api/log/?target_timestamp=0')).toMatchObject({ success: false });
    const now = Math.floor(Date.now() / 1000);
    expect(await root.data(root.delete(`/api/log/?target_timestamp=${now}`))).toEqual(expect.any(Number));
    await gateway.verifyBooks();
    const audits = await root.data(root.get('/api/audit/?p=1&page_size=100'));
    const actions = (audits.items as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['option.set', 'channel.create', 'session.signIn', 'user.promote']));
  });
});
