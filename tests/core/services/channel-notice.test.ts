import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMailer, type Mailer } from '../../../core/integrations/mail/mailer.ts';
import { createOutbound } from '../../../core/integrations/outbound/outbound.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../../core/schemas/channel.ts';
import { createChannelNotice } from '../../../core/services/channel-notice.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { createTestServices, type TestServices } from '../../support/services.ts';

describe('a notice about channels', () => {
  let services: TestServices;
  let server: MailServer;
  let mailer: Mailer;
  const outbound = createOutbound({ rules: { upstreamPrivate: [], closedEndpoints: [] } });
  const errors: unknown[] = [];
  let host = '';

  beforeAll(async () => {
    services = await createTestServices('sqlite');
    server = await startMailServer();
    mailer = createMailer({
      settings: () => ({
        ...{ host, port: server.port, tls: false, account: '', password: '', from: 'gate@example.com' },
        senderName: 'Tollgate',
      }),
      openSocket: (name, port) => outbound.openSocket(name, port, 'operatorPrivate'),
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
    createChannelNotice({ ...services, mailer, gatherMs: 100, onError: (error) => errors.push(error) });
  async function createChannel(name: string): Promise<number> {
    const input = { type: 1, name, key: 'sk-x', models: 'gpt-4o', group: 'default' };
    const [channel] = await services.channels.create(systemActor, channelCreateSchema.parse(input));
    return channel?.id ?? 0;
  }

  it('goes to root once for all channels that went off together, as text and never as markup', async () => {
    host = '127.0.0.1';
    services.channels.onSwitched(open().switched);
    const [one, two] = [await createChannel('first'), await createChannel('<b>second</b>')];
    await Promise.all([1, 2, 3].map(() => services.channels.disableAutomatically(one, 'answered {line0} in 9 s')));
    await services.channels.disableAutomatically(two, '401 <script>');
    const { subject, text, html } = await server.take('chief@example.com');
    expect(subject).toContain('Tollgate');
    expect(text.match(/Channel \d+/g)).toEqual([`Channel ${one}`, `Channel ${two}`]);
    expect(text).toContain(`渠道 ${one}（first）已被自动禁用：answered {line0} in 9 s`);
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script>');
    await mailer.settled();
    expect(server.mails.flatMap(({ to }) => to)).toEqual(['chief@example.com']);
  });

  it('tells how a test run ended', async () => {
    open().tested({ tested: 3, failed: [{ id: 7, name: 'main', reason: 'no such key' }], disabled: 1, enabled: 0 });
    const { text } = await server.take('chief@example.com');
    expect(text).toContain('3 tested, 1 failed, 1 disabled, 0 enabled again.');
    expect(text).toContain('Channel 7 (main): no such key');
  });

  it('is left out without a mail server, and nothing fails for it', async () => {
    host = '';
    const before = server.mails.length;
    open().tested({ tested: 1, failed: [], disabled: 0, enabled: 0 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(server.mails).toHaveLength(before);
    expect(errors).toEqual([]);
  });
});
