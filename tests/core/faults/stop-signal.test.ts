import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectBookedOnce } from '../../support/booked-calls.ts';
import { askedUsage, callOnce, emptyResult } from '../../support/call-load.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { createTemporaryTarget, engines, type TemporaryTarget } from '../../support/temporary-database.ts';

/** Ten pieces in ten seconds: however late the signal comes on a busy machine, no response is whole by then. */
const longResponse = askedUsage(1000);

describe.each(engines)('a server on %s that is told to stop', (engine) => {
  let first: TemporaryTarget;
  let installation: Installation;

  // Keeps the database server of this file running between the tests.
  beforeAll(async () => {
    first = await createTemporaryTarget(engine);
  });
  afterAll(() => first.remove());
  beforeEach(async () => {
    installation = await createInstallation(engine);
    // A response of ten pieces takes two seconds.
    installation.upstream.always(askedUsage(200));
  });
  afterEach(() => installation.remove());

  /** Streams that are under way when this resolves. */
  async function beginStreams(count: number) {
    const result = emptyResult();
    const calls = Array.from({ length: count }, () => callOnce(installation, result, true));
    await installation.upstream.waitForRequests(count);
    return { result, over: Promise.all(calls) };
  }

  it('F22 ends at once with code 0 when it is idle', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const server = await installation.start();
      await callOnce(installation, emptyResult(), false);
      server.signal(signal);
      expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    }
    await installation.expectCleanBooks();
  });

  it('F22 goes on at SIGHUP when it has no terminal, as nohup promises, and says so', async () => {
    const server = await installation.start({ environment: { LOG_LEVEL: 'warn' } });
    server.signal('SIGHUP');
    await expect.poll(() => server.output()).toContain('SIGHUP was ignored');
    await callOnce(installation, emptyResult(), false);
    server.signal('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
    await installation.expectCleanBooks();
  });

  it('F22, R7 lets streams run to their end, tells new calls to go elsewhere, and ends with code 0', async () => {
    const server = await installation.start();
    const { result, over } = await beginStreams(50);
    await wait(300);
    server.signal('SIGTERM');
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
    const refused = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${installation.key}` },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: '1/1' }] }),
    });
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('connection')).toBe('close');
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('request id') } });
    await over;
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
    expect(result.failed).toEqual([]);
    expect(result.seen).toHaveLength(50);
    expect(installation.upstream.requests).toHaveLength(50);
    await expectBookedOnce(installation, result);
  });

  it('F22, R7 ends streams visibly when its time is over, with what was delivered charged', async () => {
    installation.upstream.always(longResponse);
    const server = await installation.start({ environment: { DRAIN_TIMEOUT: '1' } });
    const { result, over } = await beginStreams(20);
    await wait(1500);
    server.signal('SIGTERM');
    await over;
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
    expect(result.seen).toEqual([]);
    expect(result.failed.every(({ code, isPartial }) => isPartial && code !== '')).toBe(true);
    expect(await installation.count('logs WHERE type = 2 AND quota > 0')).toBe(20);
    await installation.expectCleanBooks();
  });

  it('F22, R7 leaves with code 1 at the second signal, and what was delivered is charged', async () => {
    installation.upstream.always(longResponse);
    const server = await installation.start();
    const { result, over } = await beginStreams(20);
    await wait(1500);
    server.signal('SIGTERM');
    // Two signals that the process has not looked at yet are one.
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
    server.signal('SIGTERM');
    await over;
    expect(await server.ended).toMatchObject({ code: 1, signal: null });
    expect(result.seen).toEqual([]);
    expect(await installation.count('logs WHERE type = 2 AND quota > 0')).toBe(20);
    await installation.expectCleanBooks();
  });
});
