import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';

const day = 86_400;
const now = () => Math.floor(Date.now() / 1000);

/** Calls that consoles of later years make (console reference, 15). */
describe.each(engines)('a newer console on %s', (engine) => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let alice: ConsoleClient;
  beforeAll(async () => {
    gateway = await startGateway(engine);
    root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
    alice = createConsoleClient(gateway.url);
    await alice.signIn('alice', 'correct horse battery');
  });
  afterAll(() => gateway.stop());

  it('creates codes with an expiry, and clears those that can no longer be used', async () => {
    const create = (input: Record<string, unknown>) =>
      root.data(root.post('/api/redemption/', { name: 'gift', quota: 1000, count: 1, ...input }));
    expect((await root.post('/api/redemption/', { name: 'late', quota: 1, expired_time: now() - 1 })).success).toBe(
      false,
    );
    const [used, kept, lateCode] = [
      await create({}),
      await create({ name: 'kept', expired_time: now() + day }),
      await create({ name: 'late', expired_time: now() + day }),
    ].map(([code]) => String(code));
    await create({ name: 'off' });
    const { items } = await root.data(root.get('/api/redemption/?page_size=10'));
    const idOf = (name: string) => items.find((item: { name: string }) => item.name === name).id;
    await root.data(root.put('/api/redemption/?status_only=true', { id: idOf('off'), status: 2 }));
    await root.data(root.put('/api/redemption/', { id: idOf('kept'), name: 'kept', quota: 2000 }));
    await gateway.app.database.redemptions.update({ expired_time: now() - 1 }, { where: { id: idOf('late') } });
    const refused = await alice.post('/api/user/topup', { key: lateCode }, { 'accept-language': 'en' });
    expect(refused).toMatchObject({ success: false, message: expect.stringContaining('has expired') });
    await alice.data(alice.post('/api/user/topup', { key: used }));
    expect((await alice.delete('/api/redemption/invalid')).success).toBe(false);
    expect(await root.data(root.delete('/api/redemption/invalid'))).toBe(3);
    expect(await root.data(root.delete('/api/redemption/invalid'))).toBe(0);
    const left = await root.data(root.get('/api/redemption/'));
    expect(left.items).toMatchObject([{ name: 'kept', quota: 2000, key: kept, expired_time: expect.any(Number) }]);
    expect(left.items[0].expired_time).toBeGreaterThan(now());
    expect(await alice.data(alice.post('/api/user/topup', { key: kept }))).toBe(2000);
    await gateway.verifyBooks();
  });

  it('shows the remaining quota of a key only to callers who have it', async () => {
    const key = await gateway.addToken(gateway.userId, {
      name: 'limited',
      unlimited_quota: false,
      remain_quota: 5000,
      model_limits_enabled: true,
      model_limits: 'gpt-4o-mini,gpt-4o',
    });
    const ask = (authorization?: string) =>
      fetch(`${gateway.url}/api/usage/token/`, { headers: { ...(authorization && { authorization }) } });
    const response = (await (await ask(`Bearer ${key}`)).json()) as { code: boolean; data: Record<string, unknown> };
    expect(response).toMatchObject({
      code: true,
      data: {
        object: 'token_usage',
        name: 'limited',
        total_granted: 5000,
        total_used: 0,
        total_available: 5000,
        unlimited_quota: false,
        expires_at: 0,
        model_limits: { 'gpt-4o': true, 'gpt-4o-mini': true },
      },
    });
    for (const wrong of [undefined, 'Bearer sk-nobody', 'Bearer ']) expect((await ask(wrong)).status).toBe(401);
    expect((await alice.get('/api/usage/token/')).status).toBe(401);
  });

  it('reads several keys at once, the own ones only, and leaves a trace', async () => {
    const other = await gateway.addUser('bob', 0);
    await gateway.addToken(other, { name: 'of bob' });
    const [foreign] = await gateway.app.database.tokens.findAll({ where: { user_id: other }, raw: true });
    const own = await alice.data(alice.get('/api/token/'));
    const ids = own.map(({ id }: { id: number }) => id);
    const { keys } = await alice.data(alice.post('/api/token/batch/keys', { ids: [...ids, foreign?.id, 999_999] }));
    expect(keys).toEqual(Object.fromEntries(own.map(({ id, key }: { id: number; key: string }) => [id, key])));
    const trail = await root.data(root.get('/api/audit/?action=token.reveal'));
    expect(trail.total).toBe(ids.length);
    const many = Array.from({ length: 101 }, (_, index) => index + 1);
    expect((await alice.post('/api/token/batch/keys', { ids: many })).success).toBe(false);
  });

  it('knows what can be bought, and lists what was', async () => {
    expect(await alice.data(alice.get('/api/user/topup/info'))).toMatchObject({
      enable_online_topup: false,
      pay_methods: [],
    });
    await gateway.setOption('ServerAddress', 'https://gate.example.com');
    await gateway.setOption('PayAddress', 'https://pay.example.com');
    await gateway.setOption('EpayId', '1001');
    await gateway.setOption('EpayKey', 'merchant key');
    const info = await alice.data(alice.get('/api/user/topup/info', { 'accept-language': 'en' }));
    expect(info).toMatchObject({ enable_online_topup: true, min_topup: 1 });
    expect(info.pay_methods).toEqual([
      { name: 'Alipay', type: 'zfb' },
      { name: 'WeChat Pay', type: 'wx' },
    ]);
    const order = await alice.post('/api/user/pay', { amount: 3, payment_method: info.pay_methods[0].type });
    const trade_no = order.body.data.out_trade_no;
    const mine = await alice.data(alice.get('/api/user/topup/self'));
    expect(mine).toMatchObject({ total: 1, items: [{ trade_no, status: 'pending', user_id: alice.userId }] });
    expect((await alice.get('/api/user/topup')).success).toBe(false);
    expect(await root.data(root.get('/api/user/topup/self'))).toMatchObject({ total: 0 });
    expect(await root.data(root.get(`/api/user/topup?keyword=${trade_no}`))).toMatchObject({ total: 1 });
    expect(await root.data(root.get('/api/user/topup?keyword=unknown'))).toMatchObject({ total: 0, items: [] });
  });
});
