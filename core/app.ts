import { accessSync, constants, existsSync } from 'node:fs';
import { migrations } from '../migrations/index.ts';
import { warn } from './app/installation.ts';
import { reportReplica } from './app/replica-report.ts';
import { createServices, type Services } from './app/services.ts';
import { checkSqliteFile } from './billing/check-sqlite.ts';
import { createLedger, type Ledger } from './billing/ledger.ts';
import { ensureSecrets } from './config/crypto-secret.ts';
import type { Config } from './config.ts';
import { type ChangeFeed, openChangeFeed } from './database/change-feed.ts';
import { connect, type Database, withLogHome } from './database/connect.ts';
import { createDatabaseClock } from './database/database-clock.ts';
import { followChanges } from './database/follow-changes.ts';
import { createLogStore, type LogStore, requireWholeLog } from './database/log-store.ts';
import { migrate, requireSchema } from './database/migrate.ts';
import { requireNotMoved } from './database/move-mark.ts';
import { requireOneDatabase } from './database/pooler.ts';
import { createReportDatabase, type ReportDatabase } from './database/report-database.ts';
import { AppError } from './errors/app-error.ts';
import { type Authorizer, createAuthorizer } from './integrations/credential/authorizer.ts';
import type { Endpoint } from './integrations/outbound/address-rules.ts';
import { createOutbound, type Outbound } from './integrations/outbound/outbound.ts';
import { publicSignInEndpoints, type SignInEndpoints } from './integrations/sign-in-endpoint.ts';
import type { Clock } from './lib/clock.ts';
import { createLogger, type Logger } from './lib/logger.ts';
import { makeFolder } from './lib/make-folder.ts';
import { lastMailMs, lastWriteMs, waitAtMost } from './lib/patience.ts';
import { createSecretBox, type SecretBox } from './lib/secret-box.ts';
import { refuseRootPassword } from './services/account/password.ts';

/** The installation as server, command line and terminal UI share it: one database, one ledger, one set of services. */
export interface App {
  config: Config;
  logger: Logger;
  database: Database;
  /** Where lists and reports are read; a server follows the replica, a command reads the primary. */
  reports: ReportDatabase;
  /** The database for the rows of the log alone, where there is one. */
  logStore: LogStore;
  feed: ChangeFeed;
  ledger: Ledger;
  secretBox: SecretBox;
  /** Endpoints of ours that no outbound call may reach; read at every check, the server adds its own port. */
  ownEndpoints: Endpoint[];
  outbound: Outbound;
  authorizer: Authorizer;
  services: Services;
  /** Unix seconds, the same on every node. */
  now: Clock;
  close(): Promise<void>;
}

export interface AppOptions {
  /** In place of the public sign-in services. */
  signInEndpoints?: SignInEndpoints;
  /** False: an older schema is refused instead of brought up to date. */
  mayMigrate?: boolean;
  /** For commands that set again what cannot be decrypted. */
  mayMissSecrets?: boolean;
  /** In place of this machine's clock, in milliseconds. */
  nodeMs?: () => number;
}

/** Opens the installation, brings its schema up to date and makes sure that a root account exists. */
export async function createApp(
  config: Config,
  { signInEndpoints = publicSignInEndpoints, mayMigrate = true, mayMissSecrets = false, nodeMs }: AppOptions = {},
): Promise<App> {
  // Before anything is made: a database that is there passes for an installation, and its password is not asked for again.
  if (isFirstStart(config)) refuseRootPassword(config.rootPassword);
  makeFolder(config.dataDirectory);
  // Said before anything else fails for it.
  accessSync(config.dataDirectory, constants.W_OK);
  const logger = openLogger(config);
  if (config.database.engine === 'sqlite') await checkSqliteFile(config.database.file, config);
  await (mayMigrate ? migrate : requireSchema)(config.database, migrations, {
    onWait: () =>
      logger.log('warn', 'waiting: another process changes the schema of this database, or has not ended', {}),
  });
  if (config.database.engine === 'postgres') await requireOneDatabase(config.database);
  const opened: (() => Promise<void>)[] = [];
  try {
    const main = await connect(config.database);
    opened.push(() => main.close());
    await requireNotMoved(main);
    await requireWholeLog(main, config.logDatabase);
    const logStore = createLogStore({ main, target: config.logDatabase, migrations });
    opened.push(() => logStore.close());
    const database = withLogHome(main, logStore.homeOf);
    const reports = createReportDatabase({
      primary: database,
      replica: config.readReplica,
      logHomeOf: logStore.homeOf,
      onChange: (state) => reportReplica(logger, state),
    });
    opened.push(() => reports.close());
    const feed = await openChangeFeed(config.database, warn(logger, 'changes of other processes could not be read'));
    opened.push(() => feed.close());
    const secretBox = createSecretBox(ensureSecrets(config));
    const ledger = await createLedger({
      database: config.database,
      logDatabase: config.logDatabase,
      keyIds: secretBox.keyIds,
      dataDirectory: config.dataDirectory,
      log: (level, fields, text) => logger.log(level, text, fields as Record<string, string>),
    });
    opened.push(() => ledger.close());
    const ownEndpoints = closedEndpoints(config);
    const addressRules = { upstreamPrivate: config.upstreamPrivate, closedEndpoints: ownEndpoints };
    const outbound = createOutbound({ rules: addressRules, isClosed: () => database.rehearsal() !== undefined });
    opened.push(() => outbound.close());
    const authorizer = createAuthorizer({ outbound });
    const clock = await createDatabaseClock({
      database,
      nodeMs,
      onError: warn(logger, 'the clock of the database could not be read'),
    });
    opened.push(async () => clock.close());
    const { now } = clock;
    const services = createServices({
      now,
      config,
      logger,
      database,
      reports,
      ledger,
      secretBox,
      addressRules,
      outbound,
      authorizer,
      signInEndpoints,
    });
    await followChanges(feed, {
      subjects: ['options'],
      read: () => services.options.load({ mayMissSecrets }),
      onError: warn(logger, 'options could not be read again'),
    });
    await services.rootAccount.ensure(config);
    feed.subscribe((subject) => {
      if (subject === 'abilities' || subject === 'channels') services.servedModels.forget();
    });
    opened.push(() => waitAtMost(lastMailMs, services.mailer.close()));
    opened.push(() => {
      const { channelNotice, ledgerNotice, syncNotice } = services;
      return waitAtMost(lastMailMs, Promise.all([channelNotice.close(), ledgerNotice.close(), syncNotice.close()]));
    });
    // Upstreams are not asked any more once the door to them is to be shut.
    opened.push(() =>
      waitAtMost(lastWriteMs, Promise.all([services.channelChecks.stop(), services.channelBalances.stop()])),
    );
    const close = async () => {
      for (const step of opened.reverse()) await step();
      logger.flush();
    };
    return {
      config,
      logger,
      database,
      reports,
      logStore,
      feed,
      ledger,
      secretBox,
      ownEndpoints,
      outbound,
      authorizer,
      services,
      now,
      close,
    };
  } catch (error) {
    for (const step of opened.reverse()) await step().catch(() => undefined);
    throw error;
  }
}

function openLogger({ logLevel, logFormat, logDirectory }: Config): Logger {
  try {
    return createLogger({ level: logLevel, format: logFormat, directory: logDirectory });
  } catch (error) {
    if (logDirectory === undefined) throw error;
    const { code: reason, message } = error as NodeJS.ErrnoException;
    throw new AppError('serve.logFolder', { path: logDirectory, reason: reason ?? message }, { cause: error });
  }
}

/** On PostgreSQL the database is there before. */
const isFirstStart = ({ database }: Config): boolean => database.engine === 'sqlite' && !existsSync(database.file);

/** Our own stores must not be called as upstreams. */
function closedEndpoints({ database, readReplica, logDatabase, redisUrl }: Config): Endpoint[] {
  const main = database.engine === 'postgres' ? [database.url, database.directUrl] : [];
  const log = logDatabase?.engine === 'postgres' ? logDatabase.url : undefined;
  const urls = [...main, readReplica?.url, log, redisUrl];
  return urls
    .filter((url) => url !== undefined)
    .filter((url) => URL.canParse(url))
    .map((text) => {
      const url = new URL(text);
      const defaultValue = url.protocol.startsWith('redis') ? 6379 : 5432;
      return { host: url.hostname, port: Number(url.port) || defaultValue };
    });
}
