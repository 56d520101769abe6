import {
  type OwnOverview,
  overviewQuery,
  overviewSchema,
  ownOverviewSchema,
  type SystemOverview,
} from '../../schemas/overview.ts';
import { auditIn } from '../../services/audit.ts';
import { logsIn } from '../../services/log/text.ts';
import type { OverviewService } from '../../services/overview/overview.ts';
import { type Language, wordsIn } from '../../text/text.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

export function overviewRoutes({ overview }: { overview: OverviewService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/overview',
      access: 'admin',
      query: overviewQuery,
      response: responses.data(overviewSchema),
      handle: async ({ actor, query, language }) => overviewIn(language, await overview.read(actor, query)),
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
  ];
}

/** What our own code says of channels, in the language of the reader. */
function overviewIn(language: Language, overview: SystemOverview): SystemOverview {
  const worded = <T extends { reason: string }>(row: T): T => ({ ...row, reason: wordsIn(language, row.reason) });
  return {
    ...withFailuresIn(language, overview),
    channels: overview.channels.map(worded),
    attention: overview.attention.map(worded),
    changes: overview.changes.map((row) => auditIn(language, row)),
  };
}

function withFailuresIn<T extends OwnOverview | SystemOverview>(language: Language, overview: T): T {
  return { ...overview, failures: logsIn(language, overview.failures) };
}
