import { hosts, networks, proxyAddress, redisAddress, webAddress } from './config/address.ts';
import { isGuessable, readCryptoSecrets } from './config/crypto-secret.ts';
import { readDataDirectory } from './config/data-directory.ts';
import { type DatabaseTarget, type ReplicaTarget, readDatabase, readReplica } from './config/database.ts';
import { readLogDatabase } from './config/log-database.ts';
import {
  createReader,
  type EnvironmentVariables,
  type Read,
  readDotEnv,
  type SettingSources,
} from './config/reader.ts';
import { readTelemetry, type TelemetryConfig, type TelemetryVariables, telemetryOf } from './config/telemetry.ts';
import { bool, bytes, choice, secret, whole } from './config/value.ts';
import { type SettingWarning, settingWarnings } from './config/warning.ts';
import { AppError, type Language } from './errors/app-error.ts';
import { localeLanguage } from './lib/locale.ts';

/** Start-up settings. A flag beats the environment, the environment beats `.env`, that beats the default. */
export interface Config {
  dataDirectory: string;
  database: DatabaseTarget;
  /** A replica for lists and reports, and how far it may be behind. */
  readReplica: ReplicaTarget | undefined;
  /** A database for the rows of the log alone; undefined = they stay in the main one. */
  logDatabase: DatabaseTarget | undefined;
  host: string;
  port: number;
  workers: number;
  redisUrl: string | undefined;
  /**
   * Secrets the encryption and hashing keys are derived from; the first encrypts, all can decrypt.
   * Empty while there is neither a setting nor the file: the key is made with the database, never by a start that is refused.
   */
  cryptoSecrets: string[];
  rootPassword: string | undefined;
  /** While root has the default password, `serve` replaces it by a random one and prints that once. */
  generateRootPassword: boolean;
  initialRootToken: string | undefined;
  initialRootAccessToken: string | undefined;
  initialChannel: string | undefined;
  /** Users who register with a password get a first token. */
  generateDefaultToken: boolean;
  /** Peers whose forwarded headers are believed (addresses or CIDR). */
  trustedProxies: string[];
  /** Private hosts an admin may point channels at. */
  upstreamPrivate: string[];
  metricsToken: string | undefined;
  relayTimeoutMs: number;
  streamingTimeoutMs: number;
  drainTimeoutMs: number;
  relayBodyLimitBytes: number;
  /** Relay calls of one process at one time. */
  relayCallLimit: number;
  /** Infinity when the event loop may be as late as it likes. */
  loopDelayLimitMs: number;
  /** Console calls of one address in so many seconds; undefined = off. */
  apiRateLimit: { calls: number; seconds: number } | undefined;
  /** The same of the dashboard's page. */
  webRateLimit: { calls: number; seconds: number } | undefined;
  /** Where a slave sends those who ask it for a page; undefined = it shows its own. */
  frontendBaseUrl: string | undefined;
  /** Between two tests or balance calls of a run over all channels. */
  pollingIntervalMs: number;
  /** How often all channels are tested and asked for their balance, 0 = never. */
  channelTestMinutes: number;
  channelUpdateMinutes: number;
  /** What one user is told of one kind in so many minutes. */
  noticeLimit: { count: number; minutes: number };
  /** A node beside a master: it serves calls and leaves the jobs to the master. */
  isSlave: boolean;
  forceStreamOption: boolean;
  relayProxy: string | undefined;
  /** Where traces and metrics go; undefined = nowhere. */
  telemetry: TelemetryConfig | undefined;
  /** What the variables of OpenTelemetry say, defaults filled in. */
  telemetryVariables: TelemetryVariables;
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  logFormat: 'json' | 'pretty';
  logDirectory: string | undefined;
  language: Language;
  /** About settings that are taken as they are; told once at start, in the language of the reader. */
  warnings: SettingWarning[];
  /** Where each setting came from, for `tollgate config show`. */
  sources: SettingSources;
}

export type ConfigFlags = Partial<
  Record<'dataDir' | 'host' | 'port' | 'workers' | 'logLevel' | 'logFormat' | 'logDir' | 'language', string>
>;

export function loadConfig(flags: ConfigFlags = {}, environment: EnvironmentVariables = readEnvironment()): Config {
  const config = readSettings(flags, environment);
  const secrets = createReader(environment, config.sources)('CRYPTO_SECRET');
  config.cryptoSecrets = readCryptoSecrets(secrets, config.dataDirectory);
  return Object.freeze(config);
}

export interface ConfigCheck {
  /** With the default in place of each wrong setting; without the keys. */
  config: Config;
  /** What `loadConfig` would end with, of each wrong setting. */
  faults: { name: string; error: AppError }[];
  /** What the file `.env` sets. */
  fileNames: string[];
  /** CRYPTO_SECRET can be guessed. */
  isWeak: boolean;
}

/** Every setting, also behind one that is wrong. Makes nothing: no folder, no key. */
export function checkConfig(
  flags: ConfigFlags = {},
  environment: EnvironmentVariables = readEnvironment(),
): ConfigCheck {
  const faults: ConfigCheck['faults'] = [];
  const fileNames = Object.keys(readDotEnv());
  for (;;) {
    try {
      const config = readSettings(flags, environment, new Set(faults.map(({ name }) => name)));
      const read = createReader(environment, config.sources, new Set(faults.map(({ name }) => name)));
      const secrets = readCryptoSecrets(read('CRYPTO_SECRET'), config.dataDirectory);
      const isWeak = config.sources.CRYPTO_SECRET !== 'default' && isGuessable(secrets);
      return { config, faults, fileNames, isWeak };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const name = error.code === 'config.databaseKind' ? 'SQL_DSN' : variableIn(String(error.details.name ?? ''));
      // A flag, or one that is left out already: there is no going on without it.
      if (!/^[A-Z]/.test(name) || faults.some((fault) => fault.name === name)) throw error;
      faults.push({ name, error });
    }
  }
}

/** Of a part of an address, as `sslmode (SQL_DSN)`, the variable that has it. */
const variableIn = (name: string): string => /\(([A-Z_]+)\)$/.exec(name)?.[1] ?? name;

/** Everything but the keys; a setting in `without` counts as not set. */
function readSettings(
  flags: ConfigFlags,
  environment: EnvironmentVariables,
  without: ReadonlySet<string> = new Set(),
): Config {
  const sources: SettingSources = {};
  const read = createReader(environment, sources, without);
  const language = readLanguage(flags.language, environment);
  const dataDirectory = readDataDirectory(read, environment, flags.dataDir);
  const telemetryVariables = readTelemetry(read);
  const database = readDatabase(read, dataDirectory);
  const config: Config = {
    dataDirectory,
    database,
    readReplica: readReplica(read),
    logDatabase: readLogDatabase(read, dataDirectory, database),
    host: read('HOST', flags.host) ?? '127.0.0.1',
    port: whole('PORT', read('PORT', flags.port), 3000, 0, 65_535),
    workers: whole('--workers', flags.workers, 1, 1, 64),
    redisUrl: redisAddress(read('REDIS_CONN_STRING')),
    cryptoSecrets: [],
    rootPassword: read('TOLLGATE_ROOT_PASSWORD'),
    generateRootPassword: bool('GENERATE_ROOT_PASSWORD', read('GENERATE_ROOT_PASSWORD'), false),
    initialRootToken: secret('INITIAL_ROOT_TOKEN', read('INITIAL_ROOT_TOKEN'), 'tokenKey'),
    initialRootAccessToken: secret('INITIAL_ROOT_ACCESS_TOKEN', read('INITIAL_ROOT_ACCESS_TOKEN'), 'accessToken'),
    initialChannel: read('INITIAL_CHANNEL'),
    generateDefaultToken: bool('GENERATE_DEFAULT_TOKEN', read('GENERATE_DEFAULT_TOKEN'), false),
    trustedProxies: networks('TRUSTED_PROXIES', read('TRUSTED_PROXIES')),
    upstreamPrivate: hosts('UPSTREAM_PRIVATE', read('UPSTREAM_PRIVATE')),
    metricsToken: read('METRICS_TOKEN'),
    relayTimeoutMs: 1000 * whole('RELAY_TIMEOUT', read('RELAY_TIMEOUT'), 3600, 0, 86_400),
    streamingTimeoutMs: 1000 * whole('STREAMING_TIMEOUT', read('STREAMING_TIMEOUT'), 60, 1, 86_400),
    drainTimeoutMs: 1000 * whole('DRAIN_TIMEOUT', read('DRAIN_TIMEOUT'), 25, 0, 3600),
    relayBodyLimitBytes: bytes('RELAY_BODY_LIMIT', read('RELAY_BODY_LIMIT'), 32 * 1024 * 1024),
    relayCallLimit: whole('RELAY_CALL_LIMIT', read('RELAY_CALL_LIMIT'), 5000, 1, 1_000_000),
    loopDelayLimitMs: whole('LOOP_DELAY_LIMIT', read('LOOP_DELAY_LIMIT'), 250, 0, 60_000) || Number.POSITIVE_INFINITY,
    apiRateLimit: readRateLimit('GLOBAL_API_RATE_LIMIT', 180, read),
    webRateLimit: readRateLimit('GLOBAL_WEB_RATE_LIMIT', 60, read),
    frontendBaseUrl: webAddress('FRONTEND_BASE_URL', read('FRONTEND_BASE_URL')),
    pollingIntervalMs: 1000 * whole('POLLING_INTERVAL', read('POLLING_INTERVAL'), 0, 0, 3600),
    channelTestMinutes: whole('CHANNEL_TEST_FREQUENCY', read('CHANNEL_TEST_FREQUENCY'), 0, 0, 43_200),
    channelUpdateMinutes: whole('CHANNEL_UPDATE_FREQUENCY', read('CHANNEL_UPDATE_FREQUENCY'), 0, 0, 43_200),
    noticeLimit: {
      count: whole('NOTIFY_LIMIT_COUNT', read('NOTIFY_LIMIT_COUNT'), 2, 1, 1000),
      minutes: whole('NOTIFICATION_LIMIT_DURATION_MINUTE', read('NOTIFICATION_LIMIT_DURATION_MINUTE'), 10, 1, 10_080),
    },
    isSlave: choice('NODE_TYPE', read('NODE_TYPE'), 'master', ['master', 'slave']) === 'slave',
    forceStreamOption: bool('FORCE_STREAM_OPTION', read('FORCE_STREAM_OPTION'), true),
    relayProxy: proxyAddress('RELAY_PROXY', read('RELAY_PROXY')),
    telemetry: telemetryOf(telemetryVariables),
    telemetryVariables,
    logLevel: choice('LOG_LEVEL', read('LOG_LEVEL', flags.logLevel), 'info', [
      'debug',
      'info',
      'warn',
      'error',
      'silent',
    ]),
    logFormat: choice('LOG_FORMAT', read('LOG_FORMAT', flags.logFormat), process.stdout.isTTY ? 'pretty' : 'json', [
      'json',
      'pretty',
    ]),
    logDirectory: flags.logDir,
    language,
    warnings: settingWarnings(read, telemetryVariables),
    sources,
  };
  if (config.workers > 1 && config.database.engine === 'sqlite') {
    throw new AppError('config.workersNeedPostgres');
  }
  if (config.readReplica && config.database.engine === 'sqlite') {
    throw new AppError('config.readNeedsPostgres', { name: 'SQL_READ_DSN' });
  }
  return config;
}

/** Where the database is or would be. Unlike `loadConfig` it makes nothing: no folder, no key. */
export function locateDatabase({ dataDir }: ConfigFlags = {}, environment = readEnvironment()): DatabaseTarget {
  const read = createReader(environment, {});
  const directory = readDataDirectory(read, environment, dataDir);
  return readDatabase(read, directory);
}

function readEnvironment(): EnvironmentVariables {
  return process.env;
}

function readRateLimit(name: string, defaultCalls: number, read: Read): Config['apiRateLimit'] {
  const isOn = bool(`${name}_ENABLE`, read(`${name}_ENABLE`), true);
  const calls = whole(name, read(name), defaultCalls, 1, 1_000_000);
  const seconds = whole(`${name}_DURATION`, read(`${name}_DURATION`), 180, 1, 86_400);
  return isOn ? { calls, seconds } : undefined;
}

function readLanguage(flag: string | undefined, environment: EnvironmentVariables): Language {
  if (flag !== undefined) return choice('--language', flag, 'en', ['zh', 'en']);
  return localeLanguage(environment);
}
