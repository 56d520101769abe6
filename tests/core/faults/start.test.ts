import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../core/app.ts';
import { loadConfig } from '../../../core/config.ts';
import { callOnce, emptyResult } from '../../support/call-load.ts';
import { binary, runBinary, type StartOrder, startGatewayProcess } from '../../support/gateway-process.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { freePort } from '../../support/postgres.ts';

/** Files cannot be kept from root, so the server runs as another user then. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
const pageBytes = 4096;

describe('a start that cannot work', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  });
  afterEach(() => {
    chmodSync(directory, 0o700);
    rmSync(directory, { recursive: true, force: true });
  });

  const serve = (environment: Record<string, string | undefined>, order: Partial<StartOrder> = {}) =>
    runBinary({
      words: ['serve', '--port', '0'],
      ...order,
      environment: {
        TOLLGATE_HOME: directory,
        LANG: 'C',
        TOLLGATE_ROOT_PASSWORD: 'correct horse battery',
        ...environment,
      },
    });

  /** One sentence, perhaps with a hint below it; no stack. */
  function expectOneLine(stderr: string, ...parts: string[]): void {
    const lines = stderr.trimEnd().split('\n');
    expect(lines.length, stderr).toBeLessThanOrEqual(2);
    expect(lines[0]).toMatch(/^tollgate: /);
    for (const part of parts) expect(stderr).toContain(part);
  }

  it('F30 names the port that is taken and the flag that chooses another, with code 7', async () => {
    const other: Server = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const { code, stderr } = await serve({}, { words: ['serve', '--port', String(port)] });
    other.close();
    expect(code).toBe(7);
    expectOneLine(stderr, String(port), '--port');
  });

  it.each([
    { name: 'PORT', value: 'eighty', words: ['serve'] },
    { name: 'PORT', value: '70000', words: ['serve'] },
    { name: 'DRAIN_TIMEOUT', value: '-1' },
    { name: 'LOG_LEVEL', value: 'loud' },
    { name: 'RELAY_BODY_LIMIT', value: 'big' },
    { name: 'INITIAL_CHANNEL', value: '{' },
  ])(
    'F30 names the setting $name, its value "$value" and what is allowed, with code 2',
    async ({ name, value, words }) => {
      const { code, stderr } = await serve({ [name]: value }, words ? { words } : {});
      expect({ code, stderr }).toMatchObject({ code: 2 });
      // The channel's JSON holds its key, so it is not repeated.
      expectOneLine(stderr, name, name === 'INITIAL_CHANNEL' ? 'JSON' : `"${value}"`, 'must be');
    },
  );

  it('F30 says that MySQL is not supported, with code 2', async () => {
    const { code, stderr } = await serve({ SQL_DSN: 'root:secret@tcp(127.0.0.1:3306)/oneapi' });
    expect(code).toBe(2);
    expectOneLine(stderr, 'postgres://');
    expect(stderr).not.toContain('secret');
  });

  it('F30 names a database that cannot be reached, without its password, with code 7', async () => {
    const { code, stderr } = await serve({ SQL_DSN: `postgres://tollgate:secret@127.0.0.1:${await freePort()}/x` });
    expect(code).toBe(7);
    expectOneLine(stderr, 'ECONNREFUSED');
    expect(stderr).not.toContain('secret');
  });

  it('F30 makes a data directory that is missing, for its owner only', async () => {
    const missing = join(directory, 'a', 'b');
    const server = await startGatewayProcess({
      environment: { TOLLGATE_HOME: missing, TOLLGATE_ROOT_PASSWORD: 'correct horse battery', PORT: '0' },
    });
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
    expect(statSync(missing).mode & 0o777).toBe(0o700);
    for (const name of ['tollgate.db', 'master.key']) expect(statSync(join(missing, name)).mode & 0o777).toBe(0o600);
  });

  it('F30 names a data directory that is a file', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below')]) {
      const { code, stderr } = await serve({ TOLLGATE_HOME: path });
      expect(code).toBeGreaterThan(0);
      expectOneLine(stderr, path, '--data-dir');
    }
  });

  it('F30 names a data directory in which it may not write, with code 4', async () => {
    chmodSync(directory, 0o555);
    const { code, stderr } = await serve({}, nobody ? { user: nobody } : {});
    expect({ code, stderr }).toMatchObject({ code: 4 });
    expectOneLine(stderr, directory, '--data-dir');
  });

  it.runIf(existsSync('/proc/self'))(
    'F30 names a folder that the system never makes, instead of trying without end',
    async () => {
      for (const path of ['/proc/nope', '/proc/nope/below']) {
        const { code, stderr } = await serve({ TOLLGATE_HOME: path });
        expect({ code, stderr }).toMatchObject({ code: 4 });
        expectOneLine(stderr, '/proc/nope', 'TOLLGATE_HOME');
        const logs = await serve({}, { words: ['serve', '--port', '0', '--log-dir', path] });
        expect(logs).toMatchObject({ code: 4 });
        expectOneLine(logs.stderr, path, '--log-dir');
        expect(logs.stderr).not.toContain('TOLLGATE_HOME');
      }
    },
  );

  it('names the folder for temporary files that is missing, and the variable that chooses another', async () => {
    const { code, stderr } = await serve({ TMPDIR: join(directory, 'none') }, { words: ['demo'] });
    expect({ code, stderr }).toMatchObject({ code: 4 });
    expectOneLine(stderr, join(directory, 'none'), 'TMPDIR');
  });

  it.each([20, 24, 28, 32, 36, 40])('says something and fails where it may open %d files only', async (limit) => {
    const started = spawnSync(
      'sh',
      ['-c', `ulimit -n ${limit}; exec "$0" "$1" serve --port 0`, process.execPath, binary],
      {
        env: { PATH: process.env.PATH, TOLLGATE_HOME: directory, TOLLGATE_ROOT_PASSWORD: 'correct horse battery' },
        timeout: 45_000,
      },
    );
    expect(started.status).not.toBe(0);
    expect(String(started.stderr)).not.toBe('');
  });

  it('F30 names a log file that it may not write', async () => {
    mkdirSync(join(directory, 'tollgate.log'));
    const { code, stderr } = await serve({}, { words: ['serve', '--port', '0', '--log-dir', directory] });
    expect({ code, stderr }).toMatchObject({ code: 4 });
    expectOneLine(stderr, directory, 'EISDIR', '--log-dir');
  });

  it.each([
    ['x', true],
    ['abababababababababab', true],
    ['one two three four', false],
    ['a new key of 2026,x', false],
  ])('warns of a CRYPTO_SECRET that can be guessed, and goes on to listen: %s', async (secret, isGuessable) => {
    const { code, stderr } = await serve({ CRYPTO_SECRET: secret, HOST: '203.0.113.1' });
    expect([code, stderr.includes('CRYPTO_SECRET can be guessed')]).toEqual([7, isGuessable]);
  });

  it.runIf(nobody)('names a data directory of another user to a command that only reads', async () => {
    for (const words of [
      ['channel', 'list'],
      ['db', 'check'],
      ['channel', 'fix'],
    ]) {
      const { code, stderr } = await serve({}, { words, ...(nobody && { user: nobody }) });
      expect({ code, stderr }).toMatchObject({ code: 4 });
      expectOneLine(stderr, directory, 'EACCES');
    }
  });

  it.runIf(nobody)(
    'runs as a number that the system does not know, and asks for a folder if there is no home',
    async () => {
      const user = { uid: 54_321, gid: 54_321 };
      chownSync(directory, user.uid, user.gid);
      const withFolder = await serve({ HOME: undefined }, { user, words: ['db', 'migrate'] });
      expect(withFolder).toMatchObject({ code: 0 });
      const { code, stderr } = await serve({ HOME: undefined, TOLLGATE_HOME: undefined }, { user });
      expect({ code, stderr }).toMatchObject({ code: 2 });
      expectOneLine(stderr, 'TOLLGATE_HOME', '--data-dir');
    },
  );

  it('F30 names a database file that is read-only, with code 4, and leaves its mode alone', async () => {
    const environment = { CRYPTO_SECRET: 'one two three four' };
    if (nobody) chownSync(directory, nobody.uid, nobody.gid);
    const order = nobody ? { user: nobody } : {};
    expect((await serve(environment, { ...order, words: ['db', 'migrate'] })).code).toBe(0);
    const file = join(directory, 'tollgate.db');
    chmodSync(file, 0o400);
    for (let times = 0; times < 2; times++) {
      const { code, stderr } = await serve(environment, order);
      expect({ code, stderr }).toMatchObject({ code: 4 });
      expectOneLine(stderr, file);
    }
    expect(statSync(file).mode & 0o777).toBe(0o400);
  });
});

describe('a damaged SQLite file', () => {
  let installation: Installation;
  let file: string;
  let good: Buffer;

  beforeAll(async () => {
    installation = await createInstallation('sqlite');
    file = join(installation.directory, 'tollgate.db');
    const server = await installation.start();
    await callOnce(installation, emptyResult(), false);
    server.signal('SIGTERM');
    await server.ended;
    await installation.database.close();
    good = readFileSync(file);
  });
  afterAll(() => installation.remove());
  afterEach(() => {
    rmSync(`${file}-wal`, { force: true });
    rmSync(`${file}-shm`, { force: true });
    writeFileSync(file, good);
  });

  const damaged: { what: string; change(bytes: Buffer): Buffer }[] = [
    { what: 'has another kind of content', change: () => Buffer.from('this is no database\n'.repeat(500)) },
    { what: 'was emptied', change: () => Buffer.alloc(0) },
    { what: 'was cut in half', change: (bytes) => bytes.subarray(0, bytes.length / 2) },
    { what: 'has a page of zeros', change: (bytes) => overwrite(bytes, 5, Buffer.alloc(pageBytes)) },
    { what: 'has a page of other bytes', change: (bytes) => overwrite(bytes, 9, Buffer.alloc(pageBytes, 0xa5)) },
    { what: 'has a broken schema', change: (bytes) => overwrite(bytes, 0, Buffer.alloc(200, 0xff), 100) },
  ];

  function overwrite(bytes: Buffer, page: number, by: Buffer, offset = 0): Buffer {
    const changed = Buffer.from(bytes);
    by.copy(changed, page * pageBytes + offset);
    return changed;
  }

  it.each(damaged)('D4 that $what stops the start with one line and what to do', async ({ change }) => {
    const bytes = change(good);
    writeFileSync(file, bytes);
    const { code, stderr } = await installation.program('serve');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`${file} is damaged`) });
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('.recover');
    // Not a byte is written to it, and no other one takes its place.
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('D4 never starts in silence, whichever page it is', async () => {
    // The content of an unused page does not matter.
    const unused = unusedPages(good);
    const pages = Array.from({ length: good.length / pageBytes }, (_, page) => page).filter(
      (page) => !unused.has(page),
    );
    const silent: number[] = [];
    for (let n = 0; n < 20; n++) {
      const page = pages[Math.floor((n * pages.length) / 20)] ?? 0;
      writeFileSync(file, overwrite(good, page, Buffer.alloc(16, 0xee)));
      try {
        const app = await createApp(loadConfig({}, { ...installation.environment, LOG_LEVEL: 'silent' }));
        silent.push(page);
        await app.close();
      } catch (error) {
        expect(error).toMatchObject({ code: 'database.damaged' });
      }
    }
    expect(silent).toEqual([]);
  });

  it('D4 is found after an unclean stop, too', async () => {
    const server = await installation.start();
    await callOnce(installation, emptyResult(), false);
    server.signal('SIGKILL');
    await server.ended;
    expect(existsSync(`${file}-wal`)).toBe(true);
    writeFileSync(file, overwrite(readFileSync(file), 12, Buffer.alloc(pageBytes, 0xee)));
    const { code, stderr } = await installation.program('serve');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') });
  });
});

/** The pages of SQLite's list of free ones: a chain of pages that name others; all of them counted from 0. */
function unusedPages(bytes: Buffer): Set<number> {
  const unused = new Set<number>();
  for (let trunk = bytes.readUInt32BE(32); trunk !== 0; ) {
    const at = (trunk - 1) * pageBytes;
    const count = bytes.readUInt32BE(at + 4);
    for (let n = 0; n < count; n++) unused.add(bytes.readUInt32BE(at + 8 + 4 * n) - 1);
    trunk = bytes.readUInt32BE(at);
  }
  return unused;
}
