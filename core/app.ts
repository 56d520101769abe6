import { accessSync, constants, mkdirSync } from 'node:fs';
import { migrations } from '../migrations/index.ts';
import { checkSqliteFile } from './billing/check-sqlite.ts';
import { createLedger, type Ledger } from './billing/ledger.ts';
import { type Config, ensureSecrets } from './config.ts';
import { type ChangeFeed, openChangeFeed } from './database/change-feed.ts';
import { connect, type Database } from './database/connect.ts';
import { createDatabaseClock } from './database/database-clock.ts';
import { migrate, requireSchema } from './database/migrate.ts';
import { type Authorizer, createAuthorizer } from './integrations/credential/authorizer.ts';
import { createMailer } from './integrations/mail/mailer.ts';
import { type AddressRules, checkChannelBaseUrl, type Endpoint } from './integrations/outbound/address-rules.ts';
import { createOutbound, type Outbound } from './integrations/outbound/outbound.ts';
import { publicSignInEndpoints, type SignInEndpoints } from './integrations/sign-in-endpoint.ts';
import { createJobLocks } from './jobs/job-lock.ts';
import { createRunLocks } from './jobs/run-lock.ts';
import type { Clock } from './lib/clock.ts';
import { createLogger, type Logger } from './lib/logger.ts';
import { createSecretBox, type SecretBox } from './lib/secret-box.ts';
import { createProbe } from './relay/probe/probe.ts';
import { createAbilityService } from './services/ability.ts';
import { createAccountService } from './services/account/account.ts';
import { createCodeService } from './services/account/code.ts';
import { createFirstToken } from './services/account/first-token.ts';
import { createPasswordResetService } from './services/account/password-reset.ts';
import { createRegistrationService } from './services/account/registration.ts';
import { createRootAccountService } from './services/account/root-account.ts';
import { createSetupService } from './services/account/setup.ts';
import { createAuditService } from './services/audit.ts';
import { createChannelBalanceService } from './services/channel/balance.ts';
import { createChannelService } from './services/channel/channel.ts';
import { createChannelCheckService } from './services/channel/check.ts';
import { createChannelModelService } from './services/channel/model.ts';
import { createChannelNotice } from './services/channel/notice.ts';
import { createRunProgress } from './services/channel/run-progress.ts';
import { createGroupService } from './services/group/group.ts';
import { createGroupSettings } from './services/group/setting.ts';
import { createUserGroups } from './services/group/user-group.ts';
import { createLedgerNotice } from './services/ledger/ledger-notice.ts';
import { createStraySettlementService } from './services/ledger/stray-settlement.ts';
import { createLogService } from './services/log/log.ts';
import { createModelService } from './services/model/model.ts';
import { createModelSettings } from './services/model/model-setting.ts';
import { createServedModels } from './services/model/served-model.ts';
import { createNoticeDelivery } from './services/notice/delivery.ts';
import { mailSettings } from './services/notice/mail-settings.ts';
import { createMailTestService } from './services/notice/mail-test.ts';
import { createNoticeService } from './services/notice/notice.ts';
import { createQuotaReminder } from './services/notice/quota-reminder.ts';
import { createOptionService } from './services/option/option.ts';
import { createOptionTransfer } from './services/option/transfer.ts';
import { createPriceList } from './services/pricing/price-list.ts';
import { createPriceSettings } from './services/pricing/price-setting.ts';
import { createPricing, rateTablesOf } from './services/pricing/pricing.ts';
import { createRehearsalService } from './services/rehearsal.ts';
import { createFreshSessions } from './services/sign-in/fresh-session.ts';
import { createHumanCheck } from './services/sign-in/human-check.ts';
import { createOutsideSignIn } from './services/sign-in/outside-sign-in.ts';
import { createSignInProviders } from './services/sign-in/providers.ts';
import { createSessionService } from './services/sign-in/session.ts';
import { createOwnerCheck, createStepUp } from './services/sign-in/step-up.ts';
import { createTwoFactorService } from './services/sign-in/two-factor.ts';
import { createStoredResponseService } from './services/stored-response.ts';
import { createTaskCancel } from './services/task/cancel.ts';
import { createDrawingService } from './services/task/drawing.ts';
import { createDrawingLinks } from './services/task/drawing-link.ts';
import { createTaskEvents } from './services/task/event.ts';
import { createTaskNotices } from './services/task/notice.ts';
import { createTaskProgress } from './services/task/progress.ts';
import { createTaskStore } from './services/task/store.ts';
import { createTaskService } from './services/task/task.ts';
import { createTaskVendor } from './services/task/vendor.ts';
import { createTokenService } from './services/token/token.ts';
import { createUsageDataService } from './services/usage/usage-data.ts';
import { createUsageReportService } from './services/usage/usage-report.ts';
import { createSelfService } from './services/user/self.ts';
import { createUserStore } from './services/user/store.ts';
import { createUserService } from './services/user/user.ts';
import { createRedemptionService } from './services/wallet/redemption.ts';
import { createTopUpService } from './services/wallet/top-up.ts';
import { createWalletService } from './services/wallet/wallet.ts';
import { midjourneyTask } from './wire/midjourney/index.ts';
import { videoTask } from './wire/openai-video/index.ts';
import { sunoTask } from './wire/suno/index.ts';

export type Services = ReturnType<typeof createServices>;

/** The installation as server, command line and terminal UI share it: one database, one ledger, one set of services. */
export interface App {
  config: Config;
  logger: Logger;
  database: Database;
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

/** How long a run over all channels stays alone when its process has died. */
const runSeconds = 60;

export interface AppOptions {
  /** In place of the public sign-in services. */
  signInEndpoints?: SignInEndpoints;
  /** False: an older schema is refused instead of brought up to date. */
  mayMigrate?: boolean;
  /** In place of this machine's clock, in milliseconds. */
  nodeMs?: () => number;
}

/** Opens the installation, brings its schema up to date and makes sure that a root account exists. */
export async function createApp(
  config: Config,
  { signInEndpoints = publicSignInEndpoints, mayMigrate = true, nodeMs }: AppOptions = {},
): Promise<App> {
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 });
  // Said before anything else fails for it.
  accessSync(config.dataDirectory, constants.W_OK);
  const logger = createLogger({ level: config.logLevel, format: config.logFormat, directory: config.logDirectory });
  if (config.database.engine === 'sqlite') await checkSqliteFile(config.database.file, config);
  await (mayMigrate ? migrate : requireSchema)(config.database, migrations);
  const opened: (() => Promise<void>)[] = [];
  try {
    const database = await connect(config.database);
    opened.push(() => database.close());
    const onError = (text: string) => (error: unknown) => logger.log('warn', text, {}, error);
    const feed = await openChangeFeed(config.database, onError('changes of other processes could not be read'));
    opened.push(() => feed.close());
    const secretBox = createSecretBox(ensureSecrets(config));
    const ledger = await createLedger({
      database: config.database,
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
      onError: onError('the clock of the database could not be read'),
    });
    opened.push(async () => clock.close());
    const { now } = clock;
    const services = createServices({
      now,
      config,
      logger,
      database,
      ledger,
      secretBox,
      addressRules,
      outbound,
      authorizer,
      signInEndpoints,
    });
    await services.options.load();
    await services.rootAccount.ensure(config);
    followOptions(feed, services, onError('options could not be read again'));
    feed.subscribe((subject) => {
      if (subject === 'abilities' || subject === 'channels') services.servedModels.forget();
    });
    opened.push(async () => services.mailer.close());
    opened.push(() => services.channelNotice.close());
    opened.push(() => services.ledgerNotice.close());
    opened.push(async () => {
      // Upstreams are not asked any more once the door to them is to be shut.
      await Promise.all([services.channelChecks.stop(), services.channelBalances.stop()]);
    });
    const close = async () => {
      for (const step of opened.reverse()) await step();
      logger.flush();
    };
    return {
      config,
      logger,
      database,
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

interface ServiceDependencies {
  now: Clock;
  config: Config;
  logger: Logger;
  database: Database;
  ledger: Ledger;
  secretBox: SecretBox;
  addressRules: AddressRules;
  outbound: Outbound;
  authorizer: Authorizer;
  signInEndpoints: SignInEndpoints;
}

function createServices({
  now,
  signInEndpoints,
  outbound,
  authorizer,
  config,
  logger,
  database,
  ledger,
  secretBox,
  addressRules,
}: ServiceDependencies) {
  const audit = createAuditService({ now, database });
  const checkAddress = (address: string, privateAllowed: boolean) =>
    checkChannelBaseUrl(address, privateAllowed ? 'operatorPrivate' : 'operator', addressRules);
  const options = createOptionService({
    now,
    database,
    secretBox,
    audit,
    checkAddress: (address) => void checkAddress(address, true),
  });
  const groups = createGroupService({ options });
  const logs = createLogService({ now, database, secretBox, audit });
  const usageData = createUsageDataService({ now, database });
  const drawingLinks = createDrawingLinks({ now, secretBox, options });
  const drawings = createDrawingService({ database, links: drawingLinks });
  const kinds = [sunoTask, midjourneyTask, videoTask];
  const tasks = createTaskService({ database, kinds });
  const taskStore = createTaskStore({ database });
  const taskVendor = createTaskVendor({ database, secretBox, outbound, proxy: config.relayProxy });
  const taskProgress = createTaskProgress({
    now,
    database,
    store: taskStore,
    vendor: taskVendor,
    kinds,
    onError: (error) => logger.log('warn', 'an upstream could not be asked about its tasks', {}, error),
  });
  const accounts = createAccountService({ now, database, options, logs, audit });
  const userStore = createUserStore({ database, audit });
  const users = createUserService({
    now,
    database,
    store: userStore,
    accounts,
    groups,
    logs,
    audit,
  });
  const codes = createCodeService({ now, database, secretBox });
  const tokens = createTokenService({ now, database, secretBox, groups, audit });
  const abilities = createAbilityService({ database });
  const channels = createChannelService({ now, database, secretBox, abilities, options, audit, checkAddress });
  const stepUp = createStepUp({ now, database, secretBox, audit });
  const freshSessions = createFreshSessions({ now, database, requirePassword: stepUp });
  const requireOwner = createOwnerCheck({ database, requirePassword: stepUp, freshSessions });
  const self = createSelfService({ now, database, store: userStore, secretBox, options, codes, audit, requireOwner });
  const twoFactors = createTwoFactorService({ now, database, secretBox, options, audit, requirePassword: stepUp });
  const sessions = createSessionService({ now, database, secretBox, options, audit, twoFactors });
  const rootAccount = createRootAccountService({ database, secretBox, ledger, accounts, tokens, audit });
  const { weChat, turnstile, ...providers } = createSignInProviders({ outbound, options, endpoints: signInEndpoints });
  const humanCheck = createHumanCheck({ now, options, secretBox, turnstile });
  const setup = createSetupService({ database, rootAccount, users, options });
  const outsideSignIn = createOutsideSignIn({
    now,
    database,
    secretBox,
    options,
    accounts,
    sessions,
    freshSessions,
    audit,
    providers,
    weChat,
    onError: (error) => logger.log('warn', 'a sign-in service did not confirm somebody', {}, error),
  });
  const redemptions = createRedemptionService({ now, database, secretBox, options, logs, audit });
  const onAlarm = (text: string, fields: Record<string, string | number>) => logger.log('error', text, fields);
  const topUps = createTopUpService({ database, options });
  const wallet = createWalletService({ now, database, options, logs, audit, onAlarm });
  const mailer = createMailer({
    settings: () => mailSettings(options),
    // Only root saves the options, so the mail server may be a private one.
    openSocket: (host, port) => outbound.openSocket(host, port, 'operatorPrivate'),
    onFailure: (text, error) => logger.log('warn', text, {}, error),
  });
  const firstToken = createFirstToken({ database, secretBox, audit });
  const registration = createRegistrationService({
    database,
    options,
    accounts,
    codes,
    mailer,
    ...(config.generateDefaultToken && { firstToken }),
  });
  const onNoticeFailure = (text: string, error: unknown) => logger.log('warn', text, {}, error);
  const delivery = createNoticeDelivery({ now, secretBox, options, mailer, outbound });
  const limit = config.noticeLimit;
  const notices = createNoticeService({ now, database, delivery, limit, onFailure: onNoticeFailure });
  const taskNotices = createTaskNotices({
    now,
    database,
    secretBox,
    options,
    outbound,
    notices,
    delivery,
    store: taskStore,
    events: createTaskEvents({ kinds, links: drawingLinks, options }),
    onFailure: onNoticeFailure,
  });
  const quotaReminder = createQuotaReminder({ now, database, options, notices });
  const passwordReset = createPasswordResetService({ database, store: userStore, options, codes, mailer });
  const pricing = createPricing(() => rateTablesOf(options.get));
  options.onChange(() => pricing.forget());
  const servedModels = createServedModels({ database });
  const userGroups = createUserGroups({ database, groups });
  const models = createModelService({ servedModels, userGroups });
  const priceList = createPriceList({ servedModels, userGroups, pricing });
  const { saveTestResult } = channels;
  const modelSettings = createModelSettings(options);
  const probe = createProbe({ outbound, authorizer, modelSettings, proxy: config.relayProxy, saveTestResult });
  const upstreams = { database, secretBox, options, channels, probe, pollingIntervalMs: config.pollingIntervalMs };
  const onError = (error: unknown) => logger.log('warn', 'a channel could not be tested', {}, error);
  const onNoticeError = (error: unknown) => logger.log('warn', 'root could not be told', {}, error);
  const runs = createRunLocks({
    locks: createJobLocks({ database, leaseSeconds: runSeconds }),
    leaseSeconds: runSeconds,
  });
  const progress = createRunProgress({ database, isTaken: runs.isTaken });
  const channelNotice = createChannelNotice({ database, notices, onError: onNoticeError });
  const ledgerNotice = createLedgerNotice({ database, notices, onError: onNoticeError });
  ledger.onStrays(ledgerNotice.strayed);
  channels.onSwitched((change) => {
    if (!database.rehearsal()) channelNotice.switched(change);
  });
  const channelChecks = createChannelCheckService({
    now,
    ...upstreams,
    progress,
    takeRun: runs.take,
    onError,
    onManualRun: channelNotice.tested,
  });
  const channelBalances = createChannelBalanceService({ now, ...upstreams, progress, takeRun: runs.take, onError });
  const channelModels = createChannelModelService({ database, secretBox, probe, checkAddress });
  return {
    audit,
    options,
    optionTransfer: createOptionTransfer({ options, audit }),
    groupSettings: createGroupSettings({ database, options }),
    priceSettings: createPriceSettings({ options, pricing, servedModels }),
    abilities,
    groups,
    logs,
    usageData,
    drawings,
    drawingLinks,
    tasks,
    taskStore,
    taskNotices,
    taskProgress,
    taskCancel: createTaskCancel({ now, database, audit, vendor: taskVendor, apply: taskProgress.apply }),
    usageReport: createUsageReportService({ database }),
    accounts,
    users,
    tokens,
    channels,
    sessions,
    twoFactors,
    rootAccount,
    humanCheck,
    codes,
    self,
    registration,
    passwordReset,
    mailer,
    notices,
    channelNotice,
    ledgerNotice,
    quotaReminder,
    outsideSignIn,
    setup,
    rehearsals: createRehearsalService({ database, options, servedModels }),
    oidc: providers.oidc,
    redemptions,
    wallet,
    topUps,
    pricing,
    modelSettings,
    mailTest: createMailTestService({ mailer, options }),
    storedResponses: createStoredResponseService({ now, database }),
    straySettlements: createStraySettlementService({ database, ledger, audit }),
    servedModels,
    userGroups,
    models,
    priceList,
    stepUp,
    freshSessions,
    channelChecks,
    channelBalances,
    channelModels,
  };
}

/** Options changed by another process are read again as soon as the change is seen. */
function followOptions(feed: ChangeFeed, { options }: Services, onError: (error: unknown) => void): void {
  let reading: Promise<unknown> | undefined;
  let again = false;
  feed.subscribe((subject) => {
    if (subject !== 'options') return;
    if (reading) {
      again = true;
      return;
    }
    const read = async () => {
      do {
        again = false;
        await options.load();
      } while (again);
    };
    reading = read()
      .catch(onError)
      .finally(() => {
        reading = undefined;
      });
  });
}

/** Our own stores are nobody's upstream. */
function closedEndpoints({ database, redisUrl }: Config): Endpoint[] {
  const urls = [database.engine === 'postgres' ? database.url : undefined, redisUrl].filter((url) => url !== undefined);
  return urls
    .filter((url) => URL.canParse(url))
    .map((text) => {
      const url = new URL(text);
      const usual = url.protocol.startsWith('redis') ? 6379 : 5432;
      return { host: url.hostname, port: Number(url.port) || usual };
    });
}
