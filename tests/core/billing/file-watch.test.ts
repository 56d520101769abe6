import { execSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileWatch } from '../../../core/billing/file-watch.ts';
import { StoreError } from '../../../core/billing/ledger-store.ts';

describe('the watch over a SQLite file', () => {
  let directory: string;
  let file: string;
  let said: string[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
    file = join(directory, 'tollgate.db');
    said = [];
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const watchOver = (maxLogBytes?: number) =>
    createFileWatch({
      database: { engine: 'sqlite', file },
      warn: (text) => said.push(text),
      alarm: (text) => said.push(text),
      ...(maxLogBytes ? { maxLogBytes } : {}),
    });

  it('F48 warns of a log that grows large, again when it has doubled, and again after it was small', async () => {
    const watch = watchOver(1000);
    const growTo = async (bytes: number) => {
      writeFileSync(`${file}-wal`, '');
      truncateSync(`${file}-wal`, bytes);
      await watch.look();
      return said.length;
    };
    expect(await growTo(999)).toBe(0);
    expect(await growTo(1500)).toBe(1);
    expect(await growTo(2000)).toBe(1);
    expect(await growTo(3000)).toBe(2);
    expect(await growTo(10)).toBe(2);
    expect(await growTo(1000)).toBe(3);
    expect(said[0]).toContain(`${file}-wal has grown large`);
  });

  it('says nothing where there is no log', async () => {
    await watchOver().look();
    expect(said).toEqual([]);
  });

  it('F26 learns nothing about the file while the process has no free descriptor', async () => {
    writeFileSync(file, '');
    const watch = watchOver();
    const ofSelf = `--pid ${process.pid} --nofile`;
    const before = execSync(`prlimit ${ofSelf} -o SOFT --noheadings`).toString().trim();
    // Set back from outside: a process without descriptors cannot start another one.
    const limit = spawn('sh', ['-c', `prlimit ${ofSelf}=3:; echo; read line; prlimit ${ofSelf}=${before}:`]);
    await once(limit.stdout, 'data');
    expect(() => openSync(file, 'r')).toThrow('EMFILE');
    for (let times = 0; times < 3; times++) await watch.look();
    limit.stdin.end('\n');
    await once(limit, 'exit');
    expect(said).toEqual([]);
    await watch.look();
    expect(watch.isDamaged()).toBe(false);
  });

  it('F47 tells a broken file from other failures, once and with what to do', () => {
    const watch = watchOver();
    const failure = (code: string) =>
      new StoreError('outage', false, Object.assign(new Error(`${code}: words`), { code }));
    watch.failed(failure('SQLITE_FULL'));
    watch.failed(failure('SQLITE_IOERR'));
    expect(watch.isDamaged()).toBe(false);
    watch.failed(failure('SQLITE_CORRUPT'));
    watch.failed(failure('SQLITE_CORRUPT'));
    expect(watch.isDamaged()).toBe(true);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('repair');
  });
});
