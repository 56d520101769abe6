import {
  type ChannelCondition,
  channelConditionsQuery,
  channelConditionsSchema,
  modelParams,
  type ObjectOverview,
  type OwnOverview,
  objectOverviewSchema,
  overviewQuery,
  overviewSchema,
  ownOverviewSchema,
  type SystemOverview,
} from '../../schemas/overview.ts';
import { idParams } from '../../schemas/query.ts';
import { auditIn } from '../../services/audit.ts';
import { logsIn } from '../../services/log/text.ts';
import type { OptionService } from '../../services/option/option.ts';
import type { OverviewService } from '../../services/overview/overview.ts';
import { type Language, wordsIn } from '../../text/text.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';
import { moneyIn } from './audit.ts';

interface OverviewRouteDependencies {
  overview: OverviewService;
  options: Pick<OptionService, 'get'>;
}

export function overviewRoutes({ overview, options }: OverviewRouteDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/overview',
      access: 'admin',
      query: overviewQuery,
      response: responses.data(overviewSchema),
      handle: async ({ actor, query, language }) =>
        overviewIn(language, await overview.read(actor, query), moneyIn(options)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/overview/self',
      access: 'user',
      objects: 'own',
      query: overviewQuery,
      response: responses.data(ownOverviewSchema),
      handle: async ({ actor, query, language }) => withFailuresIn(language, await overview.readOwn(actor, query)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/overview/channel',
      access: 'admin',
      query: channelConditionsQuery,
      response: responses.data(channelConditionsSchema),
      handle: async ({ actor, query, language }) => channelsIn(language, await overview.readChannels(actor, query.ids)),
    }),
    consoleRoute({
      ...object,
      path: '/api/overview/channel/:id',
      access: 'admin',
      params: idParams,
      handle: async ({ actor, params, query, language }) =>
        objectIn(language, await overview.readChannel(actor, params.id, query)),
    }),
    consoleRoute({
      ...object,
      path: '/api/overview/model/:name',
      access: 'user',
      objects: 'ownOrAdmin',
      params: modelParams,
      handle: async ({ actor, params, query, language }) =>
        objectIn(language, await overview.readModel(actor, params.name, query)),
    }),
    consoleRoute({
      ...object,
      path: '/api/overview/user/:id',
      access: 'user',
      objects: 'ownOrAdmin',
      params: idParams,
      handle: async ({ actor, params, query, language }) =>
        objectIn(language, await overview.readUser(actor, params.id, query)),
    }),
    consoleRoute({
      ...object,
      path: '/api/overview/token/:id',
      access: 'user',
      objects: 'ownOrAdmin',
      params: idParams,
      handle: async ({ actor, params, query, language }) =>
        objectIn(language, await overview.readToken(actor, params.id, query)),
    }),
  ];
}

const object = { method: 'GET', query: overviewQuery, response: responses.data(objectOverviewSchema) } as const;

function objectIn(language: Language, overview: ObjectOverview): ObjectOverview {
  return { ...withFailuresIn(language, overview), channels: channelsIn(language, overview.channels) };
}

const channelsIn = (language: Language, channels: ChannelCondition[]): ChannelCondition[] =>
  channels.map(({ reason, last_error, ...row }) => ({
    ...row,
    reason: wordsIn(language, reason),
    last_error: wordsIn(language, last_error),
  }));

/** What our own code says of channels, in the language of the reader. */
function overviewIn(language: Language, overview: SystemOverview, moneyOf: (quota: number) => string): SystemOverview {
  const worded = <T extends { reason: string }>(row: T): T => ({ ...row, reason: wordsIn(language, row.reason) });
  return {
    ...withFailuresIn(language, overview),
    channels: channelsIn(language, overview.channels),
    attention: overview.attention.map(worded),
    changes: overview.changes.map((row) => auditIn(language, row, moneyOf)),
  };
}

function withFailuresIn<T extends Pick<OwnOverview, 'failures'>>(language: Language, overview: T): T {
  return { ...overview, failures: logsIn(language, overview.failures) };
}
