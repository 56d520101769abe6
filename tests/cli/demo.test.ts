import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

describe('demo', () => {
  let home: CliHome;
  let temporary: string;
  beforeEach(() => {
    home = createCliHome();
    // A place of its own for temporary files, so that what is left there is this demonstration's.
    temporary = `${home.directory}/temporary`;
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    home.remove();
  });

  it('relays a streamed call, shows its bill and the verified ledger, and leaves nothing behind', async () => {
    const pieces: string[] = [];
    const run = await home.run('demo', { watch: (text) => pieces.push(text) });
    expect(run.stderr).not.toContain('tollgate:');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('every word came through the gateway');
    expect(pieces.filter((text) => /^\w+ $/.test(text)).length).toBeGreaterThan(5);
    expect(run.stdout).toMatch(/completion tokens +\d+ x 0\.3 = /);
    expect(run.stdout).toContain('the ledger adds up (checked users: 1, tokens: 1, channels: 1, hourly sums: 1)');
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(`${home.directory}/tollgate.db`)).toBe(false);
  });

  it('gives the same as JSON', async () => {
    const report = (await home.run('demo --json', { env: { SQL_DSN: 'postgres://127.0.0.1:1/not-used' } })).json<{
      quota: number;
      receipt: { quota: number };
      ledger: { ok: boolean };
    }>();
    expect(report.ledger.ok).toBe(true);
    expect(report.receipt.quota).toBe(report.quota);
    expect(report.quota).toBeGreaterThan(0);
  });
});
