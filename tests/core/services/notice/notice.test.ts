import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NoticeDelivery } from '../../../../core/services/notice/delivery.ts';
import { createNoticeService } from '../../../../core/services/notice/notice.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('notices on %s that two processes send', (engine) => {
  let services: TestServices;

  beforeAll(async () => {
    services = await createTestServices(engine);
  });
  afterAll(() => services.remove());

  it('go out once each, however slow the mail server is', async () => {
    const { database, now } = services;
    const alice = await services.createUser('alice');
    await database.users.update({ email: 'alice@example.com' }, { where: { id: alice.id } });
    const sent: string[] = [];
    const process = (send: (kind: string) => Promise<unknown>) => {
      const delivery: NoticeDelivery = {
        wayTo: () => 'email',
        send: async (_user, _setting, { kind }) => void (await send(kind)),
      };
      const dependencies = { database, delivery, now, limit: { count: 100, minutes: 10 } };
      return createNoticeService({ ...dependencies, onFailure: (text) => expect.unreachable(text) });
    };
    const other = process(async (kind) => sent.push(kind));
    const slow = process(async (kind) => {
      // Forty of them take longer than a process has them for itself; the other one looks meanwhile.
      services.advance(8);
      sent.push(kind);
      if (sent.length % 10 === 0) await other.sendDue();
    });
    const kinds = Array.from({ length: 40 }, (_, n) => `quota_exceed_${n}`);
    const user = { id: alice.id, email: 'alice@example.com', setting: '' };
    const text = { title: { en: 'low', zh: '低' }, lines: { en: ['low'], zh: ['低'] } };
    for (const kind of kinds) expect(await slow.put(user, { kind, ...text })).toBe(true);
    await slow.sendDue();
    expect(sent.sort()).toEqual(kinds.sort());
  });

  it('reach a webhook one after the other, in the order in which they happened, and none while it is away', async () => {
    const { database, now } = services;
    const setting = JSON.stringify({ notify_type: 'webhook', webhook_url: 'https://hook.example.com/' });
    const erin = await services.createUser('erin');
    await database.users.update({ setting }, { where: { id: erin.id } });
    const heard: string[] = [];
    let isAway = true;
    const delivery: NoticeDelivery = {
      wayTo: () => 'webhook',
      async send(_user, _setting, { kind }) {
        // The first ones take longest.
        await pause(100 - 20 * heard.length);
        heard.push(kind);
        if (isAway) throw new Error('away');
      },
    };
    const limit = { count: 100, minutes: 10 };
    const notices = createNoticeService({ database, delivery, limit, onFailure: () => undefined, now });
    const kinds = ['budget_1_2_50', 'budget_1_2_80', 'budget_1_2_100'];
    const text = { title: { en: '', zh: '' }, lines: { en: [], zh: [] } };
    for (const kind of kinds) await notices.put({ id: erin.id, email: '', setting }, { kind, ...text });
    expect(await notices.sendDue()).toBe(0);
    expect(heard.splice(0)).toEqual(kinds.slice(0, 1));
    isAway = false;
    services.advance(61);
    expect(await notices.sendDue()).toBe(3);
    expect(heard).toEqual(kinds);
  });

  it('of a channel that was disabled are not sent after the one that it works again', async () => {
    const { database, now } = services;
    const setting = JSON.stringify({ notify_type: 'webhook', webhook_url: 'https://hook.example.com/' });
    const frank = await services.createUser('frank');
    await database.users.update({ setting }, { where: { id: frank.id } });
    const heard: string[] = [];
    let isAway = true;
    const delivery: NoticeDelivery = {
      wayTo: () => 'webhook',
      async send(_user, _setting, { kind }) {
        if (isAway) throw new Error('away');
        heard.push(kind);
      },
    };
    const limit = { count: 100, minutes: 10 };
    const notices = createNoticeService({ database, delivery, limit, onFailure: () => undefined, now });
    const text = { title: { en: '', zh: '' }, lines: { en: [], zh: [] } };
    const put = (kind: string) => notices.put({ id: frank.id, email: '', setting }, { kind, ...text });
    await put('channel_update_1_3');
    await put('channel_update_12_3');
    services.advance(11);
    await notices.sendDue();
    isAway = false;
    services.advance(5);
    await put('channel_update_1_1');
    services.advance(11);
    await notices.sendDue();
    services.advance(61);
    await notices.sendDue();
    expect(heard).toEqual(['channel_update_1_1', 'channel_update_12_3']);
  });

  it('of users whose receivers are gone leave room for those of root', async () => {
    const { database, now } = services;
    const [carol, root] = [await services.createUser('carol'), await services.createUser('dave')];
    const delivery: NoticeDelivery = { wayTo: () => 'webhook', send: () => Promise.reject(new Error('gone')) };
    const limit = { count: 2, minutes: 10 };
    const failures: string[] = [];
    const onFailure = (text: string) => failures.push(text);
    const notices = createNoticeService({ database, delivery, limit, onFailure, now });
    const waiting = { user_id: carol.id, kind: 'quota_exceed', content: '{}', created_at: now(), due_at: now() + 3600 };
    await database.notices.bulkCreate(Array.from({ length: 1000 }, () => waiting));
    const put = (id: number, kind: string) =>
      notices.put({ id, email: '', setting: '' }, { kind, title: { en: '', zh: '' }, lines: { en: [], zh: [] } });
    expect(await put(root.id, 'channel_update_1_3')).toBe(true);
    expect(failures).toEqual([]);
    expect(await put(carol.id, 'task_finished')).toBe(false);
    expect(failures).toHaveLength(1);
    await database.notices.destroy({ where: { user_id: [carol.id, root.id] } });
  });

  it('F55 are put down again after the clock was set back', async () => {
    const { database } = services;
    const bob = await services.createUser('bob');
    let time = 1_800_000_000;
    const delivery: NoticeDelivery = { wayTo: () => 'email', send: async () => undefined };
    const limit = { count: 1, minutes: 10 };
    const notices = createNoticeService({ database, delivery, limit, onFailure: () => {}, now: () => time });
    const user = { id: bob.id, email: 'bob@example.com', setting: '' };
    const put = () =>
      notices.put(user, { kind: 'quota_exceed', title: { en: 'low', zh: 'low' }, lines: { en: [], zh: [] } });
    expect([await put(), await put()]).toEqual([true, false]);
    time -= 86_400;
    expect([await put(), await put()]).toEqual([true, false]);
  });
});
