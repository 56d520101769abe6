import { execFileSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { json } from '../../support/upstream-script.ts';

interface ReceivedResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  body: any;
}

/** Every call comes on a connection of its own, and the connections go to the workers in turn. */
describe('a console in front of the two workers of one built server', () => {
  let installation: Installation;
  let cookie = '';
  let workers: number[];

  beforeAll(async () => {
    installation = await createInstallation('postgres');
    const server = await installation.start({ words: ['--workers', '2'] });
    workers = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(Number);
    await call('POST', '/api/user/login', { username: 'root', password: 'correct horse battery' });
  });
  afterAll(() => installation?.remove());

  function call(method: string, path: string, body?: unknown): Promise<ReceivedResponse> {
    const headers = { 'new-api-user': '1', 'content-type': 'application/json', ...(cookie && { cookie }) };
    return new Promise((resolve, reject) => {
      const sent = request(`${installation.url}${path}`, { method, headers, agent: new Agent() }, (response) => {
        const [kept] = response.headers['set-cookie'] ?? [];
        if (kept) cookie = kept.split(';')[0] ?? '';
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async function data(method: string, path: string, body?: unknown) {
    const response = await call(method, path, body);
    expect(response, `${method} ${path}`).toMatchObject({ status: 200, body: { success: true } });
    return response.body.data;
  }

  /** How much each has worked, in ticks of the processor. */
  const ticks = () =>
    workers.map((pid) => {
      const fields =
        execFileSync('cat', [`/proc/${pid}/stat`], { encoding: 'utf8' })
          .split(') ')[1]
          ?.split(' ') ?? [];
      return Number(fields[11]) + Number(fields[12]);
    });

  it('knows a session on both, from the sign-in to the sign-out', async () => {
    expect(workers).toHaveLength(2);
    const before = ticks();
    const seen = await Promise.all(Array.from({ length: 100 }, () => data('GET', '/api/user/self')));
    expect(seen.map(({ username }) => username)).toEqual(Array.from({ length: 100 }, () => 'root'));
    // Both have responded.
    const after = ticks();
    expect(after.every((count, index) => count > (before[index] ?? 0))).toBe(true);

    const stays = cookie;
    await call('POST', '/api/user/login', { username: 'root', password: 'correct horse battery' });
    await data('GET', '/api/user/logout');
    for (let count = 0; count < 6; count++) expect((await call('GET', '/api/user/self')).status).toBe(401);
    cookie = stays;
    await data('GET', '/api/user/self');
  });

  it('lets one of several edits of the same version through, and shows it on both', async () => {
    const details: { key: string; version: string }[] = await data('GET', '/api/option/detail');
    const version = details.find(({ key }) => key === 'GroupRatio')?.version;
    const values = Array.from({ length: 8 }, (_, index) => JSON.stringify({ default: 1, [`group${index}`]: 2 }));
    const edits = values.map((value) => call('PUT', '/api/option/', { key: 'GroupRatio', value, version }));
    const responses = await Promise.all(edits);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    const kept = values[responses.findIndex(({ status }) => status === 200)];
    const read = async () => {
      const entries: { key: string; value: string }[] = await data('GET', '/api/option/');
      return entries.find(({ key }) => key === 'GroupRatio')?.value;
    };
    const readOften = async () => new Set(await Promise.all(Array.from({ length: 6 }, read)));
    await expect.poll(readOften).toEqual(new Set([kept]));
  });

  it.each([
    ['a test of all channels', '/api/channel/test', '/api/channel/test/progress', 'tested'],
    [
      'the reading of all balances',
      '/api/channel/update_balance?wait=false',
      '/api/channel/update_balance/progress',
      'asked',
    ],
  ])('follows %s, whichever worker does it and whichever is asked', async (_what, start, progress, done) => {
    const { database, upstream } = installation;
    for (let missing = 4 - (await database.channels.count()); missing > 0; missing--) {
      await data('POST', '/api/channel/', {
        name: `slow${missing}`,
        type: 1,
        key: 'k',
        models: 'gpt-4o-mini',
        base_url: upstream.url,
        groups: ['default'],
      });
    }
    const account = { hard_limit_usd: 9, has_payment_method: true, total_usage: 100 };
    upstream.always({ ...json(200, account), firstByteMs: 700 });
    await data('GET', start);
    expect((await call('GET', start)).body).toMatchObject({ success: false });
    const seen: Record<string, number | boolean>[] = [];
    do {
      await wait(50);
      seen.push(...(await Promise.all([data('GET', progress), data('GET', progress)])));
    } while (seen.at(-1)?.running);
    expect(seen[0]).toMatchObject({ running: true });
    expect(seen.some((one) => one.running && Number(one[done]) > 0)).toBe(true);
    const total = await database.channels.count();
    for (const one of [await data('GET', progress), await data('GET', progress)])
      expect(one).toMatchObject({ running: false, finished: true, [done]: total, total });
  });
});
