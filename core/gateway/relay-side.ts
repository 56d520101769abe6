import { warn } from '../app/installation.ts';
import type { App } from '../app.ts';
import { createTokenCounter, type TokenCounter } from '../billing/count-tokens.ts';
import type { Database } from '../database/connect.ts';
import { createMediaFetcher } from '../integrations/media/fetch-media.ts';
import type { Metrics } from '../integrations/prometheus/metrics.ts';
import { endsWithin, lastWriteMs } from '../lib/patience.ts';
import { Affinity } from '../relay/affinity/affinity.ts';
import { isOfChannel } from '../relay/attempt/failure.ts';
import { KnownProfiles } from '../relay/attempt/known-profiles.ts';
import { createExplain } from '../relay/explain/explain.ts';
import { FirstTokenTimes } from '../relay/first-token/times.ts';
import { createTokenCount } from '../relay/free-call/count-call.ts';
import { createFreeCalls } from '../relay/free-call/free-call.ts';
import { createOverload, type OverloadLimits, overloadDefaults } from '../relay/limit/overload.ts';
import { createSensitiveWords } from '../relay/limit/sensitive-words.ts';
import { createRealtime } from '../relay/realtime/realtime.ts';
import type { RealtimeLimits } from '../relay/realtime/realtime-call.ts';
import { createSecretCalls } from '../relay/realtime/secret-call.ts';
import { createRelay } from '../relay/relay.ts';
import type { RelayLimits } from '../relay/relay-options.ts';
import {
  isSpeedAsked,
  mediaWorker,
  quotaFormat,
  realtimeLimits,
  relayLimits,
  relayOptions,
  sensitiveWordList,
} from '../relay/relay-settings.ts';
import { failedCallOf } from '../relay/report/failed-call.ts';
import { createHealthMetrics } from '../relay/report/health-metrics.ts';
import { createRelayMetrics } from '../relay/report/relay-metrics.ts';
import {
  bugOf,
  reportAbandoned,
  reportBug,
  reportCall,
  reportOverload,
  reportUncharged,
  reportUnknownJob,
} from '../relay/report/report.ts';
import { watchUncharged } from '../relay/report/uncharged-calls.ts';
import type { RelayDependencies } from '../relay/run.ts';
import { createStoredResponseCalls } from '../relay/stored-response/stored-response-call.ts';
import { createImageSeed } from '../relay/task/image-seed.ts';
import { createMadeFiles } from '../relay/task/made-file.ts';
import { createTaskCalls } from '../relay/task/task-call.ts';
import { createTaskFiles } from '../relay/task/task-file.ts';
import { createVideoFiles } from '../relay/task/video-file.ts';
import { type Caller, createCallerService } from '../services/caller.ts';
import { createHealthRecord } from '../services/health/record.ts';
import { ChannelSpeeds } from '../services/health/speeds.ts';
import { createFailureLog } from '../services/log/failure.ts';
import type { RateLimiter } from '../services/rate-limit/rate-limit.ts';
import { createRealtimeSecretService } from '../services/realtime-secret.ts';
import { createRouting } from '../services/routing.ts';
import { openLimits } from './open-limits.ts';
import { openTelemetry } from './telemetry.ts';

/** In place of the shipped limits; a test cannot wait as long as a user does. */
export interface RelayOverrides {
  limits?: Partial<RelayLimits> | undefined;
  realtime?: Partial<RealtimeLimits> | undefined;
  overloadLimits?: Partial<OverloadLimits> | undefined;
  /** Of several gateways in one process: loading a tokenizer takes a second. It stays open when the gateway closes. */
  counter?: TokenCounter | undefined;
  /** Milliseconds between two exchanges of what processes know of channels. */
  healthMs?: number | undefined;
  /** Milliseconds between two exchanges of what processes count under limits. */
  limitMs?: number | undefined;
}

interface RelaySideDependencies {
  app: App;
  /** Connections of its own: slow lists of a console take all there are of the others. */
  lookUps: Database;
  rateLimiter: RateLimiter;
  metrics: Metrics;
  isDraining(): boolean;
  overrides: RelayOverrides;
}

/** Everything that serves calls of tokens: relay, tasks, sessions, free calls and the explanation of each. */
export async function createRelaySide({
  app,
  lookUps,
  rateLimiter,
  metrics,
  isDraining,
  overrides,
}: RelaySideDependencies) {
  const { config, logger, feed, ledger, secretBox, outbound, services, now: nowSeconds } = app;
  const { options, groups, pricing } = services;
  const routing = await createRouting({
    database: lookUps,
    feed,
    secretBox,
    onError: warn(logger, 'channels could not be read'),
  });
  const callers = createCallerService({
    database: lookUps,
    feed,
    secretBox,
    groups,
    format: () => quotaFormat(options),
    nowSeconds,
  });
  const counter =
    overrides.counter ?? createTokenCounter({ onWorkerLost: warn(logger, 'the token counter was restarted') });
  const limits = await openLimits({ app, lookUps, rateLimiter, everyMs: overrides.limitMs });
  const { callLimits } = limits;
  const callsInFlight = (): number => relay.inFlight() + sessions.inFlight() + taskCalls.inFlight();
  const overload = createOverload({
    signals: { callsInFlight, queueWaitMs: ledger.queueWaitMs },
    limits: {
      ...overloadDefaults,
      calls: config.relayCallLimit,
      loopDelayMs: config.loopDelayLimitMs,
      ...overrides.overloadLimits,
    },
    onChange: (reasons) => reportOverload(logger, reasons),
  });

  let isClosed = false;
  /** A write that still waits when the database is closed fails for that; that it may be missing has been said by then. */
  const warnWhileOpen = (text: string) => (error: unknown) => {
    if (!isClosed) warn(logger, text)(error);
  };
  const failures = createFailureLog({
    database: lookUps,
    options,
    onError: warnWhileOpen('rows of failed calls could not be written'),
    now: nowSeconds,
  });

  const speeds = new ChannelSpeeds({ database: lookUps, now: nowSeconds });
  const channelHealth = createHealthRecord({
    database: lookUps,
    onError: warnWhileOpen('the health of channels could not be exchanged'),
    now: nowSeconds,
    everyMs: overrides.healthMs,
    follow: async () => {
      if (isSpeedAsked(options)) await speeds.refresh();
    },
  });

  const noteCharge = watchUncharged({ alarm: (calls, last) => reportUncharged(logger, calls, last) });
  const telemetry = await openTelemetry(app, { metrics, routing });
  const settings = relayOptions(options, services.modelSettings);
  const steps = {
    routing,
    pricing,
    ledger,
    upstream: outbound.upstream,
    counter,
    sensitiveWords: createSensitiveWords(() => sensitiveWordList(options)),
    health: {
      served: ({ id: channelId }, model, speed) => channelHealth.served({ channelId, model }, speed),
      failed(channel, model, error) {
        relayMetrics.attemptFailed(error);
        if (isOfChannel(error)) {
          const code = String(error.code ?? error.status);
          channelHealth.failed({ channelId: channel.id, model }, { message: error.adminMessage, code });
        }
        const bug = bugOf(error);
        if (bug !== undefined) reportBug(logger, channel.id, bug);
        if (!error.disablesChannel) return;
        services.channels
          .recordFailure(channel.id, error, channel.keyId)
          .catch(warn(logger, 'a channel could not be disabled'));
      },
      limited: (limit) => relayMetrics.attemptLimited(limit),
      leftFor: (limit) => relayMetrics.attemptLeft(limit),
      refusedStreamOptions(channel) {
        services.channels.recordStreamOptionsRefusal(channel).catch(warn(logger, 'a refused field was not remembered'));
      },
    },
    firstTokens: new FirstTokenTimes(),
    profiles: new KnownProfiles(nowSeconds),
    affinity: new Affinity(settings.affinitySeconds),
    speeds,
    options: settings,
    authorizer: app.authorizer,
    storedResponses: services.storedResponses,
    fetchMedia: createMediaFetcher({ outbound, worker: () => mediaWorker(options) }),
    limits: { ...relayLimits(config), ...overrides.limits },
    overload,
    callLimits,
    refusal: limits.refusal,
    report(call, summary, error) {
      reportCall(logger, call, summary, error);
      noteCharge(summary);
      relayMetrics.callEnded(call, summary, error);
      telemetry?.callEnded(call, summary, error);
      if (error !== undefined && !summary.isAside) failures.note(failedCallOf(call, summary, error));
    },
    telemetry,
    reportAbandoned: (call, goneMs) => reportAbandoned(logger, call, goneMs),
    nowSeconds,
  } satisfies RelayDependencies;
  const relay = createRelay(steps);
  const { breaker } = relay;
  channelHealth.onFailing((id) => breaker.suspect(id));
  const madeFiles = createMadeFiles(outbound.upstream);
  const videoFiles = createVideoFiles({ ...steps, files: madeFiles });
  const taskCalls = createTaskCalls({
    ...steps,
    breaker,
    tasks: services.taskStore,
    reportUnknownJob: (call, channel) => reportUnknownJob(logger, call, channel),
  });
  const explain = createExplain({
    ...steps,
    database: lookUps,
    callers,
    groups,
    audit: services.audit,
    channelHealth: services.health,
    breaker,
    limitBook: limits.book,
    exchangeCounts: limits.exchange,
    quotaFormat: () => quotaFormat(options),
  });
  const sessionLimits = { ...realtimeLimits(steps.limits), ...overrides.realtime };
  const sessions = createRealtime({
    ...steps,
    outbound,
    breaker,
    objections: callers.objections,
    limits: sessionLimits,
    budgetsOf: callLimits.budgets,
    countTokens: callLimits.countTokens,
    proxy: config.relayProxy,
  });
  const realtimeSecrets = createRealtimeSecretService({ database: lookUps, secretBox, now: nowSeconds });
  const relayMetrics = createRelayMetrics({
    metrics,
    routing,
    callsInFlight,
    callsAbandoned: relay.abandoned,
    errorRowsDropped: failures.dropped,
    isShedding: overload.isRed,
  });
  createHealthMetrics({
    metrics,
    health: services.health,
    onError: warn(logger, 'the health of channels could not be read for the metrics'),
  });
  ledger.onStrays(relayMetrics.strayed);
  const freeCalls = createFreeCalls({
    overload,
    callLimits,
    logger,
    writeMs: steps.limits.writeMs,
    isDraining,
    failed: relayMetrics.freeCallFailed,
  });

  feed.subscribe((subject, id) => {
    if (subject !== 'users' && subject !== 'tokens') return;
    const isMeant = ({ userId, tokenId }: Caller) => String(subject === 'users' ? userId : tokenId) === id;
    for (const { recheck } of [relay, sessions]) {
      recheck(isMeant, callers.objection).catch(warn(logger, 'running calls could not be checked again'));
    }
  });

  return {
    routing,
    limits,
    callers,
    overload,
    relay,
    channelHealth,
    relayMetrics,
    explain,
    sessions,
    sessionLimits,
    realtimeSecrets,
    secretCalls: createSecretCalls({ routing, pricing, secrets: realtimeSecrets }),
    taskCalls,
    freeCalls,
    videoFiles,
    taskFiles: createTaskFiles({ ...steps, files: madeFiles, videos: videoFiles }),
    imageSeed: createImageSeed(steps),
    tokenCount: createTokenCount(steps),
    storedResponseCalls: createStoredResponseCalls({ ...steps, storedResponses: services.storedResponses }),
    drain: async (limitMs: number) => {
      await Promise.all([relay.drain(limitMs), sessions.drain(limitMs), taskCalls.drain(limitMs)]);
    },
    close: async () => {
      const lastWrites = Promise.all([failures.close(), channelHealth.close(), limits.close()]);
      if (!(await endsWithin(lastWriteMs, lastWrites))) logger.log('warn', lostText, {});
      isClosed = true;
      if (!overrides.counter) await counter.close();
      relay.close();
      await telemetry?.close();
      overload.close();
    },
  };
}

const lostText =
  'the process ends while the database takes no writes: rows of failed calls, the health of channels and counts under limits of the last seconds may be missing';

export type RelaySide = Awaited<ReturnType<typeof createRelaySide>>;
