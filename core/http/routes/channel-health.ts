import { channelHealthListSchema, channelHealthQuery, type ModelHealth } from '../../schemas/channel-health.ts';
import type { HealthService } from '../../services/health/health.ts';
import { type Language, wordsIn } from '../../text/text.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface ChannelHealthRouteDependencies {
  health: HealthService;
}

export function channelHealthRoutes({ health }: ChannelHealthRouteDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/channel/health',
      access: 'admin',
      query: channelHealthQuery,
      response: responses.data(channelHealthListSchema),
      handle: async ({ actor, query, language }) => healthIn(language, await health.read(actor, query)),
    }),
  ];
}

function healthIn(language: Language, rows: ModelHealth[]): ModelHealth[] {
  return rows.map((row) => ({ ...row, last_error: wordsIn(language, row.last_error) }));
}
