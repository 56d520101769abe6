import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../core/app.ts';
import { loadConfig } from '../../../core/config.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { tokenCreateSchema } from '../../../core/schemas/token.ts';
import { userCreateSchema } from '../../../core/schemas/user.ts';
import { expectBookedOnce } from '../../support/booked-calls.ts';
import { askedUsage, type CallResult, callOnce, emptyResult, runCalls } from '../../support/call-load.ts';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { engines } from '../../support/temporary-database.ts';

/** The promise is one second; the rest is for a busy machine. */
const limitMs = 30_000;

describe.each(engines)('a server on %s beside the command line', (engine) => {
  let installation: Installation;
  let server: GatewayProcess;

  beforeAll(async () => {
    installation = await createInstallation(engine);
    installation.upstream.always(askedUsage(2));
    server = await installation.start();
  });
  afterAll(() => installation.remove());

  async function cli(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await installation.cli(...words, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  }

  /** The response to a call, once it has changed. */
  async function expectSoon(status: number, key = installation.key): Promise<void> {
    const ask = async () => (await callOnce({ ...installation, key }, emptyResult(), false))?.status ?? 200;
    await expect.poll(ask, { timeout: limitMs, interval: 50 }).toBe(status);
  }

  it('D8 obeys a channel that is disabled and enabled', async () => {
    await expectSoon(200);
    await cli('channel', 'disable', 'initial');
    await expectSoon(503);
    await cli('channel', 'enable', 'initial');
    await expectSoon(200);
  });

  it('D8 obeys an option', async () => {
    await cli('option', 'set', 'ModelRatio', '{"gpt-4o-mini":1}');
    // What the call cost, for what it would cost at the price built in: thirteen times and a third.
    const factor = async () => {
      const result = emptyResult();
      await callOnce(installation, result, false);
      const [call] = result.seen;
      const where = { request_id: call?.id ?? '' };
      const row = await installation.database.logs.findOne({ where, raw: true });
      return Math.round(Number(row?.quota) / (call?.quota ?? 0));
    };
    await expect.poll(factor, { timeout: limitMs }).toBe(13);
    await cli('option', 'reset', 'ModelRatio', '--yes');
    await expect.poll(factor, { timeout: limitMs }).toBe(1);
  });

  it('D8 obeys a token that is made, disabled and removed', async () => {
    const { key } = JSON.parse(await cli('token', 'create', '--name', 'of root')) as { key: string };
    await expectSoon(200, key);
    await cli('token', 'disable', 'of root');
    await expectSoon(401, key);
    await cli('token', 'enable', 'of root');
    await expectSoon(200, key);
    await cli('token', 'remove', 'of root', '--yes');
    await expectSoon(401, key);
  });

  it('D8, S4 obeys a ban by another process, in running responses, too', async () => {
    const settings = { ...installation.environment, LOG_LEVEL: 'silent' };
    const other = await createApp(loadConfig({}, settings));
    const { users, tokens } = other.services;
    const input = userCreateSchema.parse({ username: 'alice', password: 'correct horse battery' });
    const { id } = await users.create(systemActor, input);
    await users.adjustQuota(systemActor, { id, amount: 1_000_000, note: 'test' });
    const tokenInput = tokenCreateSchema.parse({ name: 'of alice', unlimited_quota: true });
    const { key } = await tokens.create(systemActor, tokenInput, { userId: id });
    await expectSoon(200, `sk-${key}`);
    // A response of ten pieces that takes ten seconds.
    installation.upstream.always(askedUsage(1000));
    const calls = installation.upstream.requests.length;
    const stream = callOnce({ ...installation, key: `sk-${key}` }, emptyResult(), true);
    await installation.upstream.waitForRequests(calls + 1);
    await wait(1500);
    await users.manage(systemActor, { id, action: 'disable' });
    expect(await stream).toMatchObject({ isPartial: true });
    installation.upstream.always(askedUsage(2));
    await expectSoon(403, `sk-${key}`);
    await other.close();
  });

  it('F29 books every call right while channels, tokens, options and balances are edited', async () => {
    const result: CallResult = emptyResult();
    let isOver = false;
    // Few: they call as fast as they can, and the edits have to get their turn.
    const calls = runCalls({ ...installation, clients: 3 }, () => isOver, result);
    const edits = [
      ['user', 'quota', 'root', '--add', '12345'],
      ['channel', 'update', 'initial', '--weight', '3'],
      ['option', 'set', 'RetryTimes', '2'],
      ['user', 'quota', 'root', '--take', '2345'],
      ['token', 'create', '--name', 'more', '--quota', '1000'],
      ['token', 'remove', 'more', '--yes'],
    ];
    for (const words of edits) await cli(...words);
    isOver = true;
    await calls;
    expect(result.failed).toEqual([]);
    expect(result.seen.length).toBeGreaterThan(20);
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
    await expectBookedOnce(installation, { ...result, begun: Number.POSITIVE_INFINITY });
  }, 180_000);
});
