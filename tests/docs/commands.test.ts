import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { freePort } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
import { createShellCommand } from '../support/shell-command.ts';

const root = new URL('../..', import.meta.url).pathname;
/** Commands that install or run the tests: the continuous integration runs them. */
const notHere = /^(npm ci|npm run bench)/;

interface Outcome {
  line: string;
  code: number;
  text: string;
}

describe.each(['README.md', 'dashboard/docs/get-started.md'])('the commands of %s', (document) => {
  let reader: Reader;
  beforeEach(async () => {
    reader = await createReader();
  });
  afterEach(() => reader.stop());

  it('work as they stand, one after the other', async () => {
    const lines = commandsIn(document).filter((line) => !notHere.test(line));
    expect(lines.length).toBeGreaterThan(8);
    const outcomes: Outcome[] = [];
    for (const line of lines) outcomes.push(await reader.type(line));
    expect(outcomes.filter(({ code }) => code !== 0)).toEqual([]);
    const said = (start: string) => outcomes.find(({ line }) => line.startsWith(start))?.text;
    expect(said('tollgate demo')).toContain('the ledger adds up');
    expect(said('curl')).toContain('Hello from upstream');
    expect(said('tollgate log get')).toMatch(/charged .*= +5 /);
    expect(said('tollgate channel test')).toContain('responded in');
    expect(said('tollgate ledger verify')).toContain('the ledger adds up');
    // The page starts the program a dozen times.
  }, 180_000);
});

describe('the commands of the other pages', () => {
  it.each(['billing.md', 'explain.md', 'operate.md', 'providers.md'])(
    '%s names only what the program knows',
    async (name) => {
      for (const line of commandsIn(`dashboard/docs/${name}`)) {
        const words = line
          .replace(/^SQL_DSN=\S+ /, '')
          .replace(/<.*$/, '')
          .split(/\s+/);
        expect(words[0], line).toBe('tollgate');
        const verbs = words.slice(1).filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-'));
        // `channel key` and `channel tag` have verbs of their own.
        const depth = /^(key|tag)$/.test(verbs[1] ?? '') ? 3 : 2;
        const { code, stdout } = await runCli([...verbs.slice(0, depth), '--help']);
        expect(code, line).toBe(0);
        for (const flag of words.filter((word) => word.startsWith('--')))
          expect(stdout, line).toMatch(new RegExp(`^ +(-\\w, )?${flag}\\b`, 'm'));
      }
    },
  );
});

/** Lines of the blocks marked `sh`; a line that ends in a backslash goes on in the next. */
function commandsIn(document: string): string[] {
  const blocks = [...readFileSync(join(root, document), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)];
  return blocks
    .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.replace(/ +# .*$/, '').trim())
    .filter(Boolean);
}

interface Reader {
  type(line: string): Promise<Outcome>;
  stop(): Promise<void>;
}

/** A reader who follows a page in an empty folder, with a provider on this machine. */
async function createReader(): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-reader-'));
  const upstream: FakeUpstream = await startFakeUpstream();
  const port = await freePort();
  const commands = await createShellCommand(folder);
  const env = {
    PATH: `${commands.folder}:${process.env.PATH}`,
    TOLLGATE_HOME: join(folder, 'home'),
    LOOP_DELAY_LIMIT: '0',
    PORT: String(port),
    OPENAI_API_KEY: 'upstream-key',
    LC_ALL: 'C.UTF-8',
  };
  const home = { cwd: folder, env, extendEnv: false, reject: false } as const;
  const command = join(commands.folder, 'tollgate');
  writeFileSync(join(folder, 'key.txt'), 'upstream-key\n');
  writeFileSync(join(folder, 'password.txt'), 'correct horse battery\n');
  let key = '';
  let server: ReturnType<typeof execa> | undefined;

  async function type(line: string): Promise<Outcome> {
    if (line === 'tollgate serve') return serve(line);
    if (line.startsWith('curl ')) return fetchLikeCurl(line.replace('sk-...', key).replace(':3000', `:${port}`), env);
    const { exitCode, stdout, stderr } = await execa('sh', ['-c', line], home);
    if (line.includes('tollgate init')) {
      key = stdout.trim();
      // The page's provider is on the internet; the same channel is sent to the one of this test.
      const moved = ['channel', 'update', '1', '--base-url', upstream.url, '--keep-key'];
      await execa(command, moved, { ...home, reject: true });
    }
    return { line, code: exitCode ?? -1, text: stdout + stderr };
  }

  async function serve(line: string): Promise<Outcome> {
    server = execa(command, ['serve'], home);
    for (let tries = 0; tries < 1200; tries++) {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined); // refused until it listens
      if (response?.ok) return { line, code: 0, text: '' };
      await pause(50);
    }
    return { line, code: -1, text: 'the server does not answer' };
  }

  return {
    type,
    async stop() {
      server?.kill('SIGTERM');
      await server;
      await commands.close();
      await upstream.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The shell splits the line into words; the call itself is made here, because not every machine has curl. */
async function fetchLikeCurl(line: string, env: Record<string, string>): Promise<Outcome> {
  const shell = 'curl() { for word in "$@"; do printf "%s\\0" "$word"; done; }';
  const [url = '', ...words] = execFileSync('sh', ['-c', `${shell}; ${line}`], { env, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
  const headers: [string, string][] = [];
  let body: string | undefined;
  for (let place = 0; place < words.length; place += 2) {
    const [flag, value = ''] = words.slice(place, place + 2);
    if (flag === '-H') headers.push(value.split(/: (.*)/s).slice(0, 2) as [string, string]);
    else if (flag === '-d') body = value;
    else throw new Error(`this test does not know curl ${flag}`);
  }
  const response = await fetch(url, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
  return { line, code: response.ok ? 0 : response.status, text: await response.text() };
}
