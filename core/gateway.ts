import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from './app.ts';
import { createTokenCounter } from './billing/count-tokens.ts';
import { connect } from './database/connect.ts';
import { AppError } from './errors/app-error.ts';
import { createClientAddress } from './http/client-address.ts';
import { createDashboard } from './http/console/dashboard.ts';
import { isHttps } from './http/cookie/session-cookie.ts';
import { createGuard } from './http/guard.ts';
import { createKnownCallers } from './http/relay/known-caller.ts';
import type { Route } from './http/route.ts';
import { accountRoutes } from './http/routes/account.ts';
import { auditRoutes } from './http/routes/audit.ts';
import { billingRoutes } from './http/routes/billing.ts';
import { channelRoutes } from './http/routes/channel.ts';
import { channelCheckRoutes } from './http/routes/channel-check.ts';
import { channelTagRoutes } from './http/routes/channel-tag.ts';
import { consoleModelRoutes } from './http/routes/console-model.ts';
import { withContract } from './http/routes/contract.ts';
import { drawingRoutes } from './http/routes/drawing.ts';
import { explainRoutes } from './http/routes/explain.ts';
import { createFreeCallRoutes } from './http/routes/free-call.ts';
import { groupRoutes } from './http/routes/group.ts';
import { healthRoutes } from './http/routes/health.ts';
import { logRoutes } from './http/routes/log.ts';
import { metricsRoutes } from './http/routes/metrics.ts';
import { midjourneyRoutes } from './http/routes/midjourney.ts';
import { modelRoutes } from './http/routes/model.ts';
import { oauthRoutes } from './http/routes/oauth.ts';
import { optionRoutes } from './http/routes/option.ts';
import { playgroundRoutes } from './http/routes/playground.ts';
import { pricingRoutes } from './http/routes/pricing.ts';
import { realtimeRoutes } from './http/routes/realtime.ts';
import { redemptionRoutes } from './http/routes/redemption.ts';
import { relayRoutes } from './http/routes/relay.ts';
import { selfRoutes } from './http/routes/self.ts';
import { sessionRoutes } from './http/routes/session.ts';
import { setupRoutes } from './http/routes/setup.ts';
import { statusRoutes } from './http/routes/status.ts';
import { sunoRoutes } from './http/routes/suno.ts';
import { taskRoutes } from './http/routes/task.ts';
import { tokenRoutes } from './http/routes/token.ts';
import { topUpRoutes } from './http/routes/top-up.ts';
import { twoFactorRoutes } from './http/routes/two-factor.ts';
import { usageDataRoutes } from './http/routes/usage-data.ts';
import { userRoutes } from './http/routes/user.ts';
import { videoRoutes } from './http/routes/video.ts';
import { walletRoutes } from './http/routes/wallet.ts';
import { createHttpServer } from './http/server.ts';
import { createMediaFetcher } from './integrations/media/fetch-media.ts';
import { isLoopback } from './integrations/outbound/ip-class.ts';
import { createMetrics, type Metrics } from './integrations/prometheus/metrics.ts';
import { countAnswers } from './integrations/prometheus/response-count.ts';
import { openRedis } from './integrations/redis/open-redis.ts';
import { createJobs } from './jobs/job-list.ts';
import { compileIpList } from './lib/ip-list.ts';
import { createExplain } from './relay/explain/explain.ts';
import { createTokenCount } from './relay/free-call/count-call.ts';
import { createFreeCalls } from './relay/free-call/free-call.ts';
import { type CallLimitSettings, createCallLimits } from './relay/limit/call-limit.ts';
import { createOverload, type OverloadLimits, overloadDefaults } from './relay/limit/overload.ts';
import { createSensitiveWords } from './relay/limit/sensitive-words.ts';
import { explainRefusal } from './relay/meter/refusal.ts';
import { createRealtime } from './relay/realtime/realtime.ts';
import { longestSessionMs, type RealtimeLimits, realtimeDefaults } from './relay/realtime/realtime-call.ts';
import { createRelay, type Relay } from './relay/relay.ts';
import type { RelayLimits } from './relay/relay-options.ts';
import { relayLimits, relayOptions, sensitiveWordList } from './relay/relay-settings.ts';
import { createRelayMetrics } from './relay/report/relay-metrics.ts';
import {
  bugOf,
  reportAbandoned,
  reportBug,
  reportCall,
  reportOverload,
  reportUnansweredJob,
} from './relay/report/report.ts';
import type { RelayDependencies } from './relay/run.ts';
import { createStoredResponseCalls } from './relay/stored-response/stored-response-call.ts';
import { createImageSeed } from './relay/task/image-seed.ts';
import { createMadeFiles } from './relay/task/made-file.ts';
import { createTaskCalls } from './relay/task/task-call.ts';
import { createTaskFiles } from './relay/task/task-file.ts';
import { createVideoFiles } from './relay/task/video-file.ts';
import { type Caller, createCallerService } from './services/caller.ts';
import { createAddressLimit } from './services/rate-limit/address-limit.ts';
import { createRateLimiter } from './services/rate-limit/rate-limit.ts';
import { createRouting } from './services/routing.ts';

/** The server on top of an opened installation. */
export interface Gateway {
  relay: Relay;
  metrics: Metrics;
  /** Everything it answers to; nothing else is served. */
  routes: readonly Route[];
  /** Resolves with the port in use. Refuses anything but loopback while root has the default password. */
  listen(host: string, port: number): Promise<number>;
  /** Resolves when every change made so far, by whatever process, is in force here. */
  refresh(): Promise<void>;
  /** Ends as SIGTERM asks: no new calls, those under way run on for a while, everything is settled. */
  drain(limitMs?: number): Promise<void>;
  /** New connections go elsewhere; those that stand are served on. */
  stopListening(): void;
  close(): Promise<void>;
}

export interface GatewayOptions {
  /** In place of the relay's own limits of time. */
  limits?: Partial<RelayLimits>;
  /** In place of the limits of sessions over a WebSocket. */
  realtime?: Partial<RealtimeLimits>;
  /** Time for a request body of no bytes, 30 s when left out. */
  bodyTimeMs?: number;
  /** In place of what counts as overload. */
  overloadLimits?: Partial<OverloadLimits>;
  /** Sign-ins and their like of one address in 20 minutes, 20 when left out. */
  criticalCalls?: number;
  /** What `/metrics` shows, when it is more than this process knows. */
  metricsText?(own: Metrics): Promise<string>;
}

const usualCriticalCalls = 20;

export async function createGateway(app: App, gatewayOptions: GatewayOptions = {}): Promise<Gateway> {
  const { limits, realtime, bodyTimeMs, overloadLimits, criticalCalls = usualCriticalCalls } = gatewayOptions;
  const { metricsText = (own: Metrics) => own.text() } = gatewayOptions;
  const { config, logger, feed, ledger, secretBox, outbound, services, now: nowSeconds } = app;
  const { options, groups, pricing } = services;
  const onError = (text: string) => (error: unknown) => logger.log('warn', text, {}, error);
  // Connections of its own: slow lists of a console take all there are of the others.
  const lookUps = await connect(config.database, 3);
  const routingDependencies = { database: lookUps, feed, secretBox, onError: onError('channels could not be read') };
  const routing = await createRouting(routingDependencies).catch(async (error: unknown) => {
    await lookUps.close();
    throw error;
  });
  const callers = createCallerService({ database: lookUps, feed, secretBox, groups, nowSeconds });
  const counter = createTokenCounter({ onWorkerLost: onError('the token counter was restarted') });
  let stopping = false;
  const redis = await openRedis(config.redisUrl, logger);
  const rateLimiter = createRateLimiter(redis);
  const callLimits = createCallLimits(rateLimiter, callLimitSettings(options));
  const stopFollowing = options.onChange(() => callLimits.change(callLimitSettings(options)));
  const callsInFlight = (): number => relay.inFlight() + sessions.inFlight() + taskCalls.inFlight();
  const overload = createOverload({
    signals: { callsInFlight, queueWaitMs: ledger.queueWaitMs },
    limits: {
      ...overloadDefaults,
      calls: config.relayCallLimit,
      loopDelayMs: config.loopDelayLimitMs,
      ...overloadLimits,
    },
    onChange: (reasons) => reportOverload(logger, reasons),
  });

  const relayDependencies = {
    routing,
    pricing,
    ledger,
    upstream: outbound.upstream,
    counter,
    sensitiveWords: createSensitiveWords(() => sensitiveWordList(options)),
    health: {
      failed(channel, error) {
        relayMetrics.attemptFailed(error);
        const bug = bugOf(error);
        if (bug !== undefined) reportBug(logger, channel.id, bug);
        if (!error.disablesChannel) return;
        services.channels.recordFailure(channel.id, error).catch(onError('a channel could not be disabled'));
      },
      refusedStreamOptions(channel) {
        services.channels.recordStreamOptionsRefusal(channel).catch(onError('a refused field was not remembered'));
      },
    },
    options: relayOptions(options, services.modelSettings),
    authorizer: app.authorizer,
    storedResponses: services.storedResponses,
    fetchMedia: createMediaFetcher({ outbound, worker: () => mediaWorker(options) }),
    limits: { ...relayLimits(config), ...limits },
    overload,
    callLimits,
    refusal: (call, refused, needed) =>
      explainRefusal(call, refused, needed, { database: lookUps, format: () => quotaFormat(options), nowSeconds }),
    report(call, summary, error) {
      reportCall(logger, call, summary, error);
      relayMetrics.callEnded(call, summary, error);
    },
    reportAbandoned: (call, goneMs) => reportAbandoned(logger, call, goneMs),
    nowSeconds,
  } satisfies RelayDependencies;
  const relay = createRelay(relayDependencies);
  const madeFiles = createMadeFiles(outbound.upstream);
  const videoFiles = createVideoFiles({ ...relayDependencies, files: madeFiles });
  const taskFiles = createTaskFiles({ ...relayDependencies, files: madeFiles, videos: videoFiles });
  const taskCalls = createTaskCalls({
    ...relayDependencies,
    breaker: relay.breaker,
    tasks: services.taskStore,
    reportUnanswered: (call, channel) => reportUnansweredJob(logger, call, channel),
  });
  const explain = createExplain({
    ...relayDependencies,
    database: lookUps,
    callers,
    groups,
    audit: services.audit,
    breaker: relay.breaker,
    quotaFormat: () => quotaFormat(options),
  });
  const sessionLimits = { ...realtimeLimits(relayDependencies.limits), ...realtime };
  const sessions = createRealtime({
    ...relayDependencies,
    outbound,
    breaker: relay.breaker,
    objections: callers.objections,
    limits: sessionLimits,
    proxy: config.relayProxy,
  });

  const metrics = createMetrics();
  const relayMetrics = createRelayMetrics({
    metrics,
    routing,
    callsInFlight,
    callsAbandoned: relay.abandoned,
    isShedding: overload.isRed,
  });
  ledger.onStrays(relayMetrics.strayed);

  feed.subscribe((subject, id) => {
    if (subject !== 'users' && subject !== 'tokens') return;
    const isMeant = ({ userId, tokenId }: Caller) => String(subject === 'users' ? userId : tokenId) === id;
    for (const { recheck } of [relay, sessions]) {
      recheck(isMeant, callers.objection).catch(onError('running calls could not be checked again'));
    }
  });

  const addressOf = createClientAddress(config.trustedProxies);
  const isTrusted = compileIpList(config.trustedProxies.join('\n'));
  const spoolDirectory = join(config.dataDirectory, 'bodies');
  mkdirSync(spoolDirectory, { recursive: true, mode: 0o700 });
  const bodyLimits = {
    jsonBytes: config.relayBodyLimitBytes,
    multipartBytes: 2 * config.relayBodyLimitBytes,
    spoolDirectory,
    memory: overload.memory,
    ...(bodyTimeMs === undefined ? {} : { timeMs: bodyTimeMs }),
  };

  async function ready(): Promise<boolean> {
    if (stopping || overload.isRed() || ledger.isDamaged() || !ledger.isWritable()) return false;
    try {
      await lookUps.select('SELECT 1 AS one');
      return true;
    } catch {
      return false;
    }
  }

  const jobs = createJobs({ ...app, bodyDirectory: spoolDirectory });
  const countCall = createAddressLimit(rateLimiter, {
    api: config.apiRateLimit,
    web: config.webRateLimit,
    criticalCalls,
  });
  const guard = createGuard({ sessions: services.sessions });
  const knownCallers = createKnownCallers();
  const freeCalls = createFreeCalls({
    overload,
    callLimits,
    logger,
    writeMs: relayDependencies.limits.writeMs,
    isDraining: () => stopping,
    failed: relayMetrics.freeCallFailed,
  });
  const freeRoutes = createFreeCallRoutes({
    freeCalls,
    callers,
    bodyLimits,
    addressOf,
    tokenCount: createTokenCount(relayDependencies),
    storedResponseCalls: createStoredResponseCalls({
      ...relayDependencies,
      storedResponses: services.storedResponses,
    }),
  });
  const routes: Route[] = [
    ...relayRoutes({ relay, callers, bodyLimits, addressOf, geminiActions: freeRoutes.geminiActions }),
    ...freeRoutes.routes,
    ...midjourneyRoutes({
      taskCalls,
      freeCalls,
      tasks: services.taskStore,
      links: services.drawingLinks,
      callers,
      bodyLimits,
      addressOf,
      files: taskFiles,
      look: services.taskProgress.look,
      imageSeed: createImageSeed(relayDependencies),
    }),
    ...videoRoutes({
      taskCalls,
      freeCalls,
      tasks: services.taskStore,
      callers,
      bodyLimits,
      addressOf,
      videos: videoFiles,
    }),
    ...sunoRoutes({ taskCalls, freeCalls, tasks: services.taskStore, callers, bodyLimits, addressOf }),
    ...realtimeRoutes({ realtime: sessions, callers, addressOf, messageBytes: sessionLimits.messageBytes }),
    ...modelRoutes({ callers, routing, addressOf }),
    ...billingRoutes({ callers, database: lookUps, options, addressOf, countCall }),
    ...playgroundRoutes({ relay, callers, guard, bodyLimits, addressOf }),
    ...withContract([
      ...channelRoutes(services),
      ...channelTagRoutes(services),
      ...channelCheckRoutes(services),
      ...explainRoutes({ explain }),
      ...consoleModelRoutes(services),
      ...groupRoutes(services),
      ...optionRoutes(services),
      ...pricingRoutes(services),
      ...tokenRoutes(services),
      ...healthRoutes({ ready }),
      ...metricsRoutes({ token: config.metricsToken, text: () => metricsText(metrics) }),
      ...statusRoutes({
        options,
        setup: services.setup,
        oidc: services.oidc,
        pingDatabase: () => lookUps.select('SELECT 1 AS one'),
      }),
      ...setupRoutes({ setup: services.setup }),
      ...accountRoutes(services),
      ...sessionRoutes(services),
      ...selfRoutes(services),
      ...twoFactorRoutes(services),
      ...userRoutes(services),
      ...oauthRoutes({ outsideSignIn: services.outsideSignIn, options }),
      ...redemptionRoutes({ redemptions: services.redemptions }),
      ...walletRoutes({ wallet: services.wallet }),
      ...topUpRoutes(services),
      ...logRoutes(services),
      ...usageDataRoutes(services),
      ...drawingRoutes(services),
      ...taskRoutes({ ...services, files: taskFiles }),
      ...auditRoutes(services),
    ]),
  ];
  const server = createHttpServer({
    routes,
    dashboard: createDashboard({
      options,
      addressOf,
      countCall,
      knownCallers,
      frontendBaseUrl: config.isSlave ? config.frontendBaseUrl : undefined,
    }),
    guard,
    knownCallers,
    addressOf,
    countCall,
    onAnswer: countAnswers(metrics),
    isOpen: services.rootAccount.hasDefaultPassword,
    onError(error, { id, method, path }) {
      relayMetrics.unexpectedOverHttp();
      logger.log('error', 'request failed', { id, method, path }, error);
    },
    afterWrite: refresh,
    isProxy: (address) => isLoopback(address) || (isTrusted?.(address) ?? false),
    isSecure: () => isHttps(options),
    bodyTimeMs,
  });

  async function refresh(): Promise<void> {
    await feed.poll();
    await routing.settled();
  }

  async function listen(host: string, port: number): Promise<number> {
    if (!isLoopbackHost(host) && (await services.rootAccount.hasDefaultPassword())) {
      throw new AppError('serve.defaultPassword', { host });
    }
    const used = await server.listen(host, port);
    overload.start();
    // Nobody may make the gateway call itself: a channel that points here would multiply a call without end.
    app.ownEndpoints.push({ host: '127.0.0.1', port: used }, { host: '::1', port: used }, { host, port: used });
    jobs.start();
    return used;
  }

  async function drain(limitMs = config.drainTimeoutMs): Promise<void> {
    stopping = true;
    const jobsStopped = jobs.stop();
    // Still listening: whoever asks is told 503, in words, until the last call has ended.
    await Promise.all([services.channelChecks.stop(), services.channelBalances.stop()]);
    await Promise.all([relay.drain(limitMs), sessions.drain(limitMs), taskCalls.drain(limitMs)]);
    server.stopListening();
    await jobsStopped;
    await ledger.drain();
  }

  async function close(): Promise<void> {
    await jobs.stop();
    await server.close();
    await counter.close();
    await lookUps.close();
    stopFollowing();
    relay.close();
    overload.close();
    rateLimiter.close();
    redis?.close();
  }

  return { relay, metrics, routes, listen, refresh, drain, stopListening: server.stopListening, close };
}

type Options = App['services']['options'];

function realtimeLimits({ headersMs, idleMs, totalMs, writeMs }: RelayLimits): RealtimeLimits {
  const times = { openMs: headersMs, answerIdleMs: idleMs, totalMs: totalMs || longestSessionMs, writeMs };
  return { ...realtimeDefaults, ...times };
}

function callLimitSettings(options: Options): CallLimitSettings {
  const model = {
    calls: options.get('ModelRequestRateLimitCount'),
    successes: options.get('ModelRequestRateLimitSuccessCount'),
    minutes: options.get('ModelRequestRateLimitDurationMinutes'),
  };
  return {
    model: options.get('ModelRequestRateLimitEnabled') ? model : undefined,
    tokenCallsPerMinute: options.get('TokenRequestRateLimitCount'),
    userCallsPerMinute: options.get('UserRequestRateLimitCount'),
    tokenCallsAtOnce: options.get('TokenConcurrencyLimit'),
    userCallsAtOnce: options.get('UserConcurrencyLimit'),
  };
}

function mediaWorker(options: Options) {
  const url = options.get('WorkerUrl');
  return url === '' ? undefined : { url, key: options.get('WorkerValidKey') };
}

function quotaFormat(options: Options) {
  return { inCurrency: options.get('DisplayInCurrencyEnabled'), quotaPerUnit: options.get('QuotaPerUnit') };
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host);
}
