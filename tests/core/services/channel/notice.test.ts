import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMailer, type Mailer } from '../../../../core/integrations/mail/mailer.ts';
import { createOutbound, type FetchOptions } from '../../../../core/integrations/outbound/outbound.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../../../core/schemas/channel.ts';
import { userSettingSchema } from '../../../../core/schemas/user-setting.ts';
import { createChannelNotice } from '../../../../core/services/channel/notice.ts';
import type { ChannelSwitch } from '../../../../core/services/channel/state.ts';
import { createNoticeDelivery } from '../../../../core/services/notice/delivery.ts';
import { createNoticeService, type NoticeService } from '../../../../core/services/notice/notice.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('a notice about channels on %s', (engine) => {
  let services: TestServices;
  let server: MailServer;
  let mailer: Mailer;
  const outbound = createOutbound({ rules: { upstreamPrivate: [], closedEndpoints: [] } });
  const errors: unknown[] = [];
  let host = '';
  let notices: NoticeService;
  let listener: (change: ChannelSwitch) => void = () => {};
  const posted: { url: string; options: FetchOptions }[] = [];

  beforeAll(async () => {
    services = await createTestServices(engine);
    server = await startMailServer();
    mailer = createMailer({
      settings: () => ({
        host,
        port: server.port,
        tls: false,
        account: '',
        password: '',
        from: 'gate@example.com',
        senderName: 'Tollgate',
      }),
      openSocket: (name, port) => outbound.openSocket(name, port, 'operatorPrivate'),
      onFailure: (_text, error) => errors.push(error),
    });
    const { database, secretBox, options, now } = services;
    notices = createNoticeService({
      database,
      now,
      limit: { count: 2, minutes: 10 },
      delivery: createNoticeDelivery({
        secretBox,
        options,
        mailer,
        now,
        outbound: {
          async fetchBytes(url, given) {
            posted.push({ url, options: given });
            return { status: 204, headers: {} as never, body: Buffer.alloc(0) };
          },
        },
      }),
      onFailure: (_text, error) => errors.push(error),
    });
    for (const [name, role, email] of [
      ['chief', 100, 'chief@example.com'],
      ['silent', 100, ''],
      ['helper', 10, 'helper@example.com'],
    ] as const) {
      const { id } = await services.createUser(name, { role });
      await services.database.users.update({ email }, { where: { id } });
    }
  });
  afterAll(async () => {
    await mailer.settled();
    mailer.close();
    await outbound.close();
    await server.close();
    await services.remove();
  });

  const open = () =>
    createChannelNotice({ ...services, notices, sendAfterMs: 0, onError: (error) => errors.push(error) });
  /** What a process does that looks after the notices of this moment were gathered. */
  async function send(notice: ReturnType<typeof open>): Promise<void> {
    await notice.close();
    services.advance(11);
    await notices.sendDue();
  }
  async function createChannel(name: string): Promise<number> {
    const input = { type: 1, name, key: 'sk-x', models: 'gpt-4o', group: 'default' };
    const [channel] = await services.channels.create(systemActor, channelCreateSchema.parse(input));
    return channel?.id ?? 0;
  }

  it('goes to root once for all channels that went off together, as text and never as markup', async () => {
    host = '127.0.0.1';
    const notice = open();
    services.channels.onSwitched((change) => listener(change));
    listener = notice.switched;
    const [one, two] = [await createChannel('first'), await createChannel('<b>second</b>')];
    await Promise.all([1, 2, 3].map(() => services.channels.disableAutomatically(one, 'answered {line0} in 9 s')));
    await services.channels.disableAutomatically(two, '401 <script>');
    await send(notice);
    const { subject, text, html } = await server.take('chief@example.com');
    expect(subject).toContain('Tollgate');
    expect(text.match(/Channel \d+/g)).toEqual([`Channel ${one}`, `Channel ${two}`]);
    expect(text).toContain(`渠道 ${one}（first）已被自动禁用：answered {line0} in 9 s`);
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script>');
    expect(server.mails.flatMap(({ to }) => to)).toEqual(['chief@example.com']);
  });

  it('tells of one of several keys, and of the channel when its last key is off', async () => {
    const notice = open();
    listener = notice.switched;
    const input = { type: 1, name: 'pool', key: 'sk-a\nsk-b', key_mode: 'random', models: 'gpt-4o', group: 'default' };
    const [channel] = await services.channels.create(systemActor, channelCreateSchema.parse(input));
    const id = channel?.id ?? 0;
    const reports = [1, 2, 3].map(() => services.channels.disableAutomatically(id, '401 no such key', 1));
    expect(await Promise.all(reports)).toEqual([false, false, false]);
    expect(await services.channels.disableAutomatically(id, '402 no credit', 2)).toBe(true);
    await send(notice);
    // Gathered into one mail, or one for each.
    const said = () => server.mails.map(({ text }) => text).join('\n');
    await expect.poll(said).toContain(`Channel ${id} (pool) was disabled: 402 no credit`);
    expect(said().match(/Key #1 of channel .* was disabled: 401 no such key/g)).toHaveLength(1);
    const mails = server.mails.filter(({ text }) => text.includes('(pool)')).length;
    for (let mail = 0; mail < mails; mail++) await server.take('chief@example.com');
    listener = () => {};
  });

  it('tells how a test run ended', async () => {
    const notice = open();
    notice.tested({ tested: 3, failed: [{ id: 7, name: 'main', reason: 'no such key' }], disabled: 1, enabled: 0 });
    await send(notice);
    const { text } = await server.take('chief@example.com');
    expect(text).toContain('3 tested, 1 failed, 1 disabled, 0 enabled again.');
    expect(text).toContain('Channel 7 (main): no such key');
  });

  it('is sent at most twice in ten minutes about one channel and state', async () => {
    const id = await createChannel('flapping');
    const before = server.mails.length;
    for (let turn = 0; turn < 4; turn++) {
      const notice = open();
      listener = notice.switched;
      await services.channels.disableAutomatically(id, `reason ${turn}`);
      await send(notice);
      listener = () => {};
      await services.database.channels.update({ status: 1 }, { where: { id } });
    }
    expect(server.mails.length - before).toBe(2);
  });

  it('goes to the webhook root has set, signed, one call for each event', async () => {
    const chief = await services.database.users.findOne({ where: { username: 'chief' }, raw: true });
    const actor = { id: chief?.id ?? 0, name: 'chief', role: 100, address: '' };
    const setting = { notify_type: 'webhook', webhook_url: 'https://hook.example.com/x', webhook_secret: 'shared' };
    await services.self.changeSetting(actor, userSettingSchema.parse(setting));
    const before = server.mails.length;
    const ids = [await createChannel('third'), await createChannel('fourth')];
    const notice = open();
    listener = notice.switched;
    for (const id of ids) await services.channels.disableAutomatically(id, 'gone');
    await send(notice);
    const bodies = posted.map(({ options }) => JSON.parse(String(options.body)));
    expect(bodies.map(({ type }) => type).sort()).toEqual(ids.map((id) => `channel_update_${id}_3`).sort());
    for (const { url, options } of posted) {
      expect(url).toBe('https://hook.example.com/x');
      expect(options).toMatchObject({ profile: 'user', method: 'POST' });
      const signature = createHmac('sha256', 'shared').update(String(options.body)).digest('hex');
      expect(options.headers).toMatchObject({ 'x-webhook-signature': signature });
    }
    expect(server.mails).toHaveLength(before);
    await services.self.changeSetting(actor, userSettingSchema.parse({}));
  });

  it('is left out without a mail server, and nothing fails for it', async () => {
    host = '';
    const before = server.mails.length;
    const notice = open();
    notice.tested({ tested: 1, failed: [], disabled: 0, enabled: 0 });
    await send(notice);
    expect(server.mails).toHaveLength(before);
    expect(errors).toEqual([]);
  });
});
