import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calendarWindow } from '../../../../core/lib/calendar-window.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { limitCreateSchema, limitListSchema } from '../../../../core/schemas/limit.ts';
import { createLimitAlerts } from '../../../../core/services/limit/alert.ts';
import { createLimitBook } from '../../../../core/services/limit/book.ts';
import { createLimitService, type LimitService } from '../../../../core/services/limit/limit.ts';
import type { NoticeDelivery } from '../../../../core/services/notice/delivery.ts';
import { createNoticeService, type Notice } from '../../../../core/services/notice/notice.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('limits on %s', (engine) => {
  let services: TestServices;
  let limits: LimitService;
  beforeAll(async () => {
    services = await createTestServices(engine);
    const { database, audit, now } = services;
    limits = createLimitService({
      database,
      audit,
      now,
      models: { openTo: async () => ['gpt-4o'] },
      timeZone: () => 'Europe/Berlin',
    });
  });
  afterAll(() => services.remove());
  beforeEach(async () => {
    await services.database.limits.destroy({ where: {} });
    await services.database.limitUsage.destroy({ where: {} });
  });

  const create = (input: Record<string, unknown>) => limits.create(systemActor, limitCreateSchema.parse(input));
  const audits = async () =>
    (
      await services.database.audits.findAll({ where: { object_kind: 'limit' }, order: [['id', 'ASC']], raw: true })
    ).map(({ action }) => action);

  it('are made, listed, changed and deleted by admins, and each change is in the audit log', async () => {
    const carl = await services.createUser('carl');
    const before = (await audits()).length;
    const made = await create({
      subject_kind: 'user',
      subject: carl.id,
      measure: 'budget',
      period: 'month',
      amount: 500,
    });
    expect(made).toMatchObject({ subject: `${carl.id}`, subject_name: 'carl', enabled: true, amount: 500 });
    expect(made.usage).toMatchObject([{ used: 0, held: 0, remaining: 500 }]);
    expect(await limits.update(systemActor, { id: made.id, amount: 900 })).toMatchObject({ amount: 900 });
    await limits.update(systemActor, { id: made.id, amount: 900 });
    const list = await limits.list(systemActor, limitListSchema.parse({ subject_kind: 'user' }));
    expect(list).toMatchObject({ total: 1, items: [{ id: made.id, period: 'month' }] });
    await limits.remove(systemActor, made.id);
    await expect(limits.get(systemActor, made.id)).rejects.toMatchObject({ code: 'object.notFound' });
    expect((await audits()).slice(before)).toEqual(['limit.create', 'limit.update', 'limit.remove']);
    for (const work of [
      () => limits.list(carl, limitListSchema.parse({})),
      () => limits.remove(carl, 1),
      () => limits.update(carl, { id: 1, amount: 1 }),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'permission.denied' });
  });

  it('are refused with a reason when they make no sense', async () => {
    const valid = { subject_kind: 'model', subject: 'gpt-4o', measure: 'requests', amount: 5 };
    expect(limitCreateSchema.parse(valid)).toMatchObject({ period: 'minute', enabled: true });
    for (const wrong of [
      { amount: 0 },
      { amount: 1.5 },
      { measure: 'budget', period: 'minute' },
      { measure: 'requests', period: 'month' },
      { measure: 'concurrency', period: 'hour' },
      { subject_kind: 'user', subject: 'carl' },
      { subject_kind: 'planet' },
    ])
      expect(limitCreateSchema.safeParse({ ...valid, ...wrong }).success, JSON.stringify(wrong)).toBe(false);
    await create(valid);
    await expect(create({ ...valid, amount: 6 })).rejects.toMatchObject({ code: 'limit.exists' });
    await expect(create({ ...valid, subject_kind: 'token', subject: '999999' })).rejects.toMatchObject({
      code: 'object.notFound',
    });
  });

  it('are shown to a user as far as they concern that user', async () => {
    const [dora, other] = [await services.createUser('dora'), await services.createUser('other')];
    await create({ subject_kind: 'user', subject: dora.id, measure: 'budget', period: 'day', amount: 700 });
    await create({ subject_kind: 'user', subject: other.id, measure: 'budget', period: 'day', amount: 800 });
    const { id } = await create({ subject_kind: 'user', measure: 'budget', period: 'week', amount: 900 });
    await create({ subject_kind: 'group', subject: 'default', measure: 'concurrency', amount: 3 });
    await create({ subject_kind: 'group', subject: 'elsewhere', measure: 'concurrency', amount: 4 });
    const window = (await limits.get(systemActor, id)).usage;
    expect(window).toEqual([]);
    const own = await limits.listOwn(dora);
    expect(own.map(({ amount }) => amount)).toEqual([700, 900, 3]);
  });

  it('show a user of what others use, too, only whether something is left of it', async () => {
    const { database, now } = services;
    const [fay, gil] = [await services.createUser('fay'), await services.createUser('gil')];
    const budget = (subject_kind: string, subject: string, amount: number) =>
      create({ subject_kind, subject, measure: 'budget', period: 'month', amount });
    const made = {
      own: await budget('user', String(fay.id), 1000),
      group: await budget('group', 'default', 2000),
      model: await budget('model', 'gpt-4o', 3000),
      refused: await create({
        subject_kind: 'group',
        subject: 'default',
        measure: 'budget',
        period: 'week',
        amount: 5000,
      }),
      eachModel: await create({ subject_kind: 'model', measure: 'budget', period: 'day', amount: 100 }),
      eachGroup: await create({ subject_kind: 'group', measure: 'requests', period: 'minute', amount: 60 }),
      elsewhere: await budget('model', 'secret-model', 4000),
    };
    const book = createLimitBook({ database, timeZone: () => 'Europe/Berlin', now });
    await book.load();
    const call = { userId: fay.id, tokenId: 0, group: 'default', model: 'gpt-4o' };
    const windows = new Map(book.budgets(call).map(({ id, window }) => [id, window]));
    const use = (limit_id: number, subject: string, used: number, refused = 0) =>
      database.limitUsage.create({
        limit_id,
        subject,
        window_start: windows.get(limit_id)?.start ?? 0,
        used,
        refused,
      });
    await use(made.own.id, String(fay.id), 400);
    await use(made.group.id, 'default', 1234);
    await use(made.model.id, 'gpt-4o', 3000);
    await use(made.refused.id, 'default', 4900, 1);
    await use(made.eachModel.id, 'gpt-4o', 100);
    await use(made.eachModel.id, 'secret-model', 100);
    const own = await limits.listOwn(fay);
    const usageOf = ({ id }: { id: number }) => own.find((limit) => limit.id === id)?.usage;
    const shared = (subject: string, { id }: { id: number }, exhausted: boolean) => [
      { subject, subject_name: subject, exhausted, resets_at: windows.get(id)?.end ?? 0 },
    ];
    expect(usageOf(made.own)).toMatchObject([{ subject_name: 'fay', used: 400, remaining: 600, exhausted: false }]);
    expect(usageOf(made.group)).toEqual(shared('default', made.group, false));
    expect(usageOf(made.model)).toEqual(shared('gpt-4o', made.model, true));
    expect(usageOf(made.refused)).toEqual(shared('default', made.refused, true));
    expect(usageOf(made.eachModel)).toEqual(shared('gpt-4o', made.eachModel, true));
    expect(usageOf(made.eachGroup)).toEqual(shared('default', made.eachGroup, false));
    expect(usageOf(made.elsewhere)).toBeUndefined();
    // An admin sees all of it.
    expect((await limits.get(systemActor, made.group.id)).usage).toMatchObject([{ used: 1234, remaining: 766 }]);
    expect((await limits.listOwn(gil)).flatMap(({ usage }) => usage.map(({ used }) => used))).not.toContain(400);
  });

  it('are listed by the one they apply to, with what this one alone has used of those for each', async () => {
    const { database, now } = services;
    const hal = await services.createUser('hal');
    const subject = String(hal.id);
    const each = await create({ subject_kind: 'user', measure: 'requests', period: 'minute', amount: 60 });
    await create({ subject_kind: 'user', measure: 'budget', period: 'day', amount: 100 });
    const own = await create({ subject_kind: 'user', subject, measure: 'budget', period: 'day', amount: 900 });
    const off = await create({ subject_kind: 'user', measure: 'concurrency', amount: 3, enabled: false });
    await create({ subject_kind: 'user', subject: '1', measure: 'concurrency', amount: 4 });
    await create({ subject_kind: 'group', subject, measure: 'concurrency', amount: 5 });
    // Ten others have used more.
    const counts = [...Array.from({ length: 10 }, (_, index) => [`${9_000 + index}`, 50 + index]), [subject, 7]];
    const seen_at = now();
    await database.limitCounts.bulkCreate([
      { node: 'a', name: '', count: 0, seen_at },
      ...counts.map(([of, count]) => ({
        node: 'a',
        name: `limit ${each.id} ${of} 60000`,
        count: Number(count),
        seen_at,
      })),
    ]);
    const read = (query: Record<string, unknown>) => limits.list(systemActor, limitListSchema.parse(query));
    const found = await read({ applies_to: 'user', subject });
    expect(found.items.map(({ id }) => id)).toEqual([own.id, each.id]);
    expect(found.items[1]?.usage).toMatchObject([{ subject, subject_name: 'hal', used: 7, remaining: 53 }]);
    expect(found.total).toBe(2);
    expect((await read({ applies_to: 'user', subject, measure: 'requests' })).items.map(({ id }) => id)).toEqual([
      each.id,
    ]);
    expect((await read({ applies_to: 'user', subject, page: 2, page_size: 1 })).items.map(({ id }) => id)).toEqual([
      each.id,
    ]);
    await limits.update(systemActor, { id: off.id, enabled: true });
    expect((await read({ applies_to: 'user', subject, sort: 'id' })).items.map(({ id }) => id)).toEqual([
      each.id,
      own.id,
      off.id,
    ]);
    for (const wrong of [{ applies_to: 'user' }, { applies_to: 'token', subject: 'ci' }])
      expect(limitListSchema.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    await database.limitCounts.destroy({ where: {} });
  });

  it('replace one for each of a kind, and start again at midnight of their time zone', async () => {
    const { database, now } = services;
    await create({ subject_kind: 'user', measure: 'budget', period: 'day', amount: 100 });
    await create({ subject_kind: 'user', measure: 'requests', period: 'minute', amount: 7 });
    const boss = await services.createUser('boss');
    await create({ subject_kind: 'user', subject: boss.id, measure: 'budget', period: 'day', amount: 900 });
    let moment = now();
    const book = createLimitBook({ database, timeZone: () => 'Europe/Berlin', now: () => moment });
    await book.load();
    const call = { userId: boss.id, tokenId: 0, group: 'default', model: 'gpt-4o' };
    expect(book.budgets(call).map(({ amount }) => amount)).toEqual([900]);
    expect(book.budgets({ ...call, userId: 4242 }).map(({ amount }) => amount)).toEqual([100]);
    expect(book.of('user', `${boss.id}`).map(({ amount }) => amount)).toEqual([900, 7]);
    const startAt = (time: string) => {
      moment = Date.parse(time) / 1000;
      return new Date((book.budgets(call)[0]?.window.start ?? 0) * 1000).toISOString();
    };
    expect(startAt('2026-03-28T22:59:59Z')).toBe('2026-03-27T23:00:00.000Z');
    expect(startAt('2026-03-28T23:00:00Z')).toBe('2026-03-28T23:00:00.000Z');
    // The night in which the clocks go forward: the next day begins an hour earlier.
    expect(startAt('2026-03-29T21:59:59Z')).toBe('2026-03-28T23:00:00.000Z');
    expect(startAt('2026-03-29T22:00:00Z')).toBe('2026-03-29T22:00:00.000Z');
  });

  it('tell user and admins of a budget at 50, 80 and 100 %, once over all nodes', async () => {
    const { database, options, now } = services;
    const eve = await services.createUser('eve');
    const { id, usage } = await create({
      subject_kind: 'user',
      subject: eve.id,
      measure: 'budget',
      period: 'day',
      amount: 1000,
    });
    const start = (usage[0]?.resets_at ?? 0) - 1;
    const book = createLimitBook({ database, timeZone: () => options.get('LimitTimeZone'), now });
    await book.load();
    expect(start).toBeGreaterThan(0);
    const window = book.budgets({ userId: eve.id, tokenId: 0, group: '', model: '' })[0]?.window;
    await database.limitUsage.create({
      limit_id: id,
      subject: `${eve.id}`,
      window_start: window?.start ?? 0,
      used: 499,
    });
    const told: { user: number; notice: Notice }[] = [];
    const notices = {
      put: async (user: { id: number }, notice: Notice) => Boolean(told.push({ user: user.id, notice })),
      sendDue: async () => 0,
    };
    const nodes = [1, 2, 3].map(() => createLimitAlerts({ database, options, notices, now }));
    const look = async () => {
      told.length = 0;
      const counts = await Promise.all(nodes.map(({ tellDue }) => tellDue()));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    const use = (values: { used?: number; refused?: number }) =>
      database.limitUsage.update(values, { where: { limit_id: id } });
    expect(await look()).toBe(0);
    await use({ used: 500 });
    expect(await look()).toBe(1);
    expect(told.map(({ user }) => user)).toContain(eve.id);
    expect(told[0]?.notice.title.en).toContain('50%');
    expect(told[0]?.notice.lines.en[0]).toContain(`The user "eve"`);
    expect(await look()).toBe(0);
    await use({ used: 850 });
    expect(await look()).toBe(1);
    expect(told[0]?.notice.title.zh).toContain('80%');
    await use({ refused: 1 });
    expect(await look()).toBe(1);
    expect(told[0]?.notice.lines.en[1]).toContain('refused until');
    await use({ used: 1200 });
    expect(await look()).toBe(0);
  });

  it('say whose token it is: admins are told of those of all users', async () => {
    const { database, options, now } = services;
    const { id: user_id } = await services.createUser('frank');
    const token = await database.tokens.create({ user_id, name: 'default', key_hash: 'of frank' });
    const { id } = await create({ subject_kind: 'token', measure: 'budget', period: 'day', amount: 1000 });
    const { start } = calendarWindow('day', options.get('LimitTimeZone'), now());
    const usage = { limit_id: id, subject: `${token.id}`, window_start: start, used: 600 };
    await database.limitUsage.create(usage);
    const told: Notice[] = [];
    const notices = {
      put: async (_user: object, notice: Notice) => Boolean(told.push(notice)),
      sendDue: async () => 0,
    };
    await createLimitAlerts({ database, options, notices, now }).tellDue();
    expect(told[0]?.lines.en[0]).toContain('The token "default" of the user "frank"');
    expect(told[0]?.lines.zh[0]).toContain('用户“frank”的令牌“default”');
    await limits.remove(systemActor, id);
  });

  it('tell of what was used just before a window ended, and that it was reset since', async () => {
    const { database, options, now } = services;
    const { id: userId } = await services.createUser('grace');
    const { id } = await create({
      subject_kind: 'user',
      subject: userId,
      measure: 'budget',
      period: 'hour',
      amount: 1000,
    });
    const { start, end } = calendarWindow('hour', options.get('LimitTimeZone'), now());
    const usage = { limit_id: id, subject: `${userId}`, used: 600 };
    await database.limitUsage.create({ ...usage, window_start: start });
    await database.limitUsage.create({ ...usage, window_start: start - 3600, used: 1000 });
    const told: Notice[] = [];
    const put = async (user: { id: number }, notice: Notice) => user.id !== userId || Boolean(told.push(notice));
    const { tellDue } = createLimitAlerts({ database, options, notices: { put, sendDue: async () => 0 }, now });
    services.advance(end - now() + 20);
    await tellDue();
    await tellDue();
    expect(told.map(({ title }) => title.en)).toEqual(['a budget has reached 50%']);
    expect(told[0]?.lines.en[1]).toMatch(/^The budget was reset at .+:00 UTC\.$/);
    await database.limitUsage.update({ used: 900 }, { where: { limit_id: id } });
    services.advance(120);
    await tellDue();
    expect(told).toHaveLength(1);
    await limits.remove(systemActor, id);
  });

  it('tell of every step of a budget that is used up within minutes', async () => {
    const { database, options, now } = services;
    const { id: userId } = await services.createUser('hasty');
    await database.users.update({ email: 'hasty@example.com' }, { where: { id: userId } });
    const wanted = { subject_kind: 'user' as const, subject: userId, measure: 'budget' as const, amount: 1000 };
    const { id } = await create({ ...wanted, period: 'day' });
    const { start } = calendarWindow('day', options.get('LimitTimeZone'), now());
    await database.limitUsage.create({ limit_id: id, subject: `${userId}`, window_start: start, used: 0 });
    const delivery: NoticeDelivery = { wayTo: ({ email }) => (email ? 'email' : undefined), send: async () => {} };
    const limit = { count: 2, minutes: 10 };
    const notices = createNoticeService({
      database,
      delivery,
      limit,
      now,
      onFailure: (text) => expect.unreachable(text),
    });
    const { tellDue } = createLimitAlerts({ database, options, notices, now });
    for (const used of [500, 800, 1000]) {
      await database.limitUsage.update({ used }, { where: { limit_id: id } });
      await tellDue();
    }
    const sent = await database.notices.findAll({ where: { user_id: userId }, order: ['id'], raw: true });
    expect(sent.map(({ content }) => /\d+%/.exec(content)?.[0])).toEqual(['50%', '80%', '100%']);
  });

  it('tell of the steps of a budget again once it is raised, and of none that was told', async () => {
    const { database, options, now } = services;
    const { id: userId } = await services.createUser('raised');
    const wanted = { subject_kind: 'user' as const, subject: userId, measure: 'budget' as const, amount: 1000 };
    const { id } = await create({ ...wanted, period: 'month' });
    const { start } = calendarWindow('month', options.get('LimitTimeZone'), now());
    await database.limitUsage.create({
      limit_id: id,
      subject: `${userId}`,
      window_start: start,
      used: 990,
      refused: 1,
    });
    const told: string[] = [];
    const put = async (user: { id: number }, { title }: Notice) => {
      if (user.id === userId) told.push(/\d+%/.exec(title.en)?.[0] ?? '');
      return true;
    };
    const { tellDue } = createLimitAlerts({ database, options, notices: { put, sendDue: async () => 0 }, now });
    const use = (used: number) => database.limitUsage.update({ used }, { where: { limit_id: id } });
    await tellDue();
    expect(told).toEqual(['100%']);
    await limits.update(systemActor, { id, amount: 1500 });
    await tellDue();
    expect(told).toEqual(['100%']);
    for (const used of [1100, 1200, 1300, 1500]) {
      await use(used);
      await tellDue();
    }
    expect(told).toEqual(['100%', '80%', '100%']);
    await limits.update(systemActor, { id, amount: 100_000 });
    await use(50_000);
    await tellDue();
    expect(told).toEqual(['100%', '80%', '100%', '50%']);
  });
});
