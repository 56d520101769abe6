import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import type { Audit } from '../../../../core/schemas/audit.ts';
import { type ConsoleClient, contractOf, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const password = 'correct horse battery';
const now = Math.floor(Date.now() / 1000);

describe('the audit trail', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;

  beforeAll(async () => {
    gateway = await startGateway();
    root = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', password));
  });
  afterAll(() => gateway.stop());

  it('S3 tells admins that an account above theirs was changed, and nothing of the person behind it', async () => {
    const { users } = gateway.app.services;
    const id = await gateway.addUser('adam', 0);
    await users.manage(systemActor, { id, action: 'promote' });
    const admin = createConsoleClient(gateway.url);
    await admin.data(admin.signIn('adam', password));
    const own = { email: 'boss@planted.example', display_name: 'Planted Boss' };
    await root.data(root.put('/api/user/', { id: root.userId, ...own }));
    const hook = { notify_type: 'webhook', webhook_url: 'https://planted.example/x' };
    await root.data(root.put('/api/user/setting', hook));
    await root.data(root.put('/api/user/', { id: gateway.userId, email: 'alice@known.example' }));
    const trail = (client: ConsoleClient) => client.data(client.get('/api/audit/?object_kind=user&page_size=100'));
    const [seen, whole] = [await trail(admin), await trail(root)];
    expect(JSON.stringify(seen)).not.toMatch(/planted/i);
    const changes = (items: Audit[]) => items.filter(({ object_id }) => object_id === String(root.userId));
    expect(changes(seen.items)[1]).toMatchObject({
      action: 'user.update',
      after: { email: '***', display_name: '***' },
    });
    expect(changes(whole.items)[1]).toMatchObject({ after: own });
    expect(JSON.stringify(seen)).toContain('alice@known.example');
  });

  /** What a call left in the trail, oldest first. */
  async function tracesOf(call: () => Promise<unknown>): Promise<Audit[]> {
    const newest = async () => (await root.data(root.get('/api/audit/?page_size=100'))).items as Audit[];
    const last = (await newest())[0]?.id ?? 0;
    await call();
    return (await newest()).filter(({ id }) => id > last).reverse();
  }

  it('groups the digits of large amounts, as pages do', async () => {
    const id = await gateway.addUser('rich', 0);
    const [trace] = await tracesOf(() =>
      root.data(root.post(`/api/user/${id}/credit`, { amount: 9_000_000_000_000_000, key: randomUUID() })),
    );
    expect(trace?.sentence.map(({ text }) => text).join('')).toContain('$18,000,000,000.00');
  });

  it('shows no letter of what is made from a key', async () => {
    const id = await gateway.addChannel({ name: 'hidden', key: 'sk-former-key-of-hidden-0001' });
    const [trace] = await tracesOf(() =>
      root.data(root.put('/api/channel', { id, key: 'sk-later-key-of-hidden-0002' })),
    );
    const hidden = { key_hash: '***', key_encrypted: '***' };
    expect(trace).toMatchObject({ action: 'channel.update', before: hidden, after: hidden });
    const [stored] = await gateway.app.database.select<{ after: string }>(
      'SELECT after FROM audits ORDER BY id DESC LIMIT 1',
    );
    expect(JSON.parse(stored?.after ?? '')).toMatchObject(hidden);
  });

  const wholeUser = async () => root.data(root.get(`/api/user/${gateway.userId}`));
  const firstOf = async (path: string) => {
    const data = await root.data(root.get(path));
    return (data.items ?? data)[0];
  };

  const cases: [name: string, actions: string[], call: () => Promise<unknown>][] = [
    [
      'a wrong and a right sign-in',
      ['session.signInFailed', 'session.signIn'],
      async () => {
        const other = createConsoleClient(gateway.url);
        await other.signIn('alice', 'wrong horse battery');
        await other.data(other.signIn('alice', password));
      },
    ],
    ['a role', ['user.promote'], () => manage('promote')],
    ['a role taken back', ['user.demote'], () => manage('demote')],
    ['a ban', ['user.disable'], () => manage('disable')],
    ['its end', ['user.enable'], () => manage('enable')],
    [
      'a balance',
      ['user.quota'],
      async () => {
        const user = await wholeUser();
        await root.data(root.put('/api/user/', { ...user, quota: user.quota + 5, quota_loaded: user.quota }));
      },
    ],
    [
      'an option',
      ['option.set'],
      () => root.data(root.put('/api/option/', { key: 'SMTPToken', value: 'planted-secret-1' })),
    ],
    [
      'a new channel',
      ['channel.create'],
      () =>
        root.data(
          root.post('/api/channel/', {
            type: 1,
            name: 'audited',
            key: 'planted-secret-2',
            models: 'gpt-4o',
            group: 'default',
            base_url: gateway.upstream.url,
          }),
        ),
    ],
    [
      'a changed channel',
      ['channel.update'],
      async () => {
        const { id } = await firstOf('/api/channel/');
        await root.data(root.put('/api/channel/', { id, priority: 7 }));
      },
    ],
    [
      'where a user wants to be notified',
      ['user.setting'],
      () =>
        root.data(
          root.put('/api/user/setting', {
            notify_type: 'webhook',
            webhook_url: 'https://hook.example.com/services/planted-secret-4',
            webhook_secret: 'planted-secret-5',
          }),
        ),
    ],
    [
      'a revealed key',
      ['channel.reveal'],
      async () => {
        const { id } = await firstOf('/api/channel/');
        await root.data(root.post(`/api/channel/${id}/key`, { password }));
      },
    ],
    [
      'a removed channel',
      ['channel.remove'],
      async () => {
        const { id } = await firstOf('/api/channel/');
        await root.data(root.delete(`/api/channel/${id}`));
      },
    ],
    [
      'a token',
      ['token.create', 'token.update', 'token.remove'],
      async () => {
        await root.data(root.post('/api/token/', { name: 'audited', unlimited_quota: true }));
        const token = await firstOf('/api/token/');
        await root.data(root.put('/api/token/', { ...token, name: 'renamed' }));
        await root.data(root.delete(`/api/token/${token.id}`));
      },
    ],
    [
      'a code',
      ['redemption.create', 'redemption.remove'],
      async () => {
        await root.data(root.post('/api/redemption/', { name: 'audited', quota: 10, count: 1 }));
        const { id } = await firstOf('/api/redemption/');
        await root.data(root.delete(`/api/redemption/${id}`));
      },
    ],
    [
      'a cleared log',
      ['log.clear', 'log.cleared'],
      () => root.data(root.delete(`/api/log/?target_timestamp=${now - 999}`)),
    ],
    ['an exported log', ['log.export'], () => root.get('/api/log/export')],
  ];

  async function manage(action: string): Promise<void> {
    await root.data(root.post('/api/user/manage', { id: gateway.userId, action }));
  }

  it.each(cases)('S14 keeps %s: who, when, from where and what', async (_name, actions, call) => {
    const traces = await tracesOf(call);
    const wanted = traces.filter(({ action }) => actions.includes(action));
    expect(
      wanted.map(({ action }) => action),
      JSON.stringify(traces.map(({ action }) => action)),
    ).toEqual(actions);
    for (const { actor_name, address, created_at, object_id, object_kind, action } of wanted) {
      expect(actor_name).toBe(action.startsWith('session.') ? 'alice' : 'root');
      expect(address).toBe('127.0.0.1');
      expect(created_at).toBeGreaterThanOrEqual(now);
      expect(action.startsWith(`${object_kind}.`)).toBe(true);
      if (action !== 'log.export') expect(object_id).not.toBe('');
    }
  });

  it('S14 says what changed and hides secrets', async () => {
    const [change] = (await root.data(root.get('/api/audit/?action=channel.update'))).items;
    const [told] = (await root.data(root.get('/api/audit/?action=user.setting'))).items;
    expect(told.after).toMatchObject({ notify_type: 'webhook', webhook_url: 'https://hook.example.com' });
    expect(change).toMatchObject({ before: { priority: 0 }, after: { priority: 7 } });
    const all = JSON.stringify((await root.get('/api/audit/?page_size=100')).body);
    expect(all).not.toContain('planted-secret');
    expect(all).not.toContain(password);
  });

  it('S14 cannot be changed or cleared over HTTP', async () => {
    const { document } = await contractOf(gateway.url);
    const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/audit'));
    expect(paths.map(([, methods]) => Object.keys(methods))).toEqual([['get']]);
    expect((await fetch(`${gateway.url}/api/audit/`, { method: 'DELETE' })).status).toBe(404);
  });
});
