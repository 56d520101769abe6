import type { App } from '../core/app.ts';
import { role, systemActor } from '../core/schemas/actor.ts';
import { type User, userListSchema } from '../core/schemas/user.ts';

/** The root account, which need not be named so: after an import it has the name it had, and it can be changed. */
export async function findRoot({ services }: App): Promise<User> {
  const query = userListSchema.parse({ role: role.root, sort: 'id', page_size: 1 });
  const [root] = (await services.users.list(systemActor, query)).items;
  return root ?? services.users.find(systemActor, 'root');
}
