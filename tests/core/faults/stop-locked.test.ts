import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite, type SqliteConnection } from '../../../core/database/sqlite-connection.ts';
import { expectBookedOnce } from '../../support/booked-calls.ts';
import { askedUsage, callOnce, emptyResult } from '../../support/call-load.ts';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';

/** It takes four seconds more than DRAIN_TIMEOUT; the rest is for a busy machine. */
const limitMs = 18_000;

describe('a server that is told to stop while another program keeps the SQLite file locked', () => {
  let installation: Installation;
  let other: SqliteConnection;

  beforeEach(async () => {
    installation = await createInstallation('sqlite', { environment: { DRAIN_TIMEOUT: '2' } });
    installation.upstream.always(askedUsage(100));
  });
  afterEach(async () => {
    await other.close();
    await installation.remove();
  });

  async function lock(): Promise<void> {
    other = await openSqlite(join(installation.directory, 'tollgate.db'), { busyTimeoutMs: 10_000 });
    await other.exec('BEGIN EXCLUSIVE');
  }

  async function expectToEnd(server: GatewayProcess): Promise<string[]> {
    server.signal('SIGTERM');
    const ending = await Promise.race([server.ended, wait(limitMs, 'it still runs')]);
    expect(ending).toMatchObject({ code: 0, signal: null });
    const lines = server.output().split('\n').filter(Boolean);
    return lines.map((line) => String((JSON.parse(line) as { msg?: string }).msg));
  }

  it('R7 ends, says what it has not written, and the next start books what it has spooled', async () => {
    const server = await installation.start();
    const result = emptyResult();
    await callOnce(installation, result, false);
    const calls = [true, true, false].map((isStream) => callOnce(installation, result, isStream));
    await installation.upstream.waitForRequests(4);
    await lock();
    await wait(500);
    const said = await expectToEnd(server);
    await Promise.all(calls);
    expect(said).toContainEqual(
      expect.stringContaining('settlements stay in the spool, and the next start books them'),
    );
    expect(said.filter((text) => text.includes('the health of channels'))).toEqual([
      expect.stringContaining('of the last seconds may be missing'),
    ]);
    expect(readdirSync(join(installation.directory, 'spool')).length).toBeGreaterThan(1);
    await other.exec('COMMIT');
    const next = await installation.start();
    await expect.poll(() => installation.count('quota_holds WHERE state = 0')).toBe(0);
    await expect.poll(() => installation.count('logs WHERE type = 2')).toBeGreaterThanOrEqual(result.seen.length);
    next.signal('SIGTERM');
    await next.ended;
    expect(result.failed).toEqual([]);
    await expectBookedOnce(installation, result);
  }, 90_000);

  it('R7 tries no statement for long once it ends', async () => {
    const server = await installation.start();
    await callOnce(installation, emptyResult(), false);
    await lock();
    const said = await expectToEnd(server);
    expect(said.filter((text) => text.includes('settlements'))).toEqual([]);
    await other.exec('COMMIT');
    await installation.expectCleanBooks();
  }, 90_000);
});
