import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../core/app.ts';
import { loadConfig } from '../../../core/config.ts';
import { createGateway } from '../../../core/gateway.ts';
import { signEpay } from '../../../core/integrations/epay/sign.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type ConsoleClient, createConsoleClient } from '../../support/console-client.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { engines } from '../../support/temporary-database.ts';

const key = 'epaykey123';
const path = '/api/user/epay/notify';

describe.each(engines)('buying quota on %s', (engine) => {
  let gateway: TestGateway;
  let second: { url: string; close(): Promise<void> };
  let alice: ConsoleClient;
  beforeAll(async () => {
    gateway = await startGateway(engine);
    second = await secondNode(gateway.environment);
    await set({ ServerAddress: 'https://gw.example.com' });
    await set({ PayAddress: 'https://pay.example.com/', EpayId: '1001', EpayKey: key });
    alice = createConsoleClient(gateway.url);
    await alice.data(alice.signIn('alice', 'correct horse battery'));
  });
  beforeEach(() => set({ EpayKey: key, DisplayInCurrencyEnabled: 'true' }));
  afterAll(async () => {
    await second.close();
    await gateway.stop();
  });

  const set = (values: Record<string, string>) =>
    gateway.app.services.options.setMany(
      systemActor,
      Object.entries(values).map(([name, value]) => ({ key: name, value })),
    );
  const balance = () => gateway.quotaOf(gateway.userId);

  async function order(amount = 10): Promise<Record<string, string>> {
    const { body } = await alice.post('/api/user/pay', { amount, payment_method: 'wx', top_up_code: '' });
    expect(body.message).toBe('success');
    return body.data;
  }
  function reportOf(fields: Record<string, string>, change: Record<string, string> = {}) {
    const { pid = '', out_trade_no = '', type = '', name = '', money = '' } = fields;
    const report = { pid, trade_no: '2023', out_trade_no, type, name, money, trade_status: 'TRADE_SUCCESS', ...change };
    return new URLSearchParams({ ...report, sign: signEpay(report, key), sign_type: 'MD5' });
  }
  const say = async (query: URLSearchParams | string, url = gateway.url) => {
    const response = await fetch(`${url}${path}?${query}`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    return response.text();
  };

  it('A-094 A-097 A-100 G-005 G-215 G-217 returns price and form without success, in the words consoles know', async () => {
    expect((await alice.post('/api/user/amount', { amount: 10, top_up_code: '' })).body).toEqual({
      message: 'success',
      data: '73.00',
    });
    const { body } = await alice.post('/api/user/pay', { amount: 10, payment_method: 'zfb' });
    expect(body).toMatchObject({
      message: 'success',
      url: 'https://pay.example.com/submit.php',
      data: { type: 'alipay', money: '73.00', notify_url: `https://gw.example.com${path}`, name: 'TUC10' },
    });
    expect((await order()).type).toBe('wxpay');
  });

  it('G-006 B73 B74 says error for what is not an amount or no pay method', async () => {
    for (const amount of [0, -1, 0.5, 1e18, '1', null, [1], {}]) {
      for (const call of ['pay', 'amount']) {
        const { body, status } = await alice.post(`/api/user/${call}`, { amount, payment_method: 'zfb' });
        expect({ amount, status, body }).toEqual({
          amount,
          status: 200,
          body: { message: 'error', data: expect.any(String) },
        });
      }
    }
    for (const payment_method of ['paypal', '', null, 'alipay', 'ZFB', undefined])
      expect((await alice.post('/api/user/pay', { amount: 1, payment_method })).body.message).toBe('error');
    const english = await alice.post('/api/user/amount', { amount: 0 }, { 'accept-language': 'en' });
    expect(english.body.data).toBe('The amount must be a whole number of at least 1');
    const pay = async (order: object) =>
      (await alice.post('/api/user/pay', order, { 'accept-language': 'en' })).body.data;
    expect(await pay({ amount: 0, payment_method: 'zfb' })).toBe(english.body.data);
    expect(await pay({ amount: 1, payment_method: 'paypal' })).toBe('The payment method must be zfb or wx');
    expect(await pay({ amount: 0 })).toMatch(/whole number of at least 1, and the payment method/);
  });

  it('A-165 is not set up before others know the way back', async () => {
    const { options } = gateway.app.services;
    const former = options.get('ServerAddress');
    for (const clear of [() => options.reset(systemActor, 'ServerAddress'), () => set({ ServerAddress: '' })])
      await expect(clear()).rejects.toMatchObject({ code: 'option.addressInUse' });
    await options.resetMany(systemActor, ['ServerAddress', 'PayAddress']);
    const payment = { EpayId: '7', EpayKey: 'k', CustomCallbackAddress: 'https://back.example.com', Price: '3' };
    const more = { PayAddress: 'https://pay.example.com', MinTopUp: '4', TopupGroupRatio: '{"default":2}' };
    for (const [name, value] of Object.entries({ ...payment, ...more }))
      await expect(set({ [name]: value })).rejects.toMatchObject({ code: 'option.addressFirst' });
    // What is stored already may be sent along, as consoles do that save a whole form.
    await set({ EpayId: '1001', Price: '7.3' });
    await set({ PayAddress: 'https://pay.example.com', ServerAddress: former });
  });

  it('says what an administrator must set when the way back is missing, and never takes it from the Host header', async () => {
    const { database, services } = gateway.app;
    const { options } = services;
    const former = options.get('ServerAddress');
    await database.options.destroy({ where: { key: 'ServerAddress' } });
    await options.load();
    const before = await database.topUps.count();
    const headers = { 'accept-language': 'en', 'x-forwarded-host': 'evil.example.com' };
    const { body } = await alice.post('/api/user/pay', { amount: 10, payment_method: 'zfb' }, headers);
    expect(body).toMatchObject({ message: 'error', data: expect.stringContaining('ServerAddress') });
    expect(await database.topUps.count()).toBe(before);
    await set({ ServerAddress: former });
  });

  it('credits an order that was open while the address of this server changed', async () => {
    const { options } = gateway.app.services;
    const former = options.get('ServerAddress');
    const before = await balance();
    const fields = await order();
    await set({ ServerAddress: 'https://moved.example.com' });
    expect(await say(reportOf(fields, { trade_no: 'moved-1' }))).toBe('success');
    expect(await balance()).toBe(before + 5_000_000);
    await set({ ServerAddress: former });
  });

  it('is for people who are signed in', async () => {
    for (const call of ['pay', 'amount', 'topup', 'aff_transfer'])
      expect((await createConsoleClient(gateway.url).post(`/api/user/${call}`, {})).status).toBe(401);
  });

  it('G-218 M10 B77 credits a payment once, reported 100 times at once to two nodes, by either method', async () => {
    const before = await balance();
    const report = reportOf(await order(2));
    const tell = (at: number): Promise<string> => {
      const url = at % 2 ? gateway.url : second.url;
      return at % 4 < 2
        ? say(report, url)
        : fetch(`${url}${path}`, { method: 'POST', body: report }).then((r) => r.text());
    };
    const responses = await Promise.all(Array.from({ length: 100 }, (_, at) => tell(at)));
    expect(responses).toContain('success');
    // A busy database may have no room for one of a hundred: the payment service reports it again.
    for (const [at, response] of responses.entries())
      if (response !== 'success') expect(await tell(at)).toBe('success');
    expect(await balance()).toBe(before + 1_000_000);
    await gateway.verifyBooks();
  });

  it('G-218 B75 B76 B79 B80 B84 says fail, and credits nothing, for everything that is not right', async () => {
    const before = await balance();
    const fields = await order();
    const right = reportOf(fields);
    const signature = right.get('sign') ?? '';
    const wrong: Record<string, string> = {
      nothing: '',
      unsigned: right.toString().replace(/&sign=\w+/, ''),
      'an empty signature': right.toString().replace(signature, ''),
      'upper case': right.toString().replace(signature, signature.toUpperCase()),
      'another algorithm': right.toString().replace('sign_type=MD5', 'sign_type=RSA'),
      'other money': reportOf(fields, { money: '1.00' }).toString(),
      'another merchant': reportOf(fields, { pid: '7' }).toString(),
      'no such order': reportOf(fields, { out_trade_no: 'USR1NOabcdef1700000000' }).toString(),
      'a name twice': `${right}&money=73.00`,
      'an order twice': `${right}&out_trade_no=${fields.out_trade_no}`,
      'an array': right.toString().replace('money=', 'money%5B%5D='),
    };
    for (const [what, query] of Object.entries(wrong)) {
      expect({ what, response: await say(query) }).toEqual({ what, response: 'fail' });
      const posted = await fetch(`${gateway.url}${path}`, {
        method: 'POST',
        body: query,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect({ what, response: await posted.text() }).toEqual({ what, response: 'fail' });
    }
    expect(await say(reportOf(fields, { trade_status: 'TRADE_CLOSED' }))).toBe('success');
    expect(await balance()).toBe(before);
    await gateway.app.services.options.reset(systemActor, 'EpayKey');
    expect(await say(right)).toBe('fail');
    expect((await alice.post('/api/user/pay', { amount: 1, payment_method: 'zfb' })).body).toEqual({
      message: 'error',
      data: '管理员未开启在线充值！',
    });
    await set({ EpayKey: key });
    expect(await say(right)).toBe('success');
    expect(await balance()).toBe(before + 5_000_000);
  });

  it('M10 never says success of a credit that could not be written, and credits when it is reported again', async () => {
    const before = await balance();
    const report = reportOf(await order(1));
    const { sequelize } = gateway.app.database;
    await sequelize.query('ALTER TABLE quota_entries RENAME TO quota_entries_away');
    const response = await fetch(`${gateway.url}${path}?${report}`);
    expect(await response.text()).not.toBe('success');
    await sequelize.query('ALTER TABLE quota_entries_away RENAME TO quota_entries');
    expect(await balance()).toBe(before);
    expect(await say(report)).toBe('success');
    expect(await balance()).toBe(before + 500_000);
  });

  // A file is never away; a missing table is tested above.
  const away = engine === 'postgres' ? it : () => undefined;
  away('M10 answers fail while the database is away', async () => {
    const direct = new URL(gateway.environment.SQL_DSN ?? '');
    const proxy = await startFaultProxy({ port: Number(direct.port) });
    const through = new URL(direct);
    through.port = String(proxy.port);
    const node = await secondNode({ ...gateway.environment, SQL_DSN: through.href });
    const report = reportOf(await order(1));
    await proxy.refuse();
    proxy.cutNow();
    expect(await say(report, node.url)).toBe('fail');
    await proxy.heal();
    expect(await say(report, node.url)).toBe('success');
    await node.close();
    await proxy.close();
  });

  it('F58 asks nothing of the payment service: orders are made while it is away', async () => {
    await set({ PayAddress: 'https://nowhere.invalid' });
    expect((await order(1)).money).toBe('7.30');
    await set({ PayAddress: 'https://pay.example.com' });
  });

  it('G-005 moves earnings from invitations and says so', async () => {
    await gateway.app.database.users.update({ aff_quota: 600_000 }, { where: { id: gateway.userId } });
    for (const quota of [-1, 0, 0.5, '500000', 499_999, 600_001])
      expect(await alice.post('/api/user/aff_transfer', { quota })).toMatchObject({ status: 200, success: false });
    expect(await alice.post('/api/user/aff_transfer', { quota: 500_000 })).toMatchObject({
      success: true,
      message: '划转成功',
    });
    expect(await alice.data(alice.get('/api/user/self'))).toMatchObject({ aff_quota: 100_000 });
    await gateway.verifyBooks();
  });
});

/** Another process of the same installation, as far as a test can tell. */
async function secondNode(environment: Record<string, string>) {
  const app = await createApp(loadConfig({}, environment));
  const node = await createGateway(app, { criticalCalls: 1_000_000 });
  const port = await node.listen('127.0.0.1', 0);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await node.close();
      await app.close();
    },
  };
}
