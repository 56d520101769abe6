import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../core/database/sqlite-connection.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { freePort } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
import { createShellCommand, type ShellCommand } from '../support/shell-command.ts';

const page = readFileSync(new URL('../../dashboard/docs/script.md', import.meta.url), 'utf8');
const script = /^```sh\n(#!.*?)^```/ms.exec(page)?.[1] ?? '';
const files = [...page.matchAll(/^`([\w-]+\.json)`.*?```json\n(.*?)^```/gms)];

/** What a call that is relayed leaves behind, and signs of life; everything else is the set-up. */
const leftByCalls = [
  'logs',
  'channel_health',
  'usage_data',
  'quota_holds',
  'quota_entries',
  'unlogged_sums',
  'ledger_marks',
  'ended_calls',
];
const signsOfLife = ['changes', 'ledger_owners', 'job_locks'];
const counters = ['quota', 'used_quota', 'remain_quota', 'request_count', 'accessed_time'];

describe('the set-up from a script', () => {
  let folder: string;
  let upstream: FakeUpstream;
  let commands: ShellCommand;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-script-'));
    upstream = await startFakeUpstream();
    commands = await createShellCommand(folder);
    // Not every machine has curl, and the script only asks whether the server is ready.
    const ask = 'fetch(process.argv.at(-1)).then(({ ok }) => process.exit(ok ? 0 : 22), () => process.exit(7))';
    const curl = `#!/bin/sh\nexec "${process.execPath}" -e '${ask}' -- "$@"\n`;
    writeFileSync(join(commands.folder, 'curl'), curl, { mode: 0o755 });
    env = {
      PATH: `${commands.folder}:${process.env.PATH}`,
      TOLLGATE_HOME: join(folder, 'home'),
      PORT: String(await freePort()),
      LC_ALL: 'C.UTF-8',
      LOG_LEVEL: 'warn',
      LOOP_DELAY_LIMIT: '0',
      OPENAI_KEY: 'upstream-key',
      ANTHROPIC_KEY: 'upstream-key',
      HOUSE_KEY: 'upstream-key',
    };
    writeFileSync(join(folder, 'root-password.txt'), 'correct horse battery\n');
    writeFileSync(join(folder, 'alice-password.txt'), 'long enough 1\n');
    // The page's providers are on the internet; here all of them are on this machine.
    for (const [, name = '', text = ''] of files) {
      writeFileSync(join(folder, name), JSON.stringify({ ...JSON.parse(text), base_url: upstream.url }));
    }
  });
  afterAll(async () => {
    await commands?.close();
    await upstream?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = () =>
    execa('sh', ['-c', script], { cwd: folder, env, extendEnv: false, reject: false, timeout: 150_000 });

  it('makes an installation that serves a call, and changes nothing when it runs again', async () => {
    expect(files.map(([, name]) => name)).toEqual(['openai.json', 'anthropic.json', 'house.json']);
    const first = await run();
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Hello from upstream') });
    expect(first.stdout).toMatch(/^gpt-4o-mini\t1\t/m);
    const before = await state();
    expect(before.channels).toHaveLength(3);
    expect(before.users).toEqual([
      expect.objectContaining({ username: 'root' }),
      expect.objectContaining({ username: 'alice', group: 'vip' }),
    ]);
    expect(before.tokens).toHaveLength(2);

    const second = await run();
    expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Hello from upstream') });
    expect(second.stdout).toMatch(/^gpt-4o-mini\t2\t/m);
    expect(await state()).toEqual(before);

    const ledger = await runCli('ledger verify', { env });
    expect(ledger.stdout).toContain('the ledger adds up');
  }, 360_000);

  /** Every table of the set-up, the audit log too: it would record any change. */
  async function state(): Promise<Record<string, object[]>> {
    const connection = await openSqlite(join(folder, 'home', 'tollgate.db'), { readOnly: true });
    const tables = await connection.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    );
    const found: Record<string, object[]> = {};
    for (const { name } of tables) {
      if ([...leftByCalls, ...signsOfLife].includes(name)) continue;
      const rows = await connection.all(`SELECT * FROM ${name}`);
      // The call reads the key of its token, and says so.
      const kept = rows.filter(({ action }) => action !== 'token.reveal');
      found[name] = kept.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([key]) => !counters.includes(key))),
      );
    }
    await connection.close();
    return found;
  }
});
