import { searchHitsSchema, searchQuery } from '../../schemas/search.ts';
import type { SearchService } from '../../services/search.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

export function searchRoutes({ search }: { search: SearchService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/search',
      access: 'user',
      objects: 'ownOrAdmin',
      query: searchQuery,
      response: responses.data(searchHitsSchema),
      handle: ({ actor, query }) => search.find(actor, query),
    }),
  ];
}
