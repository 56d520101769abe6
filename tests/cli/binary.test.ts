import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binaryPath, runBinary } from '../support/built-binary.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

describe('built program', () => {
  let home: CliHome;
  beforeAll(() => {
    home = createCliHome();
  });
  afterAll(() => home.remove());

  it('shows its help', async () => {
    const run = await runBinary(['--help']);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContain('Usage: tollgate');
  });

  it('has the exit codes that scripts rely on', async () => {
    const env = home.env;
    expect((await runBinary(['version'], { env })).exitCode).toBe(0);
    expect((await runBinary([], { env, stdin: 'ignore' })).exitCode).toBe(2);
    expect((await runBinary(['nonsense'], { env })).exitCode).toBe(2);
    expect((await runBinary(['channel', 'remove', '9'], { env })).exitCode).toBe(7);
    expect((await runBinary(['db', 'migrate'], { env })).exitCode).toBe(0);
    expect((await runBinary(['channel', 'get', '9'], { env })).exitCode).toBe(3);
    expect((await runBinary(['channel', 'remove', '9'], { env })).exitCode).toBe(3);
    expect(
      (await runBinary(['db', 'status'], { env: { ...env, SQL_DSN: 'postgres://x@127.0.0.1:1/x' } })).exitCode,
    ).toBe(7);
  });

  it('ends quietly when its reader goes away', async () => {
    const env = home.env;
    const command = `"${process.execPath}" "${binaryPath()}" option list --json | head -c 10; echo " \${PIPESTATUS[0]}"`;
    const run = await execa('bash', ['-c', command], { env, reject: false });
    expect(run.stderr).toBe('');
    expect(run.stdout).toBe('{"items":[ 0');
  });

  it('says so when what it prints cannot be written, and ends with 1', async () => {
    for (const words of ['option list', '--help']) {
      const command = `"${process.execPath}" "${binaryPath()}" ${words} > /dev/full`;
      const run = await execa('bash', ['-c', command], { env: home.env, reject: false });
      expect(run.exitCode).toBe(1);
      expect(run.stderr).toMatch(/^tollgate: the output could not be written \(ENOSPC\)\n {2}\S.*$/);
    }
  });

  it('finishes what is under way at Ctrl-C, prints the summary, and ends with 130', async () => {
    // An upstream that takes its time.
    const upstream = createServer((_request, response) => setTimeout(() => response.writeHead(500).end(), 500));
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const { port } = upstream.address() as AddressInfo;
    try {
      const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`).join('\n');
      const flags = `--type openai --name slow --models gpt-4o --base-url http://127.0.0.1:${port} --key-stdin`;
      expect((await home.run(`channel create ${flags}`, { stdin: keys })).code).toBe(0);
      const running = runBinary(['channel', 'test', '--all', '--json'], { env: home.env });
      await new Promise((resolve) => running.stdout?.once('data', resolve));
      running.kill('SIGINT');
      const run = await running;
      expect(run.exitCode).toBe(130);
      const lines = String(run.stdout).split('\n');
      expect(lines.length).toBeLessThan(40);
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ message: expect.stringContaining('40') });
    } finally {
      upstream.closeAllConnections();
      upstream.close();
    }
  });

  it('runs the demonstration to a verified ledger', async () => {
    const run = await runBinary(['demo'], { env: home.env });
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContain('the ledger adds up');
  });
});
