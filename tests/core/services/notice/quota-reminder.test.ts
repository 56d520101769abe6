import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMailer, type Mailer } from '../../../../core/integrations/mail/mailer.ts';
import { createOutbound, type FetchOptions, type Outbound } from '../../../../core/integrations/outbound/outbound.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { userSettingSchema } from '../../../../core/schemas/user-setting.ts';
import { createNoticeDelivery } from '../../../../core/services/notice/delivery.ts';
import { createNoticeService } from '../../../../core/services/notice/notice.ts';
import { createQuotaReminder, type QuotaReminder } from '../../../../core/services/notice/quota-reminder.ts';
import { type FakeUpstream, startFakeUpstream } from '../../../support/fake-upstream.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('a low balance on %s', (engine) => {
  let services: TestServices;
  let mail: MailServer;
  let hook: FakeUpstream;
  let outbound: Outbound;
  let mailer: Mailer;
  let reminder: QuotaReminder;
  const failures: unknown[] = [];
  const asked: FetchOptions[] = [];

  beforeAll(async () => {
    services = await createTestServices(engine);
    mail = await startMailServer();
    hook = await startFakeUpstream();
    outbound = createOutbound({ rules: { upstreamPrivate: [], closedEndpoints: [] } });
    mailer = createMailer({
      settings: () => ({
        host: '127.0.0.1',
        port: mail.port,
        tls: false,
        account: '',
        password: '',
        from: 'gate@example.com',
        senderName: 'Tollgate',
      }),
      openSocket: (host, port) => outbound.openSocket(host, port, 'operatorPrivate'),
      onFailure: (_text, error) => failures.push(error),
    });
    reminder = reminderWith((address, options) => {
      asked.push(options);
      // The receiver of the test is on loopback, where no user may send anything.
      const here = new URL(address).pathname;
      return outbound.fetchBytes(`${hook.url}${here}`, { ...options, profile: 'operatorPrivate' });
    });
    await services.options.set(systemActor, 'DisplayInCurrencyEnabled', 'false');
  });
  afterAll(async () => {
    mailer.close();
    await outbound.close();
    await hook.close();
    await mail.close();
    await services.remove();
  });
  beforeEach(() => {
    mail.mails.length = 0;
    asked.length = 0;
    failures.length = 0;
    hook.reset();
  });

  const noticesWith = (
    fetchBytes: Outbound['fetchBytes'],
    ready: Pick<Mailer, 'isConfigured' | 'deliver'> = mailer,
  ) => {
    const { database, secretBox, options, now } = services;
    return createNoticeService({
      database,
      now,
      limit: { count: 2, minutes: 10 },
      delivery: createNoticeDelivery({ secretBox, options, mailer: ready, outbound: { fetchBytes }, now }),
      onFailure: (_text, error) => failures.push(error),
    });
  };
  const reminderWith = (...of: Parameters<typeof noticesWith>) => {
    const { database, options, now } = services;
    return createQuotaReminder({ database, options, notices: noticesWith(...of), now });
  };

  /** A user with a token that made a call a minute ago. */
  async function addCaller(name: string, quota: number, email = `${name}@example.com`): Promise<number> {
    const actor = await services.createUser(name);
    const { database } = services;
    await database.users.update({ email, quota }, { where: { id: actor.id } });
    const key_hash = `hash of ${name}`;
    await database.tokens.create({ user_id: actor.id, key_hash, created_time: 1, accessed_time: services.now() - 60 });
    return actor.id;
  }
  const call = (id: number) =>
    services.database.tokens.update({ accessed_time: services.now() }, { where: { user_id: id } });
  async function remindedNow(): Promise<string[]> {
    await reminder.remindDue();
    await mailer.settled();
    return mail.mails.splice(0).flatMap(({ to }) => to);
  }

  it('is sent by mail in both languages, to users who make calls and have an address', async () => {
    await addCaller('low', 999);
    await addCaller('enough', 1000);
    await addCaller('nowhere', 5, '');
    const idle = await addCaller('idle', 5);
    await services.database.tokens.update({ accessed_time: 1 }, { where: { user_id: idle } });
    const banned = await addCaller('banned', 5);
    await services.users.manage(systemActor, { id: banned, action: 'disable' });
    expect(await reminder.remindDue()).toBe(1);
    const told = await mail.take('low@example.com');
    expect(told.subject).toContain('balance is low');
    expect(told.subject).toContain('额度提醒');
    expect(told.text).toContain('999');
    // Without an address of this server there is no link for a colon to point to.
    expect(told.text).toContain('keep your calls working.');
    expect(told.text).not.toMatch(/[:：]\s*(\n|$)/);
    await mailer.settled();
    expect(mail.mails).toHaveLength(1);
  });

  it('A-078 is judged by QuotaRemindThreshold for all who have no threshold of their own', async () => {
    await addCaller('middle', 5000);
    expect(await remindedNow()).toEqual([]);
    await services.options.set(systemActor, 'QuotaRemindThreshold', '5000');
    expect(await remindedNow()).toEqual(['enough@example.com']);
    await services.options.set(systemActor, 'QuotaRemindThreshold', '5001');
    expect(await remindedNow()).toEqual(['middle@example.com']);
    await services.options.reset(systemActor, 'QuotaRemindThreshold');
  });

  it('is sent at most every 2 hours, and again only after more calls', async () => {
    const id = await addCaller('steady', 100);
    expect(await remindedNow()).toEqual(['steady@example.com']);
    await call(id);
    services.advance(7100);
    await call(id);
    expect(await remindedNow()).toEqual([]);
    services.advance(200);
    expect(await remindedNow()).toEqual(['steady@example.com']);
    services.advance(3 * 3600);
    expect(await remindedNow()).toEqual([]);
    await call(id);
    expect(await remindedNow()).toEqual(['steady@example.com']);
  });

  it('is sent once when several nodes look at the same moment', async () => {
    await addCaller('shared', 100);
    const counts = await Promise.all([reminder.remindDue(), reminder.remindDue(), reminder.remindDue()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    await mailer.settled();
    expect(mail.mails).toHaveLength(1);
  });

  it('is judged by the threshold of its user, and told to the address they chose', async () => {
    const id = await addCaller('careful', 40_000);
    const actor = { id, name: 'careful', role: 1, address: '' };
    const setting = { quota_warning_threshold: 50_000, notification_email: 'boss@example.com' };
    expect(await remindedNow()).toEqual([]);
    await services.self.changeSetting(actor, userSettingSchema.parse(setting));
    expect(await remindedNow()).toEqual(['boss@example.com']);
    services.advance(3 * 3600);
    await call(id);
    await services.database.users.update({ quota: 60_000 }, { where: { id } });
    expect(await remindedNow()).toEqual([]);
  });

  it('is sent to a webhook, signed with its secret, as a call of a user', async () => {
    const id = await addCaller('hooked', 7);
    const actor = { id, name: 'hooked', role: 1, address: '' };
    const webhook_url = 'https://hook.example.com/low';
    await services.self.changeSetting(
      actor,
      userSettingSchema.parse({ notify_type: 'webhook', webhook_url, webhook_secret: 'shared secret' }),
    );
    expect(await remindedNow()).toEqual([]);
    const [request] = await hook.waitForRequests(1);
    expect(asked[0]).toMatchObject({ profile: 'user', method: 'POST', timeoutMs: 5000 });
    const text = String(asked[0]?.body);
    expect(request?.path).toBe('/low');
    expect(request?.headers['x-webhook-signature']).toBe(
      createHmac('sha256', 'shared secret').update(text).digest('hex'),
    );
    expect(JSON.parse(text)).toMatchObject({ type: 'quota_exceed', values: ['7'], timestamp: expect.any(Number) });
  });

  it('has one id over all tries at a webhook, so that a receiver that has it already can tell', async () => {
    const id = await addCaller('repeated', 7);
    const setting = { notify_type: 'webhook', webhook_url: 'https://hook.example.com/again' };
    await services.self.changeSetting({ id, name: 'repeated', role: 1, address: '' }, userSettingSchema.parse(setting));
    const ids: unknown[] = [];
    const late: Outbound['fetchBytes'] = (address, { headers }) => {
      if (address === setting.webhook_url) ids.push((headers as Record<string, string>)['x-webhook-id']);
      return Promise.reject(new Error('took too long'));
    };
    await reminderWith(late).remindDue();
    services.advance(61);
    await noticesWith(late).sendDue();
    expect(ids).toEqual([expect.stringMatching(/^notice-[0-9a-f]{32}$/), ids[0]]);
    await services.database.select('DELETE FROM notices RETURNING id');
  });

  it('S10 is not sent to a webhook on a private address, and the failure harms no other user', async () => {
    const id = await addCaller('inside', 7);
    const setting = { notify_type: 'webhook', webhook_url: `${hook.url}/inside` };
    await services.self.changeSetting({ id, name: 'inside', role: 1, address: '' }, userSettingSchema.parse(setting));
    await addCaller('outside', 7);
    await reminderWith(outbound.fetchBytes).remindDue();
    await mail.take('outside@example.com');
    expect(hook.requests).toEqual([]);
    expect(failures).toHaveLength(1);
  });

  it('waits until there is a way to send it', async () => {
    await addCaller('patient', 7);
    const closed = { isConfigured: () => false, deliver: () => Promise.reject(new Error('asked')) };
    expect(await reminderWith(outbound.fetchBytes, closed).remindDue()).toBe(0);
    expect(await remindedNow()).toEqual(['patient@example.com']);
  });

  it('F57 is sent by the next process when a mail server was away and the first process has ended', async () => {
    await addCaller('unlucky', 7);
    const away = { isConfigured: () => true, deliver: () => Promise.reject(new Error('connection refused')) };
    const dying = noticesWith(outbound.fetchBytes, away);
    const { database, options, now } = services;
    await createQuotaReminder({ database, options, notices: dying, now }).remindDue();
    expect(failures).toHaveLength(1);
    const later = noticesWith(outbound.fetchBytes);
    expect(await later.sendDue()).toBe(0);
    services.advance(61);
    expect(await later.sendDue()).toBe(1);
    expect((await mail.take('unlucky@example.com')).text).toContain('unlucky');
    expect(await later.sendDue()).toBe(0);
  });

  it('waits while the mail server refuses our sign-in or sender, and is given up when it refuses the receiver', async () => {
    await services.database.select('DELETE FROM notices RETURNING id');
    let [password, from] = ['expired', 'gate@example.com'];
    const refuse = (done: (error: Error) => void, responseCode: number) =>
      done(Object.assign(new Error('no'), { responseCode }));
    const strict = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (auth, _session, done) =>
        auth.password === 'renewed' ? done(null, { user: 'gate' }) : refuse(done, 535),
      onMailFrom: ({ address }, _session, done) => (address === from ? done() : refuse(done, 553)),
      onRcptTo: ({ address }, _session, done) => (address.startsWith('gone') ? refuse(done, 550) : done()),
    });
    const sender = createMailer({
      settings: () => ({
        ...{ host: '127.0.0.1', port: strict.port, tls: false, account: 'gate', password },
        ...{ from: 'gate@example.com', senderName: 'Tollgate' },
      }),
      openSocket: (host, port) => outbound.openSocket(host, port, 'operatorPrivate'),
      onFailure: () => undefined,
    });
    await addCaller('locked-out', 7);
    await addCaller('gone', 7);
    const notices = noticesWith(outbound.fetchBytes, sender);
    const { database, options, now } = services;
    await createQuotaReminder({ database, options, notices, now }).remindDue();
    expect(strict.mails).toEqual([]);
    [password, from] = ['renewed', 'other@example.com'];
    services.advance(61);
    expect(await notices.sendDue()).toBe(0);
    from = 'gate@example.com';
    services.advance(301);
    expect(await notices.sendDue()).toBe(1);
    await strict.take('locked-out@example.com');
    expect(await database.select('SELECT id FROM notices WHERE done_at = 0')).toEqual([]);
    sender.close();
    await strict.close();
  });

  it('is given up after a day of failures, or when the mail server will never take it', async () => {
    // Not those that other tests left behind.
    await services.database.select('DELETE FROM notices RETURNING id');
    await addCaller('refused', 7);
    const away = { isConfigured: () => true, deliver: () => Promise.reject(new Error('connection refused')) };
    const notices = noticesWith(outbound.fetchBytes, away);
    const { database, options, now } = services;
    await createQuotaReminder({ database, options, notices, now }).remindDue();
    for (let hour = 0; hour < 24; hour++) {
      services.advance(3600);
      await notices.sendDue();
    }
    expect(failures).toHaveLength(6);
    expect(await noticesWith(outbound.fetchBytes).sendDue()).toBe(0);
    services.advance(24 * 3600 + 1);
    await notices.removeOld();
    expect(await database.select('SELECT id FROM notices')).toEqual([]);
  });

  it('F55 is sent again after the clock was set back', async () => {
    const id = await addCaller('ahead', 100);
    expect(await remindedNow()).toContain('ahead@example.com');
    services.advance(-7 * 86_400);
    await call(id);
    expect(await remindedNow()).toContain('ahead@example.com');
    expect(await remindedNow()).toEqual([]);
  });
});
