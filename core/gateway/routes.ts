import type { IncomingMessage } from 'node:http';
import type { App } from '../app.ts';
import type { Database } from '../database/connect.ts';
import type { Guard } from '../http/guard.ts';
import type { RelayBodyLimits } from '../http/relay/relay-body.ts';
import type { Route } from '../http/route.ts';
import { accountRoutes } from '../http/routes/account.ts';
import { auditRoutes } from '../http/routes/audit.ts';
import { billingRoutes } from '../http/routes/billing.ts';
import { channelRoutes } from '../http/routes/channel.ts';
import { channelCheckRoutes } from '../http/routes/channel-check.ts';
import { channelHealthRoutes } from '../http/routes/channel-health.ts';
import { channelKeyRoutes } from '../http/routes/channel-key.ts';
import { channelTagRoutes } from '../http/routes/channel-tag.ts';
import { consoleModelRoutes } from '../http/routes/console-model.ts';
import { withContract } from '../http/routes/contract.ts';
import { drawingRoutes } from '../http/routes/drawing.ts';
import { explainRoutes } from '../http/routes/explain.ts';
import { createFreeCallRoutes } from '../http/routes/free-call.ts';
import { groupRoutes } from '../http/routes/group.ts';
import { healthRoutes } from '../http/routes/health.ts';
import { ledgerRoutes } from '../http/routes/ledger.ts';
import { limitRoutes } from '../http/routes/limit.ts';
import { logRoutes } from '../http/routes/log.ts';
import { metricsRoutes } from '../http/routes/metrics.ts';
import { midjourneyRoutes } from '../http/routes/midjourney.ts';
import { modelRoutes } from '../http/routes/model.ts';
import { oauthRoutes } from '../http/routes/oauth.ts';
import { optionRoutes } from '../http/routes/option.ts';
import { overviewRoutes } from '../http/routes/overview.ts';
import { playgroundRoutes } from '../http/routes/playground.ts';
import { priceSyncRoutes } from '../http/routes/price-sync.ts';
import { pricingRoutes } from '../http/routes/pricing.ts';
import { realtimeRoutes } from '../http/routes/realtime.ts';
import { realtimeSecretRoutes } from '../http/routes/realtime-secret.ts';
import { redemptionRoutes } from '../http/routes/redemption.ts';
import { relayRoutes } from '../http/routes/relay.ts';
import { searchRoutes } from '../http/routes/search.ts';
import { selfRoutes } from '../http/routes/self.ts';
import { sessionRoutes } from '../http/routes/session.ts';
import { setupRoutes } from '../http/routes/setup.ts';
import { statusRoutes } from '../http/routes/status.ts';
import { sunoRoutes } from '../http/routes/suno.ts';
import { taskRoutes } from '../http/routes/task.ts';
import { tokenRoutes } from '../http/routes/token.ts';
import { topUpRoutes } from '../http/routes/top-up.ts';
import { twoFactorRoutes } from '../http/routes/two-factor.ts';
import { usageDataRoutes } from '../http/routes/usage-data.ts';
import { userRoutes } from '../http/routes/user.ts';
import { userInspectionRoutes } from '../http/routes/user-inspection.ts';
import { videoRoutes } from '../http/routes/video.ts';
import { walletRoutes } from '../http/routes/wallet.ts';
import { systemActor } from '../schemas/actor.ts';
import type { createAddressLimit } from '../services/rate-limit/address-limit.ts';
import type { RelaySide } from './relay-side.ts';

interface RouteDependencies {
  app: App;
  lookUps: Database;
  relaySide: RelaySide;
  guard: Guard;
  bodyLimits: RelayBodyLimits;
  addressOf(incoming: IncomingMessage): string;
  countCall: ReturnType<typeof createAddressLimit>;
  ready(): Promise<boolean>;
  /** What `/metrics` shows. */
  metricsText(): Promise<string>;
}

/** Every route of the server: the calls of tokens first, then the console. */
export function listRoutes(dependencies: RouteDependencies): Route[] {
  return [...tokenCallRoutes(dependencies), ...withContract(consoleRoutes(dependencies))];
}

function tokenCallRoutes({
  app: { services },
  lookUps,
  relaySide,
  guard,
  bodyLimits,
  addressOf,
  countCall,
}: RouteDependencies): Route[] {
  const { callers, relay, freeCalls, taskCalls } = relaySide;
  const entry = { callers, bodyLimits, addressOf };
  const free = createFreeCallRoutes({ ...relaySide, ...entry });
  const tasks = { ...entry, taskCalls, freeCalls, tasks: services.taskStore };
  return [
    ...relayRoutes({ ...entry, relay, geminiActions: free.geminiActions }),
    ...free.routes,
    ...midjourneyRoutes({
      ...tasks,
      links: services.drawingLinks,
      files: relaySide.taskFiles,
      look: services.taskProgress.look,
      imageSeed: relaySide.imageSeed,
    }),
    ...videoRoutes({ ...tasks, videos: relaySide.videoFiles, cancel: services.taskCancel.cancel }),
    ...sunoRoutes(tasks),
    ...realtimeRoutes({
      realtime: relaySide.sessions,
      callers,
      secrets: relaySide.realtimeSecrets,
      addressOf,
      messageBytes: relaySide.sessionLimits.messageBytes,
    }),
    ...realtimeSecretRoutes({ ...entry, ...relaySide, secrets: relaySide.realtimeSecrets }),
    ...modelRoutes({ callers, routing: relaySide.routing, addressOf }),
    ...billingRoutes({ callers, database: lookUps, options: services.options, addressOf, countCall }),
    ...playgroundRoutes({ ...entry, relay, guard }),
  ];
}

function consoleRoutes({ app: { config, services }, lookUps, relaySide, ready, metricsText }: RouteDependencies) {
  return [
    ...channelRoutes(services),
    ...channelKeyRoutes(services),
    ...channelTagRoutes(services),
    ...channelCheckRoutes(services),
    ...explainRoutes({ explain: relaySide.explain }),
    ...consoleModelRoutes(services),
    ...groupRoutes(services),
    ...optionRoutes(services),
    ...ledgerRoutes(services),
    ...pricingRoutes(services),
    ...priceSyncRoutes(services),
    ...tokenRoutes(services),
    ...healthRoutes({ ready }),
    ...metricsRoutes({ token: config.metricsToken, text: metricsText }),
    ...statusRoutes({
      options: services.options,
      setup: services.setup,
      oidc: services.oidc,
      provedAt: async () => {
        const [newest] = (await services.ledgerProofs.list(systemActor)).proofs;
        return newest?.ok ? newest.at : 0;
      },
      pingDatabase: () => lookUps.select('SELECT 1 AS one'),
    }),
    ...setupRoutes({ setup: services.setup }),
    ...accountRoutes(services),
    ...sessionRoutes(services),
    ...selfRoutes(services),
    ...twoFactorRoutes(services),
    ...userRoutes(services),
    ...userInspectionRoutes(services),
    ...oauthRoutes({ outsideSignIn: services.outsideSignIn, options: services.options }),
    ...redemptionRoutes({ redemptions: services.redemptions }),
    ...limitRoutes(services),
    ...walletRoutes({ wallet: services.wallet }),
    ...topUpRoutes(services),
    ...logRoutes(services),
    ...overviewRoutes(services),
    ...channelHealthRoutes(services),
    ...usageDataRoutes(services),
    ...drawingRoutes(services),
    ...taskRoutes({ ...services, files: relaySide.taskFiles }),
    ...auditRoutes(services),
    ...searchRoutes(services),
  ];
}
