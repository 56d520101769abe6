import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

/** A reading gives up after five seconds of waiting, and what the notice told is told once more within five. */
const lockedMs = 12_000;

describe('a change that a server is told of while it cannot read it', () => {
  let gateway: TestGateway;
  let other: pg.Client;

  beforeEach(async () => {
    gateway = await startGateway('postgres');
    other = new pg.Client({ connectionString: gateway.environment.SQL_DSN });
    await other.connect();
  });
  afterEach(async () => {
    await other?.end();
    await gateway?.stop();
  });

  it('D8, F39 is in force soon after it can be read', async () => {
    const poor = await gateway.addUser('bob', 1_000_000);
    const limited = await gateway.addToken(poor);
    expect((await gateway.chat()).status).toBe(200);
    expect((await gateway.chat({}, { key: limited })).status).toBe(200);
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO options (key, value) VALUES ('RetryTimes', '7') ON CONFLICT (key) DO UPDATE SET value = '7'`,
    );
    await other.query('UPDATE channels SET status = 2');
    await other.query(
      `INSERT INTO limits (subject_kind, subject, measure, period, amount) VALUES ('user', '${poor}', 'requests', 'hour', 1)`,
    );
    // As an operator's maintenance does; in one message, so that no reading comes in between.
    await other.query('COMMIT; BEGIN; LOCK TABLE options, channels, limits IN ACCESS EXCLUSIVE MODE');
    await wait(lockedMs);
    await other.query('COMMIT');
    const { options } = gateway.app.services;
    await expect.poll(() => options.get('RetryTimes'), { timeout: 15_000, message: 'the option' }).toBe(7);
    const status = async (key: string) => (await gateway.chat({}, { key })).status;
    await expect.poll(() => status(gateway.key), { timeout: 15_000, message: 'the channel' }).toBe(503);
    await status(limited);
    await expect.poll(() => status(limited), { timeout: 15_000, message: 'the limit' }).toBe(429);
  }, 90_000);
});
