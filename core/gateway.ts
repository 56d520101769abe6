import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from './app.ts';
import { connect } from './database/connect.ts';
import { AppError } from './errors/app-error.ts';
import { showLogStore } from './gateway/log-store-metrics.ts';
import { createRelaySide, type RelayOverrides } from './gateway/relay-side.ts';
import { showReplica } from './gateway/replica-metrics.ts';
import { listRoutes } from './gateway/routes.ts';
import { createClientAddress } from './http/client-address.ts';
import { createDashboard } from './http/console/dashboard.ts';
import { isHttps } from './http/cookie/session-cookie.ts';
import { createGuard } from './http/guard.ts';
import { handOverTimes } from './http/leave.ts';
import { createKnownCallers } from './http/relay/known-caller.ts';
import type { Route } from './http/route.ts';
import { createHttpServer } from './http/server.ts';
import { isLoopback } from './integrations/outbound/ip-class.ts';
import { createMetrics, type Metrics } from './integrations/prometheus/metrics.ts';
import { countResponses } from './integrations/prometheus/response-count.ts';
import { openRedis } from './integrations/redis/open-redis.ts';
import { createJobs } from './jobs/job-list.ts';
import { createLogMover } from './jobs/move-log.ts';
import { compileIpList } from './lib/ip-list.ts';
import { makeFolder } from './lib/make-folder.ts';
import { lastWriteMs, waitAtMost } from './lib/patience.ts';
import type { Relay } from './relay/relay.ts';
import { createAddressLimit } from './services/rate-limit/address-limit.ts';
import { createRateLimiter } from './services/rate-limit/rate-limit.ts';

/** The server on top of an opened installation. */
export interface Gateway {
  relay: Relay;
  metrics: Metrics;
  /** Every route it serves; there are no others. */
  routes: readonly Route[];
  /** Resolves with the port in use. Refuses anything but loopback while root has the default password. */
  listen(host: string, port: number): Promise<number>;
  /** Resolves when every change made so far, by whatever process, is in force here. */
  refresh(): Promise<void>;
  /** Writes what this process saw of channels and asks what others saw; it does so by itself every five seconds. */
  exchangeHealth(): Promise<void>;
  /** Ends as SIGTERM asks: no new calls, those under way run on for a while, everything is settled. */
  drain(limitMs?: number): Promise<void>;
  /** New connections go elsewhere; those that stand are served on. */
  stopListening(): void;
  close(): Promise<void>;
}

export interface GatewayOptions extends RelayOverrides {
  /** Time for a request body of no bytes, 30 s when left out. */
  bodyTimeMs?: number;
  /** Sign-ins and their like of one address in 20 minutes, 20 when left out. */
  criticalCalls?: number;
  /** What `/metrics` shows, when it is more than this process knows. */
  metricsText?(own: Metrics): Promise<string>;
}

const defaultCriticalCalls = 20;

export async function createGateway(app: App, gatewayOptions: GatewayOptions = {}): Promise<Gateway> {
  const { bodyTimeMs, criticalCalls = defaultCriticalCalls, metricsText, ...overrides } = gatewayOptions;
  const { config, logger, feed, ledger, services } = app;
  const { options } = services;
  const lookUps = await connect(config.database, 3);
  await app.reports.start();
  const redis = await openRedis(config.redisUrl, logger);
  const rateLimiter = createRateLimiter(redis);
  const metrics = createMetrics();
  if (config.readReplica) showReplica(metrics, app.reports);
  const mover = config.logDatabase && !config.isSlave ? createLogMover(app) : undefined;
  if (mover) showLogStore(metrics, mover, app.database);
  let stopping = false;
  const relaySide = await createRelaySide({
    app,
    lookUps,
    rateLimiter,
    metrics,
    isDraining: () => stopping,
    overrides,
  }).catch(async (error: unknown) => {
    await lookUps.close();
    rateLimiter.close();
    redis?.close();
    throw error;
  });
  const { overload, relay } = relaySide;

  const addressOf = createClientAddress(config.trustedProxies);
  const isTrusted = compileIpList(config.trustedProxies.join('\n'));
  const spoolDirectory = join(config.dataDirectory, 'bodies');
  makeFolder(spoolDirectory);
  const jobs = createJobs({ ...app, bodyDirectory: spoolDirectory });
  const countCall = createAddressLimit(rateLimiter, {
    api: config.apiRateLimit,
    web: config.webRateLimit,
    criticalCalls,
  });
  const guard = createGuard({ sessions: services.sessions });
  const knownCallers = createKnownCallers();
  const routes = listRoutes({
    app,
    lookUps,
    relaySide,
    guard,
    bodyLimits: {
      jsonBytes: config.relayBodyLimitBytes,
      multipartBytes: 2 * config.relayBodyLimitBytes,
      spoolDirectory,
      memory: overload.memory,
      ...(bodyTimeMs === undefined ? {} : { timeMs: bodyTimeMs }),
    },
    addressOf,
    countCall,
    ready,
    metricsText: () => (metricsText ? metricsText(metrics) : metrics.text()),
  });
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
    onResponse: countResponses(metrics),
    isOpen: services.rootAccount.hasDefaultPassword,
    onError(error, { id, method, path }) {
      relaySide.relayMetrics.unexpectedOverHttp();
      logger.log('error', 'request failed', { id, method, path }, error);
    },
    async afterWrite() {
      await Promise.all([refresh(), app.reports.noteWrite()]);
    },
    isProxy: (address) => isLoopback(address) || (isTrusted?.(address) ?? false),
    isSecure: () => isHttps(options),
    bodyTimeMs,
  });

  async function ready(): Promise<boolean> {
    if (stopping || overload.isRed() || ledger.isDamaged() || !ledger.isWritable()) return false;
    try {
      await lookUps.select('SELECT 1 AS one');
      return true;
    } catch {
      return false;
    }
  }

  async function refresh(): Promise<void> {
    await feed.poll();
    await Promise.all([relaySide.routing.settled(), relaySide.limits.settled()]);
  }

  async function listen(host: string, port: number): Promise<number> {
    if (!isLoopbackHost(host) && (await services.rootAccount.hasDefaultPassword())) {
      throw new AppError('serve.defaultPassword', { host });
    }
    const used = await server.listen(host, port);
    overload.start();
    // The gateway must not call itself: a channel that points here would multiply a call without end.
    app.ownEndpoints.push({ host: '127.0.0.1', port: used }, { host: '::1', port: used }, { host, port: used });
    jobs.start();
    mover?.start();
    return used;
  }

  async function drain(limitMs = config.drainTimeoutMs): Promise<void> {
    stopping = true;
    const hurry = setTimeout(ledger.hurry, limitMs);
    const jobsStopped = jobs.stop();
    // Still listening, unless a proxy has other nodes: new requests get a 503 until the last call has ended.
    await waitAtMost(lastWriteMs, Promise.all([services.channelChecks.stop(), services.channelBalances.stop()]));
    const handedOver = config.trustedProxies.length > 0 && limitMs > 0 ? await handOver(limitMs) : 0;
    await relaySide.drain(limitMs - handedOver);
    clearTimeout(hurry);
    ledger.hurry();
    server.stopListening();
    await jobsStopped;
    await Promise.all([ledger.drain(), mover?.stop()]);
  }

  /** Calls are still served meanwhile: one that a node has received is not sent to another one by a proxy. Resolves with the time it took. */
  async function handOver(limitMs: number): Promise<number> {
    const { askedMs, keptMs } = handOverTimes(limitMs);
    server.keepNoConnection();
    await pause(askedMs);
    server.refuseConnections();
    await pause(keptMs);
    server.stopListening();
    return askedMs + keptMs;
  }

  async function close(): Promise<void> {
    await jobs.stop();
    await mover?.stop();
    await server.close();
    await relaySide.close();
    await lookUps.close();
    rateLimiter.close();
    redis?.close();
  }

  return {
    relay,
    metrics,
    routes,
    listen,
    refresh,
    exchangeHealth: relaySide.channelHealth.exchange,
    drain,
    stopListening: server.stopListening,
    close,
  };
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host);
}
