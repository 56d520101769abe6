import { z } from 'zod';
import type { GroupService } from '../../services/group/group.ts';
import type { UserGroups } from '../../services/group/user-group.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface GroupRouteDependencies {
  groups: GroupService;
  userGroups: UserGroups;
}

const usableSchema = z.record(z.string(), z.object({ ratio: z.number(), desc: z.string() }));

export function groupRoutes({ groups, userGroups }: GroupRouteDependencies): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/group/',
      access: 'admin',
      response: responses.data(z.array(z.string())),
      handle: () => groups.list(),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/self/groups',
      access: 'user',
      objects: 'own',
      response: responses.data(usableSchema),
      handle: ({ actor }) => userGroups.usableTo(actor),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/user/groups',
      access: 'public',
      response: responses.data(usableSchema),
      handle: () => userGroups.usableTo(undefined),
    }),
  ];
}
