import { userSchema } from '../../schemas/user.ts';
import type { UserService } from '../../services/user.ts';
import { answers, type ConsoleRoute, consoleRoute } from '../route.ts';

/** What signed-in users do with their own account. */
export function selfRoutes({ users }: { users: UserService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/user/self',
      access: 'user',
      objects: 'own',
      summary: 'Read the own account',
      answer: answers.data(userSchema),
      handle: ({ actor }) => users.get(actor, actor.id),
    }),
  ];
}
