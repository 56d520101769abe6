import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../cli/doctor/finding.ts';
import { textIn } from '../../core/text/text.ts';
import { binaryPath, runBinary } from '../support/built-binary.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { freePort } from '../support/postgres.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';
import { createTemporaryTarget } from '../support/temporary-database.ts';

/** A server may be slow to start on a busy machine; the promise of two seconds is the benchmark's. */
const startLimitMs = 60_000;

describe('serve', () => {
  let home: CliHome;
  let upstream: FakeUpstream;
  let port: number;
  let key: string;
  let servers: ReturnType<typeof runBinary>[] = [];

  beforeAll(async () => {
    upstream = await startFakeUpstream();
  });
  afterAll(() => upstream.close());
  beforeEach(async () => {
    upstream.reset();
    port = await freePort();
    home = createCliHome({ PORT: String(port), LOG_LEVEL: 'error' });
  });
  afterEach(async () => {
    for (const server of servers) server.kill('SIGKILL');
    await Promise.all(servers);
    servers = [];
    home.remove();
  });

  async function install(env: Record<string, string> = {}): Promise<void> {
    const words = [
      'init',
      '--no-input',
      '--type',
      'openai',
      '--base-url',
      upstream.url,
      '--models',
      'gpt-4o-mini',
      '--key-stdin',
    ];
    key = (await home.run(words, { stdin: 'upstream-key', env })).stdout.trim();
  }

  function serve(words: string[] = [], env: Record<string, string> = {}) {
    const server = runBinary(['serve', ...words], { env: { ...home.env, ...env }, timeout: 120_000 });
    servers.push(server);
    return server;
  }

  async function untilHealthy(): Promise<void> {
    const deadline = Date.now() + startLimitMs;
    while (Date.now() < deadline) {
      const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined); // not listening yet
      if (response?.ok) return;
      await wait(50);
    }
    throw new Error('the server did not answer in time');
  }

  const chat = (body: Record<string, unknown> = {}) =>
    fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }], ...body }),
    });

  it('says where it is, relays a call, and ends well on SIGTERM', async () => {
    await install();
    const server = serve();
    await untilHealthy();
    expect((await chat()).status).toBe(200);
    server.kill('SIGTERM');
    const { exitCode, stderr } = await server;
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`Console  http://127.0.0.1:${port}`);
    expect(stderr).toContain(`API      http://127.0.0.1:${port}/v1`);
    expect(stderr).toContain('Next     curl');
    expect(stderr).toContain('stopped');
    expect(stderr).not.toContain(key);
    expect((await home.run('ledger verify')).code).toBe(0);
  });

  it('lets a call under way end, and refuses new ones meanwhile', async () => {
    await install();
    const server = serve();
    await untilHealthy();
    upstream.respond({
      status: 200,
      headers: { 'content-type': 'application/json' },
      firstByteMs: 1500,
      body: Buffer.from(responseBody),
    });
    const running = chat();
    await upstream.waitForRequests(1);
    server.kill('SIGTERM');
    const response = await running;
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ object: 'chat.completion' });
    expect((await server).exitCode).toBe(0);
    expect((await home.run('log list --type consume --json')).json()).toMatchObject({ total: 1 });
  });

  it('ends as on SIGTERM when its terminal is closed: the call under way is finished and paid', async () => {
    await install();
    const command = `exec ${process.execPath} ${binaryPath()} serve`;
    const terminal = execa('script', ['-qec', command, '/dev/null'], {
      env: { ...home.env, SHELL: '/bin/sh' },
      reject: false,
      stdin: 'pipe',
    });
    let running: ReturnType<typeof chat> | undefined;
    try {
      await untilHealthy();
      upstream.respond({
        status: 200,
        headers: { 'content-type': 'application/json' },
        firstByteMs: 1500,
        body: Buffer.from(responseBody),
      });
      running = chat();
      await upstream.waitForRequests(1);
    } finally {
      terminal.kill('SIGKILL');
    }
    expect((await running)?.status).toBe(200);
    await expect.poll(() => existsSync(join(home.directory, 'server.json')), { timeout: startLimitMs }).toBe(false);
    expect((await home.run('log list --type consume --json')).json()).toMatchObject({ total: 1 });
    expect((await home.run('ledger verify')).code).toBe(0);
  });

  it('leaves at once on a second signal, with the call settled', async () => {
    await install();
    const server = serve();
    await untilHealthy();
    upstream.respond({ stall: 'headers' });
    const running = chat().catch(() => undefined);
    await upstream.waitForRequests(1);
    // Also while it still greets.
    server.kill('SIGTERM');
    // Two signals that the process has not looked at yet are one.
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503);
    server.kill('SIGTERM');
    expect((await server).exitCode).toBe(1);
    await running;
    expect((await home.run('ledger verify')).code).toBe(0);
  });

  it('sees what the command line changes', async () => {
    await install();
    serve();
    await untilHealthy();
    expect((await chat()).status).toBe(200);
    const change = async (words: string, expected: number) => {
      expect((await home.run(words)).code).toBe(0);
      const deadline = Date.now() + 60_000;
      let status = 0;
      while (Date.now() < deadline && status !== expected) {
        await wait(50);
        status = (await chat()).status;
      }
      expect(status, words).toBe(expected);
    };
    await change('token disable default', 401);
    await change('token enable default', 200);
    await change('channel disable openai', 503);
    await change('channel enable openai', 200);
    await change('option set ModelPrice {"gpt-4o-mini":1000}', 403);
    await change('option reset ModelPrice --yes', 200);
  });

  it('is found on any port by commands on its data folder, until it stops or is killed', async () => {
    await install();
    const elsewhere = { PORT: String(await freePort()) };
    const file = `${home.directory}/server.json`;
    const ask = () => home.run('chat hi --model gpt-4o-mini', { env: elsewhere });
    const server = serve(['--port', String(port)], elsewhere);
    await untilHealthy();
    await vi.waitUntil(() => existsSync(file), { timeout: startLimitMs });
    expect((await ask()).stdout).toContain(upstream.defaults.text);
    const { items } = (await home.run('doctor --json', { env: elsewhere })).json<{ items: Finding[] }>();
    expect(items.find(({ check }) => check === 'port')?.message).toContain(String(port));
    server.kill('SIGTERM');
    await server;
    expect(existsSync(file)).toBe(false);

    const killed = serve(['--port', String(port)], elsewhere);
    await untilHealthy();
    await vi.waitUntil(() => existsSync(file), { timeout: startLimitMs });
    killed.kill('SIGKILL');
    await killed;
    expect(existsSync(file)).toBe(true);
    expect((await ask()).stderr).toContain(`http://127.0.0.1:${elsewhere.PORT}`);
  });

  it('says at its start that another server runs on the data folder', async () => {
    await install();
    const first = serve();
    await untilHealthy();
    await vi.waitUntil(() => existsSync(`${home.directory}/server.json`), { timeout: startLimitMs });
    const secondPort = await freePort();
    const second = serve(['--json', '--port', String(secondPort)]);
    let said = '';
    second.stdout?.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
    await vi.waitUntil(() => said.includes('listening'), { timeout: startLimitMs });
    const message = textIn('en', 'terminal', 'serve.beside', { pid: first.pid ?? 0, port });
    expect(JSON.parse(said.split('\n')[0] ?? '')).toEqual({ event: 'warning', message });

    // Commands find the one that is left.
    const elsewhere = { PORT: String(await freePort()) };
    const foundPort = async () =>
      (await home.run('doctor --json', { env: elsewhere }))
        .json<{ items: Finding[] }>()
        .items.find(({ check }) => check === 'port')?.message;
    await vi.waitUntil(async () => (await foundPort())?.includes(String(secondPort)), { timeout: startLimitMs });
    second.kill('SIGTERM');
    await second;
    expect(await foundPort()).toContain(String(port));
    first.kill('SIGTERM');
    await first;
    expect(await foundPort()).toContain(elsewhere.PORT);
    expect(readdirSync(home.directory).filter((name) => name.startsWith('server'))).toEqual([]);
  });

  it('refuses a start with too few open files in one sentence', async () => {
    const words = ['-c', 'ulimit -n 40 && exec "$@"', 'sh', process.execPath, binaryPath(), 'serve'];
    const { exitCode, stdout, stderr } = await execa('sh', words, { env: home.env, reject: false });
    expect(exitCode).toBe(7);
    expect(stdout).toBe('');
    expect(stderr.split('\n')).toEqual([
      'tollgate: this process may not open enough files (ulimit -n 40)',
      '  raise the limit, for example with ulimit -n 65536, or LimitNOFILE=65536 in a systemd unit',
    ]);
    expect(existsSync(join(home.directory, 'tollgate.db'))).toBe(false);
  });

  it('names the port that is taken and how to choose another', async () => {
    await install();
    serve();
    await untilHealthy();
    const second = await runBinary(['serve'], { env: home.env });
    expect(second.exitCode).toBe(7);
    expect(second.stderr).toContain(`port ${port} on 127.0.0.1 is already in use`);
    expect(second.stderr).toContain('--port');
  });

  it('listens to the outside only once root has a password of its own', async () => {
    await home.run('init --no-input', { env: { TOLLGATE_ROOT_PASSWORD: '' } });
    const refused = await home.run('serve --host 0.0.0.0', { env: { TOLLGATE_ROOT_PASSWORD: '' } });
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('tollgate user reset-password root');
    await home.run('user reset-password root --password-stdin', { stdin: 'right horse 1' });
    const server = serve(['--host', '0.0.0.0']);
    await untilHealthy();
    server.kill('SIGINT');
    expect((await server).exitCode).toBe(0);
  });

  it('gives root a random password that is shown once where the environment asks for one, and listens to the outside', async () => {
    const open = { TOLLGATE_ROOT_PASSWORD: '', GENERATE_ROOT_PASSWORD: 'true', HOST: '0.0.0.0' };
    const first = serve([], open);
    await untilHealthy();
    first.kill('SIGTERM');
    const password = /Password of root: (\S+)/.exec(String((await first).stdout))?.[1] ?? '';
    expect(password).toHaveLength(20);
    const second = serve([], open);
    await untilHealthy();
    const signIn = (secret: string) =>
      fetch(`http://127.0.0.1:${port}/api/user/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'root', password: secret }),
      }).then((response) => response.json());
    expect(await signIn(password)).toMatchObject({ success: true });
    expect(await signIn('123456')).toMatchObject({ success: false });
    second.kill('SIGTERM');
    expect((await second).stdout).not.toContain('Password of root');
  });

  it('starts a fresh installation by itself and says what is missing', async () => {
    const server = serve(['--json', '--language', 'zh'], { TOLLGATE_ROOT_PASSWORD: '', GIN_MODE: 'release' });
    await untilHealthy();
    server.kill('SIGTERM');
    const { stdout, exitCode } = await server;
    expect(exitCode).toBe(0);
    const [warning = '', greeting = ''] = String(stdout).split('\n');
    const message = textIn('zh', 'detail', 'input.noEffect', { name: 'GIN_MODE' });
    expect(JSON.parse(warning)).toEqual({ event: 'warning', message });
    expect(JSON.parse(greeting)).toMatchObject({
      event: 'listening',
      console: `http://127.0.0.1:${port}`,
      api: `http://127.0.0.1:${port}/v1`,
    });
  });

  it('shares its port among several processes on PostgreSQL, adds up their figures and stops them all', async () => {
    const { target, remove } = await createTemporaryTarget('postgres');
    try {
      const env = { SQL_DSN: target.engine === 'postgres' ? target.url : '' };
      await install(env);
      const server = serve(['--workers', '2'], env);
      await untilHealthy();
      const statuses = await Promise.all(Array.from({ length: 8 }, () => chat().then(({ status }) => status)));
      expect(statuses).toEqual(Array(8).fill(200));
      // Whichever worker responds, it tells what all of them have counted.
      for (let reading = 0; reading < 4; reading++) {
        const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        const calls = figures.match(/^tollgate_relay_requests_total\{.*\} (\d+)$/m);
        expect(Number(calls?.[1])).toBe(8);
        expect(figures).toMatch(/^tollgate_build_info\{.*\} 1$/m);
      }
      server.kill('SIGTERM');
      expect((await server).exitCode).toBe(0);
      expect((await home.run('ledger verify', { env })).code).toBe(0);
    } finally {
      await remove();
    }
  });
});

const responseBody = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'late' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
});
