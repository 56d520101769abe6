import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectBookedOnce } from '../../support/booked-calls.ts';
import { askedUsage, callOnce, emptyResult } from '../../support/call-load.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { createMigratedTarget, createTemporaryTarget, type TemporaryTarget } from '../../support/temporary-database.ts';

/** Settlements are tried for five seconds before they are spooled; the rest is for a busy machine. */
const limitMs = 25_000;
const drain = { DRAIN_TIMEOUT: '2', LOG_LEVEL: 'silent' };

/** A cut cable, a firewall that forgot the link, a machine that froze: nothing is refused, and nothing comes back. */
describe('a server that is told to stop while a database says nothing any more', () => {
  let logs: TemporaryTarget;
  let installation: Installation;
  let main: FaultProxy;
  let other: FaultProxy;

  beforeEach(async () => {
    logs = await createTemporaryTarget('postgres');
    const place = await createMigratedTarget('postgres');
    main = await startFaultProxy({ port: Number(new URL(addressOf(place)).port) });
    other = await startFaultProxy({ port: Number(new URL(addressOf(logs)).port) });
    installation = await createInstallation('postgres', { place, through: through(place, main), environment: drain });
    installation.upstream.always(askedUsage(100));
  });
  afterEach(async () => {
    await installation.remove();
    await Promise.all([main.close(), other.close()]);
    await logs.remove();
  });

  const addressOf = ({ target }: TemporaryTarget) => (target.engine === 'postgres' ? target.url : '');

  function through(place: TemporaryTarget, { port }: FaultProxy): string {
    const url = new URL(addressOf(place));
    url.port = String(port);
    return url.href;
  }

  async function expectToEnd(server: Awaited<ReturnType<Installation['start']>>): Promise<void> {
    server.signal('SIGTERM');
    const ending = await Promise.race([server.ended, wait(limitMs, 'it still runs')]);
    expect(ending).toMatchObject({ code: 0, signal: null });
  }

  it('R7 ends when it is the main one, and the next start books what it has spooled', async () => {
    const server = await installation.start();
    const result = emptyResult();
    await callOnce(installation, result, false);
    const calls = [true, true, false].map((isStream) => callOnce(installation, result, isStream));
    await installation.upstream.waitForRequests(4);
    main.set({ stalled: true });
    await wait(500);
    await expectToEnd(server);
    await Promise.all(calls);
    await main.heal();
    main.cutNow();
    await installation.forgetTheDead();
    const next = await installation.start();
    await expect.poll(() => installation.count('quota_holds WHERE state = 0')).toBe(0);
    await expect.poll(() => installation.count('logs WHERE type = 2')).toBeGreaterThanOrEqual(result.seen.length);
    next.signal('SIGTERM');
    await next.ended;
    await expectBookedOnce(installation, result);
  }, 90_000);

  it.each(['LOG_SQL_DSN', 'SQL_READ_DSN'])(
    'R7 ends when it is the one of %s',
    async (name) => {
      const server = await installation.start({ environment: { [name]: through(logs, other) } });
      await callOnce(installation, emptyResult(), false);
      await wait(1500);
      other.set({ stalled: true });
      // Long enough for a look at it to be under way.
      await wait(1500);
      await expectToEnd(server);
      await installation.expectCleanBooks();
    },
    90_000,
  );
});
