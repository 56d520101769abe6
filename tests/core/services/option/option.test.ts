import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkChannelBaseUrl } from '../../../../core/integrations/outbound/address-rules.ts';
import { createSecretBox } from '../../../../core/lib/secret-box.ts';
import { type Actor, role, systemActor } from '../../../../core/schemas/actor.ts';
import { type OptionKey, optionKeys } from '../../../../core/schemas/option.ts';
import { createAuditService } from '../../../../core/services/audit.ts';
import { createOptionService, type OptionService } from '../../../../core/services/option/option.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../../support/temporary-database.ts';

const admin: Actor = { id: 2, name: 'admin', role: role.admin, address: '' };
const secretBox = createSecretBox(['test']);
const rules = { upstreamPrivate: [], closedEndpoints: [] };

describe.each(engines)('option on %s', (engine) => {
  let bed: TemporaryDatabase;
  let options: OptionService;
  const open = () =>
    createOptionService({
      database: bed.database,
      secretBox,
      audit: createAuditService({ database: bed.database }),
      checkAddress: (address) => void checkChannelBaseUrl(address, 'operatorPrivate', rules),
    });
  const reopened = async () => {
    const again = open();
    await again.load();
    return again;
  };

  beforeAll(async () => {
    bed = await createTemporaryDatabase(engine);
    options = open();
    await options.load();
  });
  afterAll(() => bed.remove());

  it('has its default until it is set, and its value in every process from then on', async () => {
    expect(options.get('RetryTimes')).toBe(2);
    expect(options.get('SystemName')).toBe('Tollgate');
    await options.set(systemActor, 'RetryTimes', '5');
    expect(options.get('RetryTimes')).toBe(5);
    expect((await reopened()).get('RetryTimes')).toBe(5);
    await options.reset(systemActor, 'RetryTimes');
    expect((await reopened()).get('RetryTimes')).toBe(2);
  });

  it('is listed as text that can be sent back unchanged', async () => {
    const listed = options.list(systemActor);
    expect(listed).toHaveLength(optionKeys.length);
    for (const { key, value } of listed) await options.set(systemActor, key, value);
    expect((await reopened()).list(systemActor).map(({ value }) => value)).toEqual(listed.map(({ value }) => value));
  });

  it('takes the word auto where the program can find the number itself, which is the default', async () => {
    expect(options.get('FirstTokenTimeout')).toBe('auto');
    for (const [typed, value] of [
      ['0', 0],
      [' 15', 15],
      ['Auto', 'auto'],
    ] as const) {
      await options.set(systemActor, 'FirstTokenTimeout', typed);
      expect((await reopened()).get('FirstTokenTimeout')).toBe(value);
    }
    await options.reset(systemActor, 'FirstTokenTimeout');
  });

  it('A-113 A-119 A-123 keeps no blank that was pasted around a name or an id', async () => {
    for (const key of ['SystemName', 'GitHubClientId', 'TelegramBotName', 'EpayId', 'SMTPFrom'] as const) {
      if (key === 'EpayId') await options.set(systemActor, 'ServerAddress', 'https://gate.example.com');
      await options.set(systemActor, key, ' an id\u00a0\n');
      expect((await reopened()).get(key), key).toBe('an id');
      await options.reset(systemActor, key);
    }
    await options.reset(systemActor, 'ServerAddress');
  });

  it('is for root only', async () => {
    await expect(options.set(admin, 'RetryTimes', '1')).rejects.toMatchObject({ code: 'permission.denied' });
    expect(() => options.list(admin)).toThrow('do not have permission');
  });

  it.each([
    ['DrawingEnabled', 'yes', 'option.notBoolean'],
    ['DrawingEnabled', 'True', 'option.notBoolean'],
    ['RetryTimes', 'abc', 'option.notWhole'],
    ['RetryTimes', '1.5', 'option.notWhole'],
    ['RetryTimes', '-1', 'option.notWhole'],
    ['DataExportInterval', '0', 'option.notWhole'],
    ['FirstTokenTimeout', 'automatic', 'option.notAuto'],
    ['FirstTokenTimeout', '3601', 'option.notAuto'],
    ['FirstTokenTimeout', '', 'option.notAuto'],
    ['QuotaForNewUser', '9007199254740992', 'option.notWhole'],
    ['Price', '1e309', 'option.notNumber'],
    ['DataExportDefaultTime', 'year', 'option.notChoice'],
    ['GroupRatio', '{"default":1', 'option.notJson'],
    ['GroupRatio', '[1]', 'option.notJson'],
    ['GroupRatio', '{"vip":1}', 'option.defaultGroup'],
    ['GroupRatio', '', 'option.defaultGroup'],
    ['ModelRatio', '{"a":-1}', 'option.badEntry'],
    ['ModelRatio', '{"a":null}', 'option.badEntry'],
    ['ModelRatio', '{"a":"1"}', 'option.badEntry'],
    ['ModelRatio', '{"a":1e308}', 'option.badEntry'],
    ['ModelRatio', '{"a":NaN}', 'option.notJson'],
    ['ServerAddress', 'javascript:alert(1)', 'option.badLink'],
    ['ServerAddress', 'https://user:pass@example.com', 'option.badLink'],
    ['ServerAddress', 'https://example.com/\nSet-Cookie: a', 'option.badLink'],
    ['ServerAddress', 'https://example.com/?a=1', 'option.badLink'],
    ['ServerAddress', 'https://example.com/path', 'option.badLink'],
    ['PayAddress', 'ftp://pay.example.com', 'option.badLink'],
    ['PayAddress', 'http://169.254.169.254/pay', 'outbound.refused'],
    ['WorkerUrl', 'http://metadata.google.internal/', 'outbound.refused'],
    ['Logo', 'data:image/png;base64,AAAA', 'option.badLink'],
    ['Logo', `https://example.com/${'a'.repeat(51_200)}`, 'option.badLink'],
    ['Chats', '{"a":"https://x.example"}', 'option.notJson'],
    ['Chats', '[{"a":"javascript:alert(1)"}]', 'option.badEntry'],
    ['Chats', '[{"a":" java\\nscript:alert(1)"}]', 'option.badEntry'],
    ['NoSuchOption', '1', 'option.unknown'],
    ['__proto__', '1', 'option.unknown'],
    ['constructor', '1', 'option.unknown'],
  ])('%s refuses %s and keeps its value', async (key, value, code) => {
    const before = options.list(systemActor);
    await expect(options.set(systemActor, key, value)).rejects.toMatchObject({ code });
    expect((await reopened()).list(systemActor)).toEqual(before);
  });

  it('takes any model name as a plain key', async () => {
    await options.set(systemActor, 'ModelRatio', '{"__proto__":2,"constructor":3}');
    const ratios = (await reopened()).get('ModelRatio');
    expect(Object.keys(ratios)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
    await options.reset(systemActor, 'ModelRatio');
  });

  it('keeps only the prices that differ when a console saves the whole map it was shown', async () => {
    const shown = JSON.parse(options.getOne(systemActor, 'ModelRatio').value) as Record<string, number>;
    expect(Object.keys(shown).length).toBeGreaterThan(100);
    await options.set(systemActor, 'ModelRatio', JSON.stringify({ ...shown, 'gpt-4o': 9, mine: 1 }));
    expect({ ...options.get('ModelRatio') }).toEqual({ 'gpt-4o': 9, mine: 1 });
    const next = JSON.parse(options.getOne(systemActor, 'ModelRatio').value) as Record<string, number>;
    expect(next).toEqual({ ...shown, 'gpt-4o': 9, mine: 1 });
    await options.reset(systemActor, 'ModelRatio');
    expect(JSON.parse(options.getOne(systemActor, 'ModelRatio').value)).toEqual(shown);
  });

  it('never gives a secret back, stores it encrypted, and a blank leaves it as it is', async () => {
    await options.set(systemActor, 'SMTPToken', 'planted-canary-42');
    await options.set(systemActor, 'SMTPToken', '');
    expect((await reopened()).get('SMTPToken')).toBe('planted-canary-42');
    expect(options.getOne(systemActor, 'SMTPToken')).toMatchObject({ value: '', has: true, secret: true });
    const rows = await bed.database.select('SELECT value FROM options UNION ALL SELECT after FROM audits');
    expect(JSON.stringify(rows)).not.toContain('canary');
    await options.reset(systemActor, 'SMTPToken');
    expect(options.getOne(systemActor, 'SMTPToken').has).toBe(false);
  });

  it('keeps a secret away from a new address unless it is sent again or kept on purpose', async () => {
    await options.set(systemActor, 'WorkerUrl', 'https://worker.example.com/a');
    await options.set(systemActor, 'WorkerValidKey', 'worker-secret');
    await options.set(systemActor, 'WorkerUrl', 'https://worker.example.com/b');
    const moved = { key: 'WorkerUrl', value: 'https://evil.example.com' };
    await expect(options.set(systemActor, moved.key, moved.value)).rejects.toMatchObject({
      code: 'option.secretNeeded',
    });
    await options.setMany(systemActor, [moved, { key: 'WorkerValidKey', value: 'other' }]);
    await options.set(systemActor, 'WorkerUrl', 'https://third.example.com', { keepSecret: true });
    expect(options.get('WorkerValidKey')).toBe('other');
  });

  it('S11 keeps the OIDC secret with the provider that was discovered', async () => {
    await options.set(systemActor, 'oidc.client_secret', 'oidc-secret');
    await options.set(systemActor, 'oidc.well_known', 'https://id.example.com/.well-known/openid-configuration');
    const move = (value: string) => options.set(systemActor, 'oidc.token_endpoint', value);
    await expect(move('https://evil.example.com/token')).rejects.toMatchObject({ code: 'option.secretNeeded' });
    await move('https://id.example.com/token');
    await expect(move('https://evil.example.com/token')).rejects.toMatchObject({ code: 'option.secretNeeded' });
    await options.setMany(systemActor, [
      { key: 'oidc.token_endpoint', value: 'https://other.example.com/token' },
      { key: 'oidc.client_secret', value: 'its-own' },
    ]);
    expect(options.get('oidc.token_endpoint')).toBe('https://other.example.com/token');
  });

  it.each([
    ['SMTPServer', 'SMTPToken', 'mail.example.com', 'evil.example.com'],
    ['WorkerUrl', 'WorkerValidKey', 'https://old-worker.example.com', 'https://evil.example.com'],
    ['WeChatServerAddress', 'WeChatServerToken', 'https://wechat.example.com', 'https://evil.example.com'],
    ['oidc.token_endpoint', 'oidc.client_secret', 'https://sso.example.com/token', 'https://evil.example.com/token'],
  ])(
    'S11 empties the secret with its address, so that it never gets to the next one: %s',
    async (key, secret, home, elsewhere) => {
      await options.setMany(systemActor, [
        { key: 'oidc.well_known', value: '' },
        { key, value: home },
        { key: secret, value: 'planted-canary-43' },
      ]);
      for (const empty of [
        () => options.set(systemActor, key, '', { keepSecret: true }),
        () => options.reset(systemActor, key),
      ]) {
        await options.setMany(systemActor, [
          { key, value: home },
          { key: secret, value: 'planted-canary-43' },
        ]);
        expect((await empty()).cleared).toEqual([secret]);
        expect(options.getOne(systemActor, secret).has).toBe(false);
        expect((await options.set(systemActor, key, elsewhere)).cleared).toEqual([]);
        expect((await reopened()).get(secret as OptionKey)).toBe('');
      }
    },
  );

  it('S11 an address that goes leaves the secret alone while another one still says where it belongs', async () => {
    await options.setMany(systemActor, [
      { key: 'oidc.well_known', value: 'https://id.example.com/.well-known/openid-configuration' },
      { key: 'oidc.token_endpoint', value: 'https://id.example.com/token' },
      { key: 'oidc.client_secret', value: 'oidc-secret' },
    ]);
    expect((await options.set(systemActor, 'oidc.token_endpoint', '')).cleared).toEqual([]);
    expect(options.get('oidc.client_secret')).toBe('oidc-secret');
    const found = options.set(
      systemActor,
      'oidc.well_known',
      'https://evil.example.com/.well-known/openid-configuration',
    );
    await expect(found).rejects.toMatchObject({ code: 'option.secretNeeded' });
    // Saved by hand elsewhere: going back to discovery is a move of the secret too.
    await options.set(systemActor, 'oidc.token_endpoint', 'https://other.example.com/token', { keepSecret: true });
    await expect(options.set(systemActor, 'oidc.token_endpoint', '')).rejects.toMatchObject({
      code: 'option.secretNeeded',
    });
  });

  it('takes a secret that is saved before its first address', async () => {
    await options.reset(systemActor, 'WeChatServerAddress');
    await options.set(systemActor, 'WeChatServerToken', 'first');
    await options.set(systemActor, 'WeChatServerAddress', 'https://wechat.example.com');
    expect(options.get('WeChatServerToken')).toBe('first');
  });

  it('cannot be switched on before what it needs is set', async () => {
    const attempt = options.set(systemActor, 'GitHubOAuthEnabled', 'true');
    await expect(attempt).rejects.toMatchObject({ code: 'option.needsOther' });
    await options.setMany(systemActor, [
      { key: 'GitHubClientId', value: 'id' },
      { key: 'GitHubOAuthEnabled', value: 'true' },
    ]);
    expect(options.get('GitHubOAuthEnabled')).toBe(true);
    await options.set(systemActor, 'TelegramBotToken', '1:secret');
    const unnamed = options.set(systemActor, 'TelegramOAuthEnabled', 'true');
    await expect(unnamed).rejects.toThrow('set TelegramBotName before you turn on TelegramOAuthEnabled');
    await options.reset(systemActor, 'TelegramBotToken');
    await options.set(systemActor, 'EmailDomainWhitelist', '');
    await expect(options.set(systemActor, 'EmailDomainRestrictionEnabled', 'true')).rejects.toThrow('Whitelist');
  });

  it('A-105 A-113 A-120 stay set while a switch that needs them is on', async () => {
    const id = { key: 'GitHubClientId', value: 'id' };
    const entries = [id, { key: 'GitHubOAuthEnabled', value: 'true' }];
    await options.setMany(systemActor, entries);
    const emptied = options.set(systemActor, 'GitHubClientId', ' ');
    await expect(emptied).rejects.toMatchObject({ code: 'option.inUse' });
    await expect(options.reset(systemActor, 'GitHubClientId')).rejects.toThrow('GitHubOAuthEnabled is on');
    expect(options.get('GitHubClientId')).toBe('id');
    await options.set(systemActor, 'GitHubClientId', 'another');
    await options.setMany(systemActor, [
      { key: 'GitHubClientId', value: '' },
      { key: 'GitHubOAuthEnabled', value: 'false' },
    ]);
    expect(options.get('GitHubClientId')).toBe('');

    const check = ['TurnstileSiteKey', 'TurnstileSecretKey', 'TurnstileCheckEnabled'];
    await options.setMany(
      systemActor,
      check.map((key) => ({ key, value: key === 'TurnstileCheckEnabled' ? 'true' : 'a key' })),
    );
    // No one could sign in any more, root included.
    await expect(options.reset(systemActor, 'TurnstileSecretKey')).rejects.toMatchObject({ code: 'option.inUse' });
    await options.resetMany(systemActor, check);
    expect(options.get('TurnstileSecretKey')).toBe('');
  });

  it('changes all or nothing when several are sent', async () => {
    const entries = [
      { key: 'MinTopUp', value: '7' },
      { key: 'Price', value: 'x' },
    ];
    await expect(options.setMany(systemActor, entries)).rejects.toMatchObject({ code: 'option.notNumber' });
    expect((await reopened()).get('MinTopUp')).toBe(1);
  });

  it('tells listeners what another process changed', async () => {
    const seen: string[][] = [];
    const stop = options.onChange((keys) => seen.push(keys));
    await (await reopened()).set(systemActor, 'Notice', 'hello');
    expect(options.get('Notice')).toBe('');
    await options.load();
    await options.load();
    stop();
    await options.set(systemActor, 'Notice', 'again');
    expect(seen).toEqual([['Notice']]);
  });

  it('names a stored row it cannot use and goes on with the default', async () => {
    await bed.database.options.bulkCreate([{ key: 'Theme', value: 'x' }]);
    await bed.database.options.upsert({ key: 'MinTopUp', value: 'many' });
    const again = open();
    expect((await again.load()).unreadable.sort()).toEqual(['MinTopUp', 'Theme']);
    expect(again.get('MinTopUp')).toBe(1);
  });

  it('keeps a secret that was damaged in force, refuses a start without it, and lets it be deleted', async () => {
    await options.set(systemActor, 'SMTPServer', 'mail.example.com');
    await options.set(systemActor, 'SMTPToken', 'planted-canary-43');
    await bed.database.options.update({ value: 'v1:damaged' }, { where: { key: 'SMTPToken' } });
    await options.set(systemActor, 'Notice', 'still saved');
    expect([options.get('SMTPToken'), options.get('Notice')]).toEqual(['planted-canary-43', 'still saved']);
    await expect(reopened()).rejects.toMatchObject({ code: 'option.unreadable', details: { key: 'SMTPToken' } });
    const again = open();
    await again.load({ mayMissSecrets: true });
    await again.reset(systemActor, 'SMTPToken');
    expect((await reopened()).get('Notice')).toBe('still saved');
  });

  it('keeps hourly sums out of the comparison while they are not collected', async () => {
    const mark = async () =>
      (await bed.database.select<{ at: number }>("SELECT at FROM ledger_marks WHERE name = 'hourly'"))[0]?.at ?? 0;
    await options.set(systemActor, 'DataExportEnabled', 'true');
    expect(await mark()).toBe(0);
    await options.set(systemActor, 'DataExportEnabled', 'false');
    expect(await mark()).toBe(Number.MAX_SAFE_INTEGER);
    await options.set(systemActor, 'LogConsumeEnabled', 'false');
    expect(await mark()).toBe(Number.MAX_SAFE_INTEGER);
    await options.set(systemActor, 'DataExportEnabled', 'true');
    const now = Date.now() / 1000;
    expect(await mark()).toBeGreaterThan(now);
    expect(await mark()).toBeLessThanOrEqual(now + 3661);
    expect((await mark()) % 3600).toBe(0);
  });

  it('leaves a trace of who changed it', async () => {
    await options.set(
      { ...systemActor, id: 1, name: 'root', address: '10.0.0.1' },
      'TopUpLink',
      'https://shop.example',
    );
    const [trace] = await bed.database.audits.findAll({ order: [['id', 'DESC']], limit: 1, raw: true });
    expect(trace).toMatchObject({
      actor_name: 'root',
      address: '10.0.0.1',
      action: 'option.set',
      object_kind: 'option',
      object_id: 'TopUpLink',
      after: '{"value":"https://shop.example"}',
    });
  });
});
