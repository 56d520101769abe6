import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signEpay } from '../../../../core/integrations/epay/sign.ts';
import { type Actor, role, systemActor } from '../../../../core/schemas/actor.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const key = 'epaykey123';

describe.each(engines)('the wallet on %s', (engine) => {
  let services: TestServices;
  let alice: Actor;
  let bob: Actor;
  const set = (options: Record<string, string>) =>
    services.options.setMany(
      systemActor,
      Object.entries(options).map(([name, value]) => ({ key: name, value })),
    );
  beforeAll(async () => {
    services = await createTestServices(engine);
    alice = await services.createUser('alice');
    bob = await services.createUser('bob');
    await set({ ServerAddress: 'https://gw.example.com', PayAddress: 'https://pay.example.com', EpayId: '1001' });
    await set({ EpayKey: key, TopupGroupRatio: '{"default":1,"vip":0.5,"svip":0}' });
  });
  beforeEach(() => set({ DisplayInCurrencyEnabled: 'true', MinTopUp: '1', Price: '7.3' }));
  afterAll(() => services.remove());

  const balanceOf = async ({ id }: Actor) =>
    (await services.database.users.findByPk(id, { raw: true }))?.quota ?? Number.NaN;
  const refusal = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'taken',
      (error: { code: string }) => error.code,
    );
  const order = async (actor: Actor, amount = 10) => {
    const { fields, url } = await services.wallet.pay(actor, { amount, payment_method: 'zfb' });
    return { fields, url, tradeNo: fields.out_trade_no ?? '' };
  };
  const reportOf = (fields: Record<string, string>, change: Record<string, string> = {}, secret = key) => {
    const { pid = '', out_trade_no = '', type = '', name = '', money = '' } = fields;
    const report = { pid, trade_no: '2023', out_trade_no, type, name, money, trade_status: 'TRADE_SUCCESS', ...change };
    return { ...report, sign: signEpay(report, secret), sign_type: 'MD5' };
  };
  const receive = (report: Record<string, string>) => services.wallet.receiveNotice(report, '192.0.2.1');

  it('A-094 A-095 A-096 orders what the browser posts to the payment service, signed', async () => {
    const { fields, url, tradeNo } = await order(alice);
    expect(url).toBe('https://pay.example.com/submit.php');
    expect(tradeNo).toMatch(new RegExp(`^USR${alice.id}NO[0-9A-Za-z]{6}\\d{10}$`));
    expect(fields).toMatchObject({
      pid: '1001',
      type: 'alipay',
      name: 'TUC10',
      money: '73.00',
      device: 'pc',
      sign_type: 'MD5',
      notify_url: 'https://gw.example.com/api/user/epay/notify',
      return_url: 'https://gw.example.com/log',
      sign: signEpay(fields, key),
    });
    await set({ CustomCallbackAddress: 'https://back.example.com/' });
    expect((await order(alice)).fields.notify_url).toBe('https://back.example.com/api/user/epay/notify');
    await set({ CustomCallbackAddress: '' });
  });

  it('A-097 A-099 asks the price of the group, where 0 and no entry mean the plain one', async () => {
    for (const [group, price] of Object.entries({ default: '73.00', vip: '36.50', svip: '73.00', other: '73.00' })) {
      await services.database.users.update({ group }, { where: { id: alice.id } });
      expect(await services.wallet.quote(alice, 10)).toBe(price);
    }
    await services.database.users.update({ group: 'default' }, { where: { id: alice.id } });
  });

  it('A-098 refuses less than the smallest top-up, in the unit that is shown', async () => {
    await set({ MinTopUp: '5' });
    expect(await refusal(services.wallet.quote(alice, 4))).toBe('payment.belowMinimum');
    expect(await services.wallet.quote(alice, 5)).toBe('36.50');
    await set({ DisplayInCurrencyEnabled: 'false' });
    expect(await refusal(services.wallet.quote(alice, 2_499_999))).toBe('payment.belowMinimum');
    expect(await services.wallet.quote(alice, 2_500_000)).toBe('36.50');
  });

  it('B73 refuses what costs nothing or an absurd amount', async () => {
    await set({ Price: '0.004' });
    expect(await refusal(services.wallet.quote(alice, 1))).toBe('payment.tooCheap');
    await set({ Price: '7.3' });
    for (const amount of [10_000_000_000, Number.MAX_SAFE_INTEGER])
      expect(await refusal(services.wallet.quote(alice, amount))).toBe('payment.tooMuch');
  });

  it('credits exactly what was bought, with a log row and a trace', async () => {
    await set({ DisplayInCurrencyEnabled: 'false' });
    const before = await balanceOf(alice);
    const { fields, tradeNo } = await order(alice, 950_000);
    expect(fields.money).toBe('13.87');
    // Settings that change between order and payment change neither.
    await set({ DisplayInCurrencyEnabled: 'true', Price: '100' });
    expect(await receive(reportOf(fields))).toBe(true);
    expect(await balanceOf(alice)).toBe(before + 950_000);
    const row = await services.database.topUps.findOne({ where: { trade_no: tradeNo }, raw: true });
    expect(row).toMatchObject({ status: 'success', amount: 1, quota: 950_000, money_cents: 1387 });
    const logs = await services.database.logs.findAll({ where: { user_id: alice.id, type: 1 }, raw: true });
    expect(logs.at(-1)).toMatchObject({ quota: 950_000, username: 'alice' });
    const trace = await services.database.audits.findOne({
      where: { action: 'topUp.complete', object_id: String(row?.id) },
    });
    expect(trace).toMatchObject({ address: '192.0.2.1' });
  });

  it('B77 M10 credits an order once, however often and however parallel it is reported', async () => {
    const before = await balanceOf(alice);
    const { fields } = await order(alice, 2);
    const responses = await Promise.all(Array.from({ length: 100 }, () => receive(reportOf(fields))));
    expect(new Set(responses)).toEqual(new Set([true]));
    expect(await balanceOf(alice)).toBe(before + 1_000_000);
    expect((await services.ledger.verify()).differences).toEqual([]);
  });

  it('M9 M10 credits an order once, whether it is reported or completed by hand, 20 of each at the same moment', async () => {
    const before = await balanceOf(alice);
    const { fields, tradeNo } = await order(alice, 2);
    const input = { trade_no: tradeNo, reason: 'seen on the statement' };
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => [
        refusal(services.wallet.completeByHand(systemActor, input)),
        receive(reportOf(fields)),
      ]).flat(),
    );
    expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === 'taken').length).toBeLessThanOrEqual(1);
    expect(outcomes.filter((outcome) => outcome === 'topUp.notPending').length).toBeGreaterThanOrEqual(19);
    expect(await balanceOf(alice)).toBe(before + 1_000_000);
    expect((await services.ledger.verify()).differences).toEqual([]);
  });

  it('M10 completes a pending order by hand, with its reason in the audit log; a later report credits nothing', async () => {
    const before = await balanceOf(bob);
    const { fields, tradeNo } = await order(bob, 2);
    const complete = (actor: Actor, reason = 'seen on the statement') =>
      services.wallet.completeByHand(actor, { trade_no: tradeNo, reason });
    expect(await refusal(complete(alice))).toBe('permission.denied');
    expect(await refusal(complete({ ...alice, role: role.admin }, 'a friend'))).toBe('taken');
    const row = await services.database.topUps.findOne({ where: { trade_no: tradeNo }, raw: true });
    expect(row).toMatchObject({ status: 'success', provider_trade_no: '' });
    expect(row?.complete_time).toBeGreaterThan(0);
    expect(await balanceOf(bob)).toBe(before + 1_000_000);
    expect(await receive(reportOf(fields))).toBe(true);
    expect(await refusal(complete(systemActor))).toBe('topUp.notPending');
    expect(await balanceOf(bob)).toBe(before + 1_000_000);
    expect((await services.database.topUps.findByPk(row?.id))?.provider_trade_no).toBe('2023');
    const where = { action: 'topUp.completeByHand', object_id: String(row?.id) };
    const [trace, ...others] = await services.database.audits.findAll({ where, raw: true });
    expect(others).toEqual([]);
    expect(trace).toMatchObject({ actor_name: 'alice' });
    expect(JSON.parse(trace?.before ?? '')).toEqual({ status: 'pending' });
    expect(JSON.parse(trace?.after ?? '')).toMatchObject({ status: 'success', amount: 1_000_000, reason: 'a friend' });
  });

  it("M10 completes no order that does not exist, nor an equal's", async () => {
    const { tradeNo } = await order(bob, 2);
    const asAdmin = { ...alice, role: role.admin };
    await services.database.users.update({ role: role.admin }, { where: { id: bob.id } });
    expect(await refusal(services.wallet.completeByHand(asAdmin, { trade_no: tradeNo, reason: 'r' }))).toBe(
      'user.wrongRank',
    );
    await services.database.users.update({ role: role.user }, { where: { id: bob.id } });
    expect(await refusal(services.wallet.completeByHand(asAdmin, { trade_no: 'none', reason: 'r' }))).toBe(
      'object.notFound',
    );
  });

  it('B75 B76 B84 credits nothing for a report that is not signed, not ours, of other money or of no order', async () => {
    const before = await balanceOf(alice);
    const { fields } = await order(alice);
    const alarms = services.alarms.length;
    expect(await receive({ ...reportOf(fields), sign: '' })).toBe(false);
    expect(await receive(reportOf(fields, {}, 'another key'))).toBe(false);
    expect(services.alarms).toHaveLength(alarms);
    expect(await receive(reportOf(fields, { money: '0.01' }))).toBe(false);
    expect(await receive(reportOf(fields, { money: '730' }))).toBe(false);
    expect(await receive(reportOf(fields, { pid: '1002' }))).toBe(false);
    expect(services.alarms).toHaveLength(alarms + 3);
    expect(await receive(reportOf(fields, { out_trade_no: 'USR1NOnobody1700000000' }))).toBe(false);
    expect(await balanceOf(alice)).toBe(before);
  });

  it('raises an alarm for a payment of an order that is not here any more, and says that nothing was credited', async () => {
    const before = await balanceOf(alice);
    const { fields, tradeNo } = await order(alice);
    await services.database.topUps.destroy({ where: { trade_no: tradeNo } });
    const alarms = services.alarms.length;
    expect(await receive({ ...reportOf(fields), sign: '0'.repeat(32) })).toBe(false);
    expect(await receive(reportOf(fields, { trade_status: 'TRADE_CLOSED' }))).toBe(true);
    expect(services.alarms).toHaveLength(alarms);
    expect(await receive(reportOf(fields))).toBe(false);
    expect(services.alarms.slice(alarms)).toEqual(['a payment report names an order that is not here']);
    expect(await balanceOf(alice)).toBe(before);
  });

  it('does not call a payment credited whose order is deleted as unpaid at that moment', async () => {
    const before = await balanceOf(alice);
    const { fields, tradeNo } = await order(alice);
    const alarms = services.alarms.length;
    let reported: Promise<boolean> | undefined;
    await services.database.transaction(async (transaction) => {
      await services.database.topUps.destroy({ where: { trade_no: tradeNo }, transaction });
      // It reads the order as it was, and waits for this transaction before it writes.
      reported = receive(reportOf(fields));
      await setTimeout(300);
    });
    expect(await reported).toBe(false);
    expect(services.alarms.slice(alarms)).toEqual(['a payment report names an order that is not here']);
    expect(await balanceOf(alice)).toBe(before);
  });

  it('raises an alarm for a second payment of one order, also when both are reported at once', async () => {
    const before = await balanceOf(alice);
    const { fields, tradeNo } = await order(alice, 2);
    const alarms = services.alarms.length;
    const payments = ['2024-a', '2024-b'].map((trade_no) => reportOf(fields, { trade_no }));
    expect(await Promise.all(payments.map(receive))).toEqual([true, true]);
    expect(services.alarms.slice(alarms)).toEqual(['an order was paid a second time, which credits nothing']);
    const row = await services.database.topUps.findOne({ where: { trade_no: tradeNo }, raw: true });
    const first = payments.filter(({ trade_no }) => trade_no === row?.provider_trade_no);
    expect(first).toHaveLength(1);
    for (const report of first) expect(await receive(report)).toBe(true);
    expect(services.alarms).toHaveLength(alarms + 1);
    expect(await balanceOf(alice)).toBe(before + 1_000_000);
  });

  it('B79 hears of a closed trade and credits nothing', async () => {
    const before = await balanceOf(alice);
    const { fields } = await order(alice);
    expect(await receive(reportOf(fields, { trade_status: 'TRADE_CLOSED' }))).toBe(true);
    expect(await balanceOf(alice)).toBe(before);
    expect(await receive(reportOf(fields))).toBe(true);
    expect(await balanceOf(alice)).toBe(before + 5_000_000);
  });

  it('B78 credits the owner of the order, no matter who reports it', async () => {
    const before = [await balanceOf(alice), await balanceOf(bob)];
    const { fields } = await order(bob, 1);
    expect(await receive(reportOf(fields, { param: `user ${alice.id}` }))).toBe(true);
    expect([await balanceOf(alice), await balanceOf(bob)]).toEqual([before[0], (before[1] ?? 0) + 500_000]);
  });

  it('B75 M10 neither orders nor believes anything while the payment service is not set up', async () => {
    const { fields } = await order(alice);
    for (const name of ['PayAddress', 'EpayId', 'EpayKey'] as const) {
      const former = services.options.get(name);
      await services.options.reset(systemActor, name);
      expect(await refusal(order(alice))).toBe('payment.notConfigured');
      expect(await receive(reportOf(fields, {}, name === 'EpayKey' ? '' : key))).toBe(false);
      await set({ [name]: former });
    }
  });

  it('M11 B81 moves earnings from invitations once, never more than there are', async () => {
    const before = await balanceOf(bob);
    await services.database.users.update({ aff_quota: 1_200_000, aff_history: 1_200_000 }, { where: { id: bob.id } });
    const move = (quota: number) => services.wallet.transferReward(bob, { quota });
    expect(await refusal(move(499_999))).toBe('reward.belowMinimum');
    expect(await refusal(move(1_200_001))).toBe('reward.insufficient');
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => refusal(move(500_000))));
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(2);
    const row = await services.database.users.findByPk(bob.id, { raw: true });
    expect(row).toMatchObject({ aff_quota: 200_000, aff_history: 1_200_000, quota: before + 1_000_000 });
    expect((await services.ledger.verify()).differences).toEqual([]);
  });
});
