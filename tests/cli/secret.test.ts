import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretBox } from '../../core/lib/secret-box.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { redemptionCreateSchema } from '../../core/schemas/redemption.ts';
import { tokenCreateSchema } from '../../core/schemas/token.ts';
import { userSettingSchema } from '../../core/schemas/user-setting.ts';
import { holderOfKey } from '../../core/services/token/key-holder.ts';
import { addMasterKey, rotateSecrets } from '../../core/services/upkeep/secret-rotation.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';
import { createTestServices, type TestServices } from '../support/services.ts';
import { startGateway } from '../support/start-gateway.ts';
import { engines } from '../support/temporary-database.ts';

describe.each(engines)('stored secrets on %s', (engine) => {
  let services: TestServices;
  beforeEach(async () => {
    services = await createTestServices(engine);
  });
  afterEach(() => services.remove());

  it('S12: are all rewritten, found and opened by the new key alone, and a stopped run goes on', async () => {
    const { database, tokens, redemptions, options, self, twoFactors, audit } = services;
    const user = await services.createUser('anna');
    const { key, id } = await tokens.create(user, tokenCreateSchema.parse({ name: 'one' }));
    const admin = await services.createUser('boss', { role: 100 });
    const code = redemptionCreateSchema.parse({ name: 'gift', quota: 5, count: 100 });
    // More than are read at a time.
    for (let batch = 0; batch < 3; batch++) await redemptions.create(admin, code);
    await options.set(admin, 'SMTPServer', 'mail.example.com');
    await options.set(admin, 'SMTPToken', 'planted-secret');
    const setting = { notify_type: 'webhook', webhook_url: 'https://example.com', webhook_secret: 'planted-secret' };
    await self.changeSetting(user, userSettingSchema.parse(setting));
    await twoFactors.setUp(user, 'right horse 1');

    const both = createSecretBox(['next', 'test']);
    const stop = new AbortController();
    const request = { dryRun: false, onSecret: (done: number) => (done === 100 ? stop.abort() : undefined) };
    const dependencies = { database, secretBox: both, audit };
    const dry = await rotateSecrets(systemActor, dependencies, { dryRun: true, onSecret: () => undefined });
    expect(dry).toEqual({ changed: 304, current: 0, unreadable: [] });
    expect((await rotateSecrets(systemActor, dependencies, { ...request, signal: stop.signal })).changed).toBe(100);
    // Half of them old, half of them new: both keys open and find everything.
    const { token } = await holderOfKey({ database, secretBox: both }, `sk-${key}`, '127.0.0.1');
    expect(token.id).toBe(id);
    const rest = await rotateSecrets(systemActor, dependencies, { dryRun: false, onSecret: () => undefined });
    expect(rest).toEqual({ changed: 204, current: 100, unreadable: [] });

    const alone = createSecretBox(['next']);
    const after = await rotateSecrets(
      systemActor,
      { database, secretBox: alone, audit },
      { dryRun: true, onSecret() {} },
    );
    expect(after).toEqual({ changed: 0, current: 304, unreadable: [] });
    const row = await database.tokens.findOne({ where: { id }, raw: true });
    expect(row?.key_hash).toBe(alone.lookupHash(key));
    const trail = await database.audits.findAll({ where: { action: 'secret.rotate' }, raw: true });
    expect(trail).toHaveLength(2);

    const foreign = createSecretBox(['stranger']);
    const closed = await rotateSecrets(
      systemActor,
      { database, secretBox: foreign, audit },
      { dryRun: false, onSecret() {} },
    );
    expect([closed.changed, closed.unreadable.length, closed.unreadable[0]]).toEqual([
      0,
      304,
      'tokens.key_encrypted.1',
    ]);
  });
});

describe('secret rotate', () => {
  let home: CliHome;
  beforeEach(async () => {
    home = createCliHome();
    await home.run(['init', '--no-input', '--type', 'openai', '--models', 'm', '--key-stdin'], {
      stdin: 'sk-upstream',
    });
  });
  afterEach(() => home.remove());
  const keys = () => readFileSync(join(home.directory, 'master.key'), 'utf8').trim().split('\n');

  it('makes a new master key in front of the former one, and writes every secret with it', async () => {
    const [first] = keys();
    const dry = await home.run('secret rotate --dry-run');
    expect(dry.stdout).toContain('2 secrets would be re-encrypted');
    expect(keys()).toEqual([first]);
    const run = await home.run('secret rotate --yes');
    expect(run.stdout).toBe('2 secrets re-encrypted with the new key, 0 already up to date\n');
    expect(run.stderr).toContain('--drop-former');
    expect(keys()).toEqual([expect.not.stringMatching(first ?? ''), first]);
    expect(statSync(join(home.directory, 'master.key')).mode & 0o777).toBe(0o600);
    expect((await home.run('db check')).code).toBe(0);
    expect((await home.run('token show-key 1')).code).toBe(0);
  });

  it('goes on with the key of a run that was killed after it had made one', async () => {
    const made = addMasterKey(home.directory, keys());
    const run = await home.run('secret rotate --yes --json');
    expect(run.json()).toMatchObject({ success: true, data: { changed: 2, current: 0, unreadable: [] } });
    expect(keys()).toEqual(made);
  });

  it('drops the former key when nothing is left that it opens, and says what ends with it', async () => {
    addMasterKey(home.directory, keys());
    const early = await home.run('secret rotate --drop-former --yes');
    expect([early.code, early.stderr]).toEqual([
      5,
      expect.stringMatching(/2 stored secrets are not encrypted[\s\S]*secret rotate/),
    ]);
    await home.run('secret rotate --yes');
    const asked = await home.run('secret rotate --drop-former');
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining('ccess tokens and backup codes created with it stop working'),
    ]);
    expect((await home.run('secret rotate --drop-former --yes')).stdout).toContain('1 former key removed');
    expect(keys()).toHaveLength(1);
    expect((await home.run('db check')).code).toBe(0);
  });

  it('takes the keys of CRYPTO_SECRET as they are', async () => {
    const own = createCliHome({ CRYPTO_SECRET: 'former' });
    await own.run(['init', '--no-input', '--type', 'openai', '--models', 'm', '--key-stdin'], { stdin: 'sk-upstream' });
    const none = await own.run('secret rotate --yes');
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining('CRYPTO_SECRET=new,former tollgate secret rotate'),
    ]);
    const both = { CRYPTO_SECRET: 'next,former' };
    expect((await own.run('secret rotate', { env: both })).stdout).toContain('2 secrets re-encrypted');
    expect((await own.run('db check', { env: { CRYPTO_SECRET: 'next' } })).code).toBe(0);
    expect((await own.run('secret rotate --drop-former --yes', { env: both })).code).toBe(2);
    expect(existsSync(join(own.directory, 'master.key'))).toBe(false);
    own.remove();
  });
});

describe('secret rotate beside a running server', () => {
  it('is refused unless the server knows both keys; then calls are served throughout', async () => {
    const gateway = await startGateway('sqlite', { CRYPTO_SECRET: 'next,former' });
    const home = createCliHome({ SQLITE_PATH: join(gateway.directory, 'tollgate.db'), CRYPTO_SECRET: 'later,next' });
    const refused = await home.run('secret rotate');
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('stop the server first')]);
    const single = await home.run('secret rotate --online', { env: { CRYPTO_SECRET: 'next' } });
    expect([single.code, single.stderr]).toEqual([2, expect.stringContaining('CRYPTO_SECRET=new,former')]);
    // Every key would be closed to a server that cannot read the new one.
    const closed = await home.run('secret rotate --online', { env: { CRYPTO_SECRET: 'later,next' } });
    expect([closed.code, closed.stderr]).toEqual([5, expect.stringContaining(`${process.pid} on `)]);
    expect((await gateway.chat()).status).toBe(200);
    // The server encrypts with `next`; what it is asked to change to is the key it knows second.
    const [run, responses] = await Promise.all([
      home.run('secret rotate --online', { env: { CRYPTO_SECRET: 'former,next' } }),
      Promise.all(Array.from({ length: 10 }, () => gateway.chat())),
    ]);
    expect(run.stdout).toMatch(/\d+ secrets re-encrypted with the new key/);
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await gateway.chat()).status).toBe(200);
    await gateway.stop();
    home.remove();
  });
});
