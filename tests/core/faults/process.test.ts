import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectBookedOnce } from '../../support/booked-calls.ts';
import { askedUsage, callOnce, emptyResult } from '../../support/call-load.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { createTemporaryTarget, engines, type TemporaryTarget } from '../../support/temporary-database.ts';
import { sse } from '../../support/upstream-script.ts';

const hook = fileURLToPath(new URL('./fault-hook.cjs', import.meta.url));

describe('a server process in trouble', () => {
  let installation: Installation;

  beforeEach(async () => {
    installation = await createInstallation('sqlite');
    // A response of ten pieces takes two seconds.
    installation.upstream.always(askedUsage(200));
  });
  afterEach(() => installation.remove());

  const startWithFault = (name: string) =>
    installation.start({ environment: { NODE_OPTIONS: `--require ${hook}`, FAULT: name } });

  async function beginStreams(count: number) {
    const result = emptyResult();
    const calls = Array.from({ length: count }, () => callOnce(installation, result, true));
    await installation.upstream.waitForRequests(count);
    await wait(300);
    return { result, over: Promise.all(calls) };
  }

  it('F24, R11 logs a rejected promise that no code waited for, and goes on', async () => {
    const server = await startWithFault('reject');
    const { result, over } = await beginStreams(20);
    server.signal('SIGUSR2');
    await over;
    expect(result.failed).toEqual([]);
    expect(await callOnce(installation, result, false)).toBeUndefined();
    server.signal('SIGTERM');
    const { code, stdout } = await server.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('planted fault');
    await expectBookedOnce(installation, result);
  });

  it('F24, R11 finishes its streams and ends with code 1 after an uncaught exception', async () => {
    const server = await startWithFault('throw');
    const { result, over } = await beginStreams(20);
    server.signal('SIGUSR2');
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
    // One more while it stops changes nothing.
    server.signal('SIGUSR2');
    await over;
    const { code, signal, stdout } = await server.ended;
    expect([code, signal]).toEqual([1, null]);
    expect(stdout).toContain('planted fault');
    expect(result.failed).toEqual([]);
    expect(result.seen).toHaveLength(20);
    await expectBookedOnce(installation, result);
  });

  it('F24, R11 ends in the same way when rejected promises do not end', async () => {
    const server = await startWithFault('rejectOften');
    const { result, over } = await beginStreams(20);
    server.signal('SIGUSR2');
    await over;
    expect(await server.ended).toMatchObject({ code: 1, signal: null });
    expect(result.failed).toEqual([]);
    await expectBookedOnce(installation, result);
  });

  it('F27 goes on after its event loop was blocked for two seconds', async () => {
    const server = await startWithFault('block');
    const { result, over } = await beginStreams(20);
    server.signal('SIGUSR2');
    await over;
    expect(result.failed).toEqual([]);
    expect(await callOnce(installation, result, false)).toBeUndefined();
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
    await expectBookedOnce(installation, result);
  });

  it('F31 counts on when its counting thread dies', async () => {
    const server = await startWithFault('endWorkers');
    const words = 'an answer without any usage, so that it must be counted here '.repeat(200);
    const events = Array.from({ length: 10 }, () => ({ choices: [{ index: 0, delta: { content: words } }] }));
    const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    installation.upstream.always(sse([...events, finish, '[DONE]'], { delayMs: 100 }));
    const result = emptyResult();
    // The first call starts the thread.
    await callOnce(installation, result, true);
    const calls = Array.from({ length: 10 }, () => callOnce(installation, result, true));
    for (let times = 0; times < 20; times++) {
      server.signal('SIGUSR2');
      await wait(70);
    }
    await Promise.all(calls);
    await callOnce(installation, result, true);
    expect(result.failed).toEqual([]);
    // About 26,000 tokens each, by any count.
    expect(await installation.count('logs WHERE type = 2 AND completion_tokens BETWEEN 20000 AND 60000')).toBe(12);
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
    await installation.expectCleanBooks();
  });

  it('F26 serves again when it has run out of file descriptors', async () => {
    const server = await installation.start();
    const result = emptyResult();
    await callOnce(installation, result, false);
    // From here on: to be loaded, the program itself opens more files at once than that.
    execFileSync('prlimit', ['--pid', String(server.pid), '--nofile=64']);
    await Promise.all(Array.from({ length: 150 }, () => callOnce(installation, result, true)));
    expect(result.failed.length).toBeGreaterThan(0);
    await expect.poll(() => callOnce(installation, result, false)).toBeUndefined();
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
    await expectBookedOnce(installation, result);
  });

  it('F25 loses nothing when large bodies meet a small heap', { timeout: 480_000 }, async () => {
    const environment = { NODE_OPTIONS: '--max-old-space-size=128' };
    const server = await installation.start({ environment });
    installation.upstream.always(askedUsage(2));
    const result = emptyResult();
    const body = JSON.stringify({
      model: 'gpt-4o-mini',
      messages: [
        { role: 'user', content: '5/5' },
        { role: 'user', content: 'x'.repeat(12 * 1024 * 1024) },
      ],
    });
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: `Bearer ${installation.key}`,
    };
    const calls = Array.from({ length: 24 }, () =>
      request(`${server.url}/v1/chat/completions`, { method: 'POST', headers, agent: false }),
    );
    // All headers first: behind the bodies of others, a busy machine would send the last ones later than a server waits for them.
    await Promise.all(calls.map(sendHeaders));
    const statuses = await Promise.all(calls.map((call) => sendBody(call, body)));
    result.begun += statuses.length;
    const isUp = await fetch(`${server.url}/healthz`).then(
      () => true,
      () => false,
    );
    console.info(`small heap: ${isUp ? 'stayed up' : 'fell'}, answers ${JSON.stringify(statuses)}`);
    // Either each was served, or told to retry (by 408 where a busy machine was late), or it fell; the next one finds everything in order.
    if (isUp) expect(statuses.filter((status) => ![200, 408, 503].includes(status))).toEqual([]);
    server.signal('SIGTERM');
    const { code } = await server.ended;
    expect(code === 0).toBe(isUp);
    const next = await installation.start();
    expect(await callOnce(installation, result, false)).toBeUndefined();
    await expect.poll(() => installation.count('quota_holds WHERE state = 0')).toBe(0);
    next.signal('SIGTERM');
    await next.ended;
    await expectBookedOnce(installation, result);
  });
});

async function sendHeaders(call: ClientRequest): Promise<void> {
  call.flushHeaders();
  const [socket] = (await once(call, 'socket')) as [Socket];
  if (socket.connecting) await once(socket, 'connect');
}

/** The status of the whole response; 0 when the connection broke. */
function sendBody(call: ClientRequest, body: string): Promise<number> {
  return new Promise((resolve) => {
    call.on('error', () => resolve(0));
    call.on('response', (response) => {
      response.on('error', () => resolve(0)).on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    call.end(body);
  });
}

describe.each(engines)('a server on %s that is frozen', (engine) => {
  let first: TemporaryTarget;
  let installation: Installation;

  beforeAll(async () => {
    first = await createTemporaryTarget(engine);
    installation = await createInstallation(engine);
  });
  afterAll(async () => {
    await installation.remove();
    await first.remove();
  });

  it('F23, M5 books its calls in full and once, though it was taken for dead meanwhile', async () => {
    installation.upstream.always(askedUsage(200));
    const frozen = await installation.start();
    const result = emptyResult();
    const calls = Array.from({ length: 10 }, () => callOnce(installation, result, true));
    await installation.upstream.waitForRequests(10);
    await wait(500);
    frozen.signal('SIGSTOP');
    // Three minutes later, as far as its lease is concerned; on SQLite the machine is asked for the process.
    await installation.database.sequelize.query('UPDATE ledger_owners SET seen_at = seen_at - 180, pid = 99999999');
    const other = await installation.start({ words: ['--port', '0'] });
    await expect.poll(() => installation.count('quota_holds WHERE state = 0')).toBe(0);
    expect(await installation.count('quota_holds WHERE state = 1')).toBe(10);
    frozen.signal('SIGCONT');
    await Promise.all(calls);
    expect(result.failed).toEqual([]);
    expect(await installation.count('quota_holds')).toBe(0);
    for (const server of [frozen, other]) {
      server.signal('SIGTERM');
      expect((await server.ended).code).toBe(0);
    }
    await expectBookedOnce(installation, result);
  });
});

describe('several server processes in trouble', () => {
  it('F24 starts a fresh worker in place of one that ended after an uncaught exception, and ends when the first process has one', {
    timeout: 180_000,
  }, async () => {
    const installation = await createInstallation('postgres');
    installation.upstream.always(askedUsage(2));
    try {
      const server = await installation.start({
        environment: { NODE_OPTIONS: `--require ${hook}`, FAULT: 'throw' },
        words: ['--workers', '2'],
      });
      const workers = () =>
        execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(Number);
      const before = workers();
      expect(before).toHaveLength(2);
      const [faulty = 0, other = 0] = before;
      process.kill(faulty, 'SIGUSR2');
      const areFresh = (pids: number[]) => pids.length === 2 && pids.includes(other) && !pids.includes(faulty);
      await expect.poll(() => areFresh(workers()), { timeout: 30_000 }).toBe(true);
      const result = emptyResult();
      for (let call = 0; call < 4; call++) expect(await callOnce(installation, result, false)).toBeUndefined();
      server.signal('SIGUSR2');
      expect(await server.ended).toMatchObject({ code: 1, signal: null });
      await expectBookedOnce(installation, result);
    } finally {
      await installation.remove();
    }
  });
});
