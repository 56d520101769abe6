import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../core/database/sqlite-connection.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { engines } from '../../support/temporary-database.ts';
import { cut, failure, sse } from '../../support/upstream-script.ts';

/** Texts that stand nowhere but where they are planted. */
const canary = {
  rootPassword: 'canary-root-password-1',
  wrongPassword: 'canary-wrong-password-2',
  passwordAsName: 'canary-typed-as-3',
  userPassword: 'canary-user-password-4',
  tokenKey: 'sk-CanaryTokenKey5CanaryTokenKey5',
  channelKey: 'canary-channel-key-6',
  otherChannelKey: 'canary-other-channel-key-7',
  mailPassword: 'canary-mail-password-8',
  paymentKey: 'canary-payment-key-9',
  prompt: 'canary prompt ten',
  words: 'canary answer eleven',
  query: 'canary-query-12',
  foreignKey: 'sk-CanaryForeignKey13CanaryForeign13',
  foreignCookie: 'canary-cookie-14-canary-cookie-14-canary-ck',
};

interface ReceivedResponse {
  name: string;
  text: string;
  /** Secrets this response is there to give to their owner. */
  gives: string[];
}

describe.each(engines)('secrets of an installation on %s', (engine) => {
  let installation: Installation;
  afterEach(() => installation.remove());

  it('S12, S13 are in no log line, no file, no row and no response, whatever goes wrong', {
    timeout: 120_000,
  }, async () => {
    installation = await createInstallation(engine, {
      environment: {
        LOG_LEVEL: 'debug',
        TOLLGATE_ROOT_PASSWORD: canary.rootPassword,
        INITIAL_ROOT_TOKEN: canary.tokenKey,
      },
    });
    const { upstream, database, environment } = installation;
    const first = JSON.parse(environment.INITIAL_CHANNEL ?? '{}') as object;
    environment.INITIAL_CHANNEL = JSON.stringify({ ...first, key: canary.channelKey });
    const server = await installation.start();
    const responses: ReceivedResponse[] = [];
    const secrets: Record<string, string> = { ...canary };
    let signedIn: Record<string, string> = {};

    async function ask(name: string, path: string, order: RequestInit & { gives?: string[] } = {}): Promise<Response> {
      const response = await fetch(`${server.url}${path}`, { redirect: 'manual', ...order });
      const headers = [...response.headers].map(([key, value]) => `${key}: ${value}`).join('\n');
      // One that breaks off has told as much as has arrived.
      const body = await response
        .clone()
        .text()
        .catch(() => '');
      responses.push({ name: `${name} (${response.status})`, text: `${headers}\n${body}`, gives: order.gives ?? [] });
      return response;
    }
    const json = (method: string, body: unknown, headers: Record<string, string> = {}) => ({
      method,
      headers: { 'content-type': 'application/json', 'accept-language': 'en', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const console = (method: string, body?: unknown) =>
      body === undefined ? { method, headers: signedIn } : json(method, body, signedIn);
    const question = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: canary.prompt }] };
    const chat = (name: string, body: unknown, key = canary.tokenKey) =>
      ask(name, '/v1/chat/completions', {
        ...json('POST', body, { authorization: `Bearer ${key}` }),
        gives: ['words', 'prompt'],
      });

    // The console: signing in the right way and the wrong ones, settings, channels, tokens, users.
    const { wrongPassword, passwordAsName, foreignCookie } = canary;
    await ask('wrong password', '/api/user/login', json('POST', { username: 'root', password: wrongPassword }));
    await ask('password as name', '/api/user/login', json('POST', { username: passwordAsName, password: 'x' }));
    await ask('broken sign-in', '/api/user/login', json('POST', `{"username":"root","password":"${wrongPassword}`));
    await ask('unknown cookie', '/api/user/self', {
      headers: { cookie: `session=${foreignCookie}`, 'new-api-user': '1' },
    });
    await ask('unknown access token', '/api/user/self', {
      headers: { authorization: `Bearer ${canary.foreignKey}`, 'new-api-user': '1' },
    });
    const login = await ask('sign-in', '/api/user/login', {
      ...json('POST', { username: 'root', password: canary.rootPassword }),
      gives: ['cookie'],
    });
    const { data: root } = (await login.json()) as { data: { id: number } };
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    secrets.cookie = cookie.replace('session=', '');
    signedIn = { cookie, 'new-api-user': String(root.id) };
    const token = await ask('access token', '/api/user/token', {
      ...console('POST', { password: canary.rootPassword }),
      gives: ['accessToken'],
    });
    secrets.accessToken = ((await token.json()) as { data: string }).data;
    await ask('mail password', '/api/option/', console('PUT', { key: 'SMTPToken', value: canary.mailPassword }));
    await ask('address', '/api/option/', console('PUT', { key: 'ServerAddress', value: 'https://gate.example.com' }));
    await ask('payment key', '/api/option/', console('PUT', { key: 'EpayKey', value: canary.paymentKey }));
    const user = { username: 'alice', password: canary.userPassword, display_name: 'Alice' };
    await ask('user', '/api/user/', console('POST', user));
    await ask('user again', '/api/user/', console('POST', user));
    const channel = { type: 1, name: 'second', models: 'other', group: 'default', key: canary.otherChannelKey };
    await ask('channel', '/api/channel/', console('POST', { ...channel, base_url: upstream.url }));
    await ask('refused channel', '/api/channel/', console('POST', { ...channel, base_url: 'file:///etc' }));
    const lists = ['user/self', 'user/', 'channel/', 'channel/1', 'option/', 'log/', 'log/self', 'user/self/sessions'];
    for (const path of lists) await ask(path, `/api/${path}`, console('GET'));
    await ask('own tokens', '/api/token/', { ...console('GET'), gives: ['tokenKey'] });
    await ask('query', `/api/status?token=${canary.query}`);
    await ask('query of a missing page', `/api/nothing?token=${canary.query}`);

    // The relay: well, and with every kind of failure that has something to tell.
    upstream.always(
      sse([{ choices: [{ index: 0, delta: { content: canary.words }, finish_reason: 'stop' }] }, '[DONE]']),
    );
    await chat('stream', { ...question, stream: true });
    upstream.always(undefined);
    await chat('plain', question);
    await chat('foreign key', question, canary.foreignKey);
    await chat('broken body', `{"model":"gpt-4o-mini","messages":[{"content":"${canary.prompt}`);
    await chat('refused field', { ...question, n: -1 });
    await chat('unknown model', { ...question, model: 'nobody-has-it' });
    await ask('key in the query', `/v1/models?key=${canary.query}`);
    const told = `invalid key ${canary.channelKey} at ${upstream.url} for: ${canary.prompt}`;
    upstream.always(failure(500, { message: told }));
    await chat('upstream tells the key', question);
    upstream.always(
      cut(sse([{ choices: [{ index: 0, delta: { content: canary.words } }] }, { x: told }]), 120, 'reset'),
    );
    await chat('stream that breaks', { ...question, stream: true });
    await ask('channel test', '/api/channel/test/1', console('GET'));
    upstream.always(undefined);

    // The database: away for so long that bills are spooled.
    const pieces = Array.from({ length: 3 }, () => ({ choices: [{ index: 0, delta: { content: canary.words } }] }));
    const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    upstream.always(sse([...pieces, finish, '[DONE]'], { delayMs: 700 }));
    const begun = upstream.requests.length;
    const late = chat('while the database is away', { ...question, stream: true });
    await upstream.waitForRequests(begun + 1);
    const lock = await lockOut(installation);
    await ask('console meanwhile', '/api/user/', console('GET'));
    await late;
    const spooled = filesIn(join(installation.directory, 'spool'));
    await lock.release();
    upstream.always(failure(401, { message: told }));
    await chat('upstream refuses the key', question);
    await ask('logs after all', '/api/log/', console('GET'));
    await ask('channels after all', '/api/channel/', console('GET'));

    const kept = `${spooled}\n${filesIn(installation.directory)}\n${await rowsOf(installation)}`;
    const process = server.pid === 0 ? '' : readFileSync(`/proc/${server.pid}/cmdline`, 'utf8');
    server.signal('SIGTERM');
    const { code, stdout, stderr } = await server.ended;
    expect(code).toBe(0);
    // What was planted did arrive: the search looks where it would be.
    for (const told of ['alice', 'SMTPToken', 'EpayKey', 'second']) expect(kept).toContain(told);
    expect(stdout).toContain('"level"');
    expect(spooled).toContain('gpt-4o-mini');
    expect(secrets.cookie).toHaveLength(43);
    expect(secrets.accessToken).toHaveLength(32);
    expect(await database.logs.count()).toBeGreaterThan(0);

    const found: string[] = [];
    const search = (place: string, text: string, allowed: string[] = []) => {
      for (const [name, secret] of Object.entries(secrets)) {
        // The key in storage has no prefix, and one that is masked is too short to be found.
        const hidden = secret.replace(/^sk-/, '');
        if (!allowed.includes(name) && text.includes(hidden)) found.push(`${name} in ${place}`);
      }
    };
    search('the log', stdout + stderr);
    search('the data directory or a row', kept);
    search('the process list', process);
    for (const { name, text, gives } of responses) search(`the answer to ${name}`, text, gives);
    globalThis.console.info(
      `canaries on ${engine}: ${Object.keys(secrets).length} secrets, ${responses.length} answers, ${kept.length} bytes kept, ${found.length} found`,
    );
    expect(found).toEqual([]);
  });
});

/** For a moment nothing can be written. */
async function lockOut({ engine, directory, database }: Installation): Promise<{ release(): Promise<void> }> {
  if (engine === 'sqlite') {
    const other = await openSqlite(join(directory, 'tollgate.db'));
    await other.exec('BEGIN EXCLUSIVE');
    return {
      async release() {
        await other.exec('ROLLBACK');
        await other.close();
      },
    };
  }
  const transaction = await database.sequelize.transaction();
  await database.sequelize.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE', { transaction });
  return {
    async release() {
      await transaction.rollback();
    },
  };
}

/** Every byte below a folder, database and log file included. */
function filesIn(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('reserve'))
    .map((path) => `${path}\n${readFileSync(path, 'latin1')}`)
    .join('\n');
}

async function rowsOf({ engine, database }: Installation): Promise<string> {
  const tables = await database.select<{ name: string }>(
    engine === 'sqlite'
      ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const texts: string[] = [];
  for (const { name } of tables) texts.push(JSON.stringify(await database.select(`SELECT * FROM ${name}`)));
  return texts.join('\n');
}
