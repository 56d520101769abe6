import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Sequelize } from 'sequelize';
import { freePort } from '../support/postgres.ts';
import { benchModel } from './calls.ts';
import { register, stopChild } from './child.ts';

/** What the gateway sends upstream; how the fake upstream tells its calls from the bare ones. */
export const upstreamKey = 'bench-upstream-key';

export interface RunningServer {
  pid: number;
  port: number;
  stop(): Promise<void>;
}

export interface InstalledGateway {
  /** A user's API key, made by `tollgate init`. */
  key: string;
  /** `startMs` runs from the spawn to the first good response of /healthz. */
  start(...words: string[]): Promise<RunningServer & { startMs: number }>;
  /** Another command line on the same data; its output. */
  run(words: string[], input?: string): Promise<string>;
  helpMs(): Promise<number>;
  /** Undefined when the ledger adds up, else what the command said. */
  verifyLedger(): Promise<string | undefined>;
  countRows(usage: { prompt: number; completion: number }): Promise<RowCount>;
  remove(): void;
}

interface RowCount {
  rows: number;
  /** Rows with other token counts than every response of the benchmark has, or without a charge. */
  wronglyBilled: number;
}

interface GatewayOptions {
  binary: string;
  upstreamUrl: string;
  /** PostgreSQL; SQLite in the data directory otherwise. */
  sqlDsn?: string;
  environment?: Record<string, string>;
}

/** An installation of its own in a temporary data directory, with the settings a new user would have. */
export async function installGateway({
  binary,
  upstreamUrl,
  sqlDsn,
  environment: extra,
}: GatewayOptions): Promise<InstalledGateway> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  const environment = {
    PATH: process.env.PATH,
    LC_ALL: 'C.UTF-8',
    HOME: directory,
    TOLLGATE_HOME: directory,
    TOLLGATE_ROOT_PASSWORD: randomBytes(9).toString('base64url'),
    UPSTREAM_PRIVATE: '127.0.0.1',
    ...(sqlDsn ? { SQL_DSN: sqlDsn } : {}),
    ...extra,
  };
  const command = (words: string[], input = '') => runCommand([binary, ...words], { environment, directory, input });
  const words = ['init', '--no-input', '--type', 'openai', '--base-url', upstreamUrl, '--key-stdin', '--json'];
  const made = await command([...words, '--models', benchModel], `${upstreamKey}\n`);
  const key = made.code === 0 ? findKey(JSON.parse(made.output)) : undefined;
  if (!key) throw new Error(`tollgate init gave no token key (exit ${made.code}): ${made.output}${made.errors}`);

  return {
    key,
    start: (...more) => startServer({ binary, environment, directory, words: more }),
    async run(more, input) {
      const { code, output, errors } = await command(more, input);
      if (code !== 0) throw new Error(`tollgate ${more.join(' ')}: exit ${code}: ${output}${errors}`);
      return output;
    },
    helpMs: async () => (await command(['--help'])).milliseconds,
    verifyLedger: async () => {
      const { code, output, errors } = await command(['ledger', 'verify', '--json']);
      return code === 0 ? undefined : `exit ${code}: ${output}${errors}`;
    },
    countRows: (usage) => countRows(sqlDsn ?? join(directory, 'tollgate.db'), usage),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

interface Place {
  environment: NodeJS.ProcessEnv;
  directory: string;
}

async function startServer({
  binary,
  environment,
  directory,
  words: more,
}: Place & { binary: string; words: string[] }) {
  const port = await freePort();
  const log = join(directory, 'server.log');
  const sink = openSync(log, 'a');
  const startedAt = performance.now();
  const words = [binary, 'serve', '--port', String(port), ...more];
  const options = { env: environment, cwd: directory, stdio: ['ignore' as const, sink, sink] };
  const child = register(spawn(process.execPath, words, options));
  closeSync(sink);
  try {
    await waitUntilHealthy(child, port);
  } catch (error) {
    throw new Error(`tollgate serve: ${String(error)}\n${readFileSync(log, 'utf8').slice(-2000)}`, { cause: error });
  }
  const startMs = performance.now() - startedAt;
  return { pid: child.pid ?? 0, port, startMs, stop: () => stopChild(child, 'SIGTERM') };
}

async function waitUntilHealthy(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`ended with exit ${child.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined); // not listening yet
    if (response?.ok) return;
    await wait(5);
  }
  throw new Error('no good answer of /healthz in 30 s');
}

interface CommandResult {
  code: number;
  output: string;
  errors: string;
  milliseconds: number;
}

function runCommand(
  words: string[],
  { environment, directory, input }: Place & { input: string },
): Promise<CommandResult> {
  const startedAt = performance.now();
  return new Promise((done) => {
    const options = { env: environment, cwd: directory, timeout: 120_000, maxBuffer: 16 * 1024 * 1024 };
    const child = execFile(process.execPath, words, options, (error, output, errors) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      done({ code, output, errors, milliseconds: performance.now() - startedAt });
    });
    register(child);
    child.stdin?.on('error', () => undefined); // a command that reads no input may be gone before it is written
    child.stdin?.end(input);
  });
}

function findKey(value: unknown): string | undefined {
  if (typeof value === 'string') return /^sk-[A-Za-z0-9_-]{16,}$/.test(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const member of Object.values(value)) {
    const key = findKey(member);
    if (key) return key;
  }
  return undefined;
}

/** Read from the database itself, past everything that is measured. Type 2 is a consumption row. */
async function countRows(place: string, usage: { prompt: number; completion: number }): Promise<RowCount> {
  const database = place.startsWith('postgres')
    ? new Sequelize(place, { logging: false })
    : new Sequelize({ dialect: 'sqlite', storage: place, logging: false });
  try {
    const right = `prompt_tokens = ${usage.prompt} AND completion_tokens = ${usage.completion} AND quota > 0`;
    const [[row]] = await database.query(
      `SELECT COUNT(*) AS rows_written, COALESCE(SUM(CASE WHEN ${right} THEN 0 ELSE 1 END), 0) AS wrong_rows
       FROM logs WHERE type = 2`,
    );
    const { rows_written, wrong_rows } = row as { rows_written: number | string; wrong_rows: number | string };
    return { rows: Number(rows_written), wronglyBilled: Number(wrong_rows) };
  } finally {
    await database.close();
  }
}
