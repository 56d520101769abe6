import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EndRow } from '../../../core/billing/ledger-store.ts';
import { openSpool } from '../../../core/billing/spool.ts';

const row = (id: string): EndRow => ({ id, userId: 1, tokenId: 1, channelId: 1, actual: 5, counted: 1, accessedAt: 0 });

describe('the spool of settlements', () => {
  let directory: string;
  let events: string[];
  /** The system's own flush, as every file handle has it. */
  let handles: { sync(): Promise<void> };
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tollgate-spool-'));
    events = [];
    const probe = await open(directory, 'r');
    handles = Object.getPrototypeOf(probe) as typeof handles;
    await probe.close();
    const flush = handles.sync;
    vi.spyOn(handles, 'sync').mockImplementation(async function (this: typeof handles) {
      await flush.call(this);
      events.push('flushed');
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(directory, { recursive: true, force: true });
  });

  const start = () =>
    openSpool({
      directory: join(directory, 'spool'),
      owner: 'here',
      killPoint: (point) => void events.push(point),
      log: () => undefined,
    });
  const lines = () => readFileSync(join(directory, 'spool/here.jsonl'), 'utf8').split('\n').filter(Boolean);

  it('D5 M4: flushes the line and its folder before a charge counts as written, also after a power cut', async () => {
    const spool = await start();
    events = [];
    await spool.append([row('a'), row('b')]);
    expect(events).toEqual(['spool.before', 'flushed', 'flushed', 'spool.after']);
    expect(lines().map((line) => (JSON.parse(line) as EndRow).id)).toEqual(['a', 'b']);
  });

  it('flushes the folder above a new spool, which would be lost with everything in it', async () => {
    await start();
    expect(events[0]).toBe('flushed');
    expect(readdirSync(directory)).toEqual(['spool']);
  });

  it('D5: takes nothing for written that the disk did not flush', async () => {
    const spool = await start();
    vi.spyOn(handles, 'sync').mockRejectedValue(Object.assign(new Error('i/o error'), { code: 'EIO' }));
    events = [];
    await expect(spool.append([row('a')])).rejects.toMatchObject({ code: 'EIO' });
    expect(events).toEqual(['spool.before']);
  });

  it('D3 D5 keeps 16 MiB aside, whole again after a start that was killed over it, and is for its owner alone', async () => {
    const reserve = join(directory, 'spool/reserve');
    const spool = await start();
    expect(statSync(reserve).size).toBe(16 * 1024 * 1024);
    await spool.append([row('a')]);
    for (const name of ['spool/reserve', 'spool/here.jsonl'])
      expect(statSync(join(directory, name)).mode & 0o777, name).toBe(0o600);
    expect(statSync(join(directory, 'spool')).mode & 0o777).toBe(0o700);
    truncateSync(reserve, 1024);
    const next = await start();
    expect(statSync(reserve).size).toBe(16 * 1024 * 1024);
    expect(next.isShort()).toBe(false);
  });

  it('reads back what it wrote, whatever characters a prompt has', async () => {
    const written = { ...row('a'), task: { properties: 'one\u2028two\u2029three\u0085four\rfive\n' } } as EndRow;
    const spool = await start();
    await spool.append([written, row('b')]);
    const read: EndRow[] = [];
    await spool.replay(async (rows) => void read.push(...rows));
    expect(read).toEqual([written, row('b')]);
  });
});
