import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, variablesWithoutEffect } from '../../core/config.ts';
import { runCli } from '../support/run-cli.ts';
import { code, markdownTable } from './markdown.ts';

/** What each variable means; its default comes from the program, unless that depends on the machine. */
const meanings: Record<string, { says: string; fallback?: string }> = {
  TOLLGATE_HOME: {
    says: 'Data folder. `--data-dir` wins.',
    fallback:
      '`$XDG_DATA_HOME/tollgate` or `~/.local/share/tollgate` (Linux), `~/Library/Application Support/tollgate` (macOS), `%APPDATA%\\tollgate` (Windows)',
  },
  SQL_DSN: { says: '`postgres://user:password@host/database`. Empty: SQLite.' },
  SQLITE_PATH: { says: 'SQLite file; a relative path is looked for in the data folder.', fallback: '`tollgate.db`' },
  HOST: { says: 'Address to listen on. While root has the default password only loopback is accepted.' },
  PORT: { says: 'Port to listen on; 0 takes any free one.' },
  CRYPTO_SECRET: {
    says: 'What stored secrets are encrypted with. Several, separated by commas: the first encrypts, all decrypt. Every process on the same database needs the same.',
    fallback: 'the file `master.key` in the data folder, made at the first start',
  },
  TOLLGATE_ROOT_PASSWORD: { says: 'Password of `root`, used when the account is made.', fallback: '`123456`' },
  GENERATE_ROOT_PASSWORD: {
    says: 'While root has the default password, `serve` sets a random one and prints it once. The container image turns this on.',
  },
  INITIAL_ROOT_TOKEN: {
    says: 'API key that root gets when no token has it yet: 16 to 128 letters and digits, with or without `sk-`.',
  },
  INITIAL_ROOT_ACCESS_TOKEN: { says: 'Console access token of root, set while root has none.' },
  INITIAL_CHANNEL: {
    says: 'First channel as JSON (`type`, `key`, `models`, and any other field of a channel), made while there is none.',
  },
  GENERATE_DEFAULT_TOKEN: { says: 'Whoever registers with a password gets a first, unlimited token.' },
  TRUSTED_PROXIES: {
    says: 'Addresses or networks of your reverse proxies, separated by commas: only their `X-Forwarded-For` is believed.',
  },
  UPSTREAM_PRIVATE: {
    says: 'Private hosts that admins may point channels at: names, addresses or networks, separated by commas. The command line acts as root and may use any.',
  },
  METRICS_TOKEN: {
    says: 'Whoever sends it as `Authorization: Bearer ...` may read `/metrics`; without it only callers on this machine, and not through a proxy, may.',
  },
  RELAY_TIMEOUT: { says: 'Longest duration of a whole call in seconds; 0 is no limit.' },
  STREAMING_TIMEOUT: {
    says: 'Longest silence of an upstream in the middle of an answer, in seconds. An answer that brings no content for five times as long, only signs of life, is ended too.',
  },
  DRAIN_TIMEOUT: { says: 'How long calls under way may run on after SIGTERM, in seconds.' },
  RELAY_BODY_LIMIT: {
    says: 'Largest JSON body of a relay call: bytes, or a number with KiB, MiB or GiB. Forms may be twice as large.',
    fallback: '`32MiB`',
  },
  RELAY_CALL_LIMIT: { says: 'Relay calls one process serves at a time; more are told to come back (503).' },
  LOOP_DELAY_LIMIT: {
    says: 'How late the event loop may come, in milliseconds, before new relay calls are told to come back (503): twice in a row, or once four times as late. 0 is never.',
  },
  REDIS_CONN_STRING: {
    says: '`redis://user:password@host:6379/0`, or `rediss://` for TLS: rate limits are shared by all processes that name it. Nothing waits for it; without it each process keeps limits of its own.',
  },
  GLOBAL_API_RATE_LIMIT_ENABLE: { says: 'Limit the console calls of one address.' },
  GLOBAL_API_RATE_LIMIT: {
    says: 'Console calls of one address (IPv6: of one /64) in a window, signed out; a signed-in user has 20 times as many, wherever they come from.',
  },
  GLOBAL_API_RATE_LIMIT_DURATION: { says: 'That window in seconds.' },
  GLOBAL_WEB_RATE_LIMIT_ENABLE: { says: 'Limit how often one address may ask for a page of the dashboard.' },
  GLOBAL_WEB_RATE_LIMIT: {
    says: 'Pages of one address (IPv6: of one /64) in a window; a signed-in user has 20 times as many, files of the dashboard are free.',
  },
  GLOBAL_WEB_RATE_LIMIT_DURATION: { says: 'That window in seconds.' },
  FRONTEND_BASE_URL: { says: 'On a slave: where browsers that ask for a page are sent instead.' },
  POLLING_INTERVAL: { says: 'Pause between two channels when all are tested or all balances are read, in seconds.' },
  CHANNEL_TEST_FREQUENCY: { says: 'Minutes between tests of all channels; 0 is never.' },
  CHANNEL_UPDATE_FREQUENCY: { says: 'Minutes between readings of all channel balances; 0 is never.' },
  NOTIFY_LIMIT_COUNT: { says: 'How often one user is told of one kind of event by mail or webhook in a window.' },
  NOTIFICATION_LIMIT_DURATION_MINUTE: { says: 'That window in minutes.' },
  NODE_TYPE: {
    says: '`master` or `slave`. A slave runs no jobs; of several masters each job runs on one at a time, so a slave is only needed where that is wanted.',
  },
  FORCE_STREAM_OPTION: { says: 'Ask upstreams for the usage of a stream although the client did not.' },
  RELAY_PROXY: { says: 'Proxy for upstream calls of channels that name none: `http://`, `https://` or `socks5://`.' },
  LOG_LEVEL: { says: '`debug`, `info`, `warn`, `error` or `silent`.' },
  LOG_FORMAT: { says: '`json` or `pretty`.', fallback: '`pretty` on a terminal, else `json`' },
};

/** Names that an environment made for one-api may still hold. */
export function idleVariables(): string {
  return [...variablesWithoutEffect].map(code).join(', ');
}

export async function environmentTable(): Promise<string> {
  const { names, defaults } = await readDefaults();
  const unknown = [...names].filter((name) => !meanings[name]);
  const gone = Object.keys(meanings).filter((name) => !names.has(name));
  if (unknown.length + gone.length > 0) throw new Error(`to explain: ${unknown.join()}; not read: ${gone.join()}`);
  return markdownTable(
    ['Variable', 'Default', 'Meaning'],
    Object.entries(meanings).map(([name, { says, fallback }]) => [
      code(name),
      fallback ?? code(defaults.get(name) ?? ''),
      says,
    ]),
  );
}

/** The names the program asks the environment for, and what it takes where there is nothing. */
async function readDefaults(): Promise<{ names: Set<string>; defaults: Map<string, string> }> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-docs-'));
  try {
    const { sources } = loadConfig({}, { TOLLGATE_HOME: directory });
    const without: readonly string[] = variablesWithoutEffect;
    const { stdout } = await runCli('config show --json', { env: { TOLLGATE_HOME: directory } });
    const { items } = JSON.parse(stdout) as { items: { name: string; value: string }[] };
    return {
      names: new Set(Object.keys(sources).filter((name) => !without.includes(name))),
      defaults: new Map(items.map(({ name, value }) => [name, value])),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
