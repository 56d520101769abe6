import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('tollgate-demo-'));

describe('demo', () => {
  let home: CliHome;
  beforeEach(() => {
    home = createCliHome();
  });
  afterEach(() => home.remove());

  it('relays a streamed call, shows its bill and the verified ledger, and leaves nothing behind', async () => {
    const before = leftovers();
    const pieces: string[] = [];
    const run = await home.run('demo', { watch: (text) => pieces.push(text) });
    expect(run.stderr).not.toContain('tollgate:');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('every word came through the gateway');
    expect(pieces.filter((text) => /^\w+ $/.test(text)).length).toBeGreaterThan(5);
    expect(run.stdout).toMatch(/completion tokens +\d+ x 0\.3 = /);
    expect(run.stdout).toContain('the ledger adds up: 1 users, 1 tokens, 1 channels, 1 hourly sums checked');
    expect(leftovers()).toEqual(before);
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
