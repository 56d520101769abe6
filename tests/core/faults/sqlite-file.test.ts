import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../core/database/sqlite-connection.ts';
import { expectBookedOnce } from '../../support/booked-calls.ts';
import { askedUsage, type CallResult, callOnce, emptyResult, runCalls } from '../../support/call-load.ts';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';

/** Files cannot be kept from root, so the server runs as another user then. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
/** A file in memory cannot be frozen. */
const disk = '/var/tmp';
const usual = process.env.TMPDIR;
const canFreeze = canMakeImmutable();
const whyNot = canFreeze ? '' : ' (left out: no file can be made immutable here)';

describe('a server whose SQLite file changes under it', () => {
  let installation: Installation;
  let file: string;

  beforeEach(async () => {
    process.env.TMPDIR = disk;
    installation = await createInstallation('sqlite');
    file = join(installation.directory, 'tollgate.db');
    // A response of ten pieces takes three seconds.
    installation.upstream.always(askedUsage(300));
  });
  afterEach(async () => {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
    await installation.remove();
  });

  const spooledFiles = () => readdirSync(join(installation.directory, 'spool')).filter((name) => name !== 'reserve');
  const statusNow = async (result: CallResult) => (await callOnce(installation, result, false))?.status ?? 200;

  /** A server that has just started on a busy machine may turn a call away. */
  const expectServed = (result: CallResult) => expect.poll(() => statusNow(result)).toBe(200);

  async function beginStreams(result: CallResult): Promise<{ over: Promise<unknown[]> }> {
    await expectServed(result);
    const begun = installation.upstream.requests.length;
    const calls = Array.from({ length: 20 }, () => callOnce(installation, result, true));
    await installation.upstream.waitForRequests(begun + 20);
    return { over: Promise.all(calls) };
  }

  const readiness = async ({ url }: GatewayProcess) => (await fetch(`${url}/readyz`)).status;

  async function expectTurnedDown(server: GatewayProcess, result: CallResult): Promise<void> {
    await expect.poll(() => statusNow(result)).toBe(503);
    const asked = installation.upstream.requests.length;
    expect(await callOnce(installation, result, false)).toMatchObject({
      status: 503,
      retryAfter: expect.stringMatching(/^([1-5]|10)$/),
    });
    expect(installation.upstream.requests).toHaveLength(asked);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
  }

  it.skipIf(!canFreeze)(
    `F46 turns calls down while nothing can be written to it, then goes on${whyNot}`,
    { timeout: 120_000 },
    async () => {
      const server = await installation.start();
      const result = emptyResult();
      const streams = await beginStreams(result);
      const freeze = (flag: '+i' | '-i') => execFileSync('chattr', [flag, file, `${file}-wal`]);
      freeze('+i');
      try {
        await expectTurnedDown(server, result);
        // Each of them gets its end, because its bill is kept in the spool.
        expect((await streams.over).filter(Boolean)).toEqual([]);
        expect(spooledFiles()).not.toEqual([]);
      } finally {
        freeze('-i');
      }
      await expectServed(result);
      await expect.poll(spooledFiles).toEqual([]);
      await expect.poll(() => installation.count('quota_holds WHERE state = 0')).toBe(0);
      server.signal('SIGTERM');
      expect((await server.ended).code).toBe(0);
      await expectBookedOnce(installation, result);
    },
  );

  it('F46 serves on when its mode is changed, and says what a console cannot save', async () => {
    if (nobody) giveTo(installation.directory, nobody);
    const server = await installation.start(nobody ? { user: nobody } : {});
    const result = emptyResult();
    await expectServed(result);
    chmodSync(file, 0o400);
    const streams = await beginStreams(result);
    // The server holds the file open; a console call reopens it.
    const signIn = await fetch(`${server.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'en' },
      body: JSON.stringify({ username: 'root', password: 'correct horse battery' }),
    });
    expect(signIn.status).toBe(503);
    expect(await signIn.json()).toMatchObject({ success: false, message: expect.stringContaining('database') });
    expect((await streams.over).filter(Boolean)).toEqual([]);
    chmodSync(file, 0o600);
    await expectServed(result);
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
    await expectBookedOnce(installation, result);
  });

  it('F47 begins nothing new on it once a page of it is broken, and loses nothing', { timeout: 120_000 }, async () => {
    const server = await installation.start();
    const result = emptyResult();
    const streams = await beginStreams(result);
    const broken = await breakTable(file, 'logs');
    // Bills that cannot be booked are kept, and every response gets its end.
    expect((await streams.over).filter(Boolean)).toEqual([]);
    expect(spooledFiles()).not.toEqual([]);
    await expectTurnedDown(server, result);
    // Nor later, when no call waits for the ledger.
    const asked = installation.upstream.requests.length;
    for (let times = 0; times < 10; times++) {
      await wait(400);
      expect(await statusNow(result)).toBe(503);
    }
    expect(installation.upstream.requests).toHaveLength(asked);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    const said = server
      .output()
      .split('\n')
      .filter((line) => line.includes('is damaged'));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('.recover');
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);

    const { code, stderr } = await installation.program('serve');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`${file} is damaged`) });
    broken.repair();
    const next = await installation.start();
    await expect.poll(spooledFiles).toEqual([]);
    await expect.poll(() => installation.count('quota_holds WHERE state = 0')).toBe(0);
    await expectServed(result);
    next.signal('SIGTERM');
    expect((await next.ended).code).toBe(0);
    await expectBookedOnce(installation, result);
  });

  it('is not ready while its file is not at its place, and serves again once it is back', async () => {
    const server = await installation.start();
    const result = emptyResult();
    await expectServed(result);
    expect(await readiness(server)).toBe(200);
    renameSync(file, `${file}.moved`);
    await expect.poll(() => readiness(server)).toBe(503);
    await expectTurnedDown(server, result);
    renameSync(`${file}.moved`, file);
    await expect.poll(() => readiness(server)).toBe(200);
    await expectServed(result);
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
    await expectBookedOnce(installation, result);
  });

  it('is not ready any more once an older copy was written over its file, which has the same length', {
    timeout: 120_000,
  }, async () => {
    const server = await installation.start();
    const result = emptyResult();
    await expectServed(result);
    const beats = async () => {
      const other = await openSqlite(file);
      await other.all('PRAGMA wal_checkpoint(PASSIVE)');
      await other.close();
      return readFileSync(file).readInt32BE(60);
    };
    await beats();
    const older = readFileSync(file);
    await expect.poll(beats, { timeout: 30_000 }).toBeGreaterThan(older.readInt32BE(60));
    await wait(3000); // it looks every two seconds
    expect(await readiness(server)).toBe(200);
    const handle = openSync(file, 'r+');
    writeSync(handle, older);
    closeSync(handle);
    await expect.poll(() => readiness(server)).toBe(503);
    await expectTurnedDown(server, result);
    await expect.poll(server.output).toContain('was overwritten by an older copy');
    server.signal('SIGTERM');
    await server.ended;
  });

  it('F48 serves while a reader keeps its log growing, and gives the room back after it', {
    timeout: 120_000,
  }, async () => {
    installation.upstream.always(askedUsage(2));
    const server = await installation.start();
    const result = emptyResult();
    let isOver = false;
    const calls = runCalls({ ...installation, clients: 8 }, () => isOver, result);
    const [reader, writer] = [await openSqlite(file, { readOnly: true }), await openSqlite(file)];
    await reader.exec('BEGIN');
    await reader.all('SELECT count(*) FROM users');
    await writer.exec('CREATE TABLE filler (bytes BLOB)');
    for (let megabytes = 0; megabytes < 150; megabytes += 5) {
      await writer.run('INSERT INTO filler VALUES (zeroblob(5000000))');
      await wait(20);
    }
    const log = () => statSync(`${file}-wal`).size;
    expect(log()).toBeGreaterThan(130_000_000);
    const before = result.seen.length;
    await wait(1000);
    expect(result.seen.length).toBeGreaterThan(before);
    await reader.exec('COMMIT');
    await reader.close();
    await writer.close();
    await expect.poll(log).toBeLessThan(70_000_000);
    isOver = true;
    await calls;
    expect(result.failed.filter(({ status }) => status !== 503)).toEqual([]);
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
    await expectBookedOnce(installation, result);
  });
});

function canMakeImmutable(): boolean {
  const directory = mkdtempSync(join(disk, 'tollgate-test-'));
  const file = join(directory, 'frozen');
  writeFileSync(file, 'x');
  const held = openSync(file, 'r+');
  try {
    execFileSync('chattr', ['+i', file], { stdio: 'ignore' });
    try {
      // Not every file system keeps it from a program that has the file open.
      writeSync(held, 'y');
      return false;
    } catch {
      return true;
    } finally {
      execFileSync('chattr', ['-i', file]);
    }
  } catch {
    return false; // the test that needs it says that it is left out
  } finally {
    closeSync(held);
    rmSync(directory, { recursive: true });
  }
}

function giveTo(directory: string, { uid, gid }: { uid: number; gid: number }): void {
  chownSync(directory, uid, gid);
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    chownSync(join(directory, name), uid, gid);
}

/** Overwrites the first page of a table and makes every connection read its pages again. */
async function breakTable(file: string, table: string): Promise<{ repair(): void }> {
  const other = await openSqlite(file);
  const [{ rootpage } = { rootpage: 0 }] = await other.all<{ rootpage: number }>(
    'SELECT rootpage FROM sqlite_schema WHERE name = ?',
    [table],
  );
  // All of the log goes into the file, so that the page is read from there.
  await expect
    .poll(async () => (await other.all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)'))[0]?.busy, {})
    .toBe(0);
  const handle = openSync(file, 'r+');
  const at = (rootpage - 1) * 4096;
  const good = Buffer.alloc(4096);
  readSync(handle, good, 0, good.length, at);
  writeSync(handle, Buffer.alloc(4096, 0xee), 0, 4096, at);
  closeSync(handle);
  await other.run('UPDATE users SET aff_count = aff_count');
  await other.close();
  return {
    repair() {
      const again = openSync(file, 'r+');
      writeSync(again, good, 0, good.length, at);
      closeSync(again);
    },
  };
}
