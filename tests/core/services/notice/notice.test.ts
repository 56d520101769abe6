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
        send: async (_user, _setting, kind) => void (await send(kind)),
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
