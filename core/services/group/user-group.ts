import type { Database } from '../../database/connect.ts';
import type { Actor } from '../../schemas/actor.ts';
import type { GroupService, UsableGroup } from './group.ts';

export interface UserGroups {
  /** The groups a user may choose; without a user, those that a user without a group may choose. */
  usableTo(actor: Actor | undefined): Promise<Record<string, UsableGroup>>;
}

interface UserGroupsDependencies {
  database: Database;
  groups: Pick<GroupService, 'usableBy'>;
}

export function createUserGroups({ database, groups }: UserGroupsDependencies): UserGroups {
  return {
    async usableTo(actor) {
      const user = actor && (await database.users.findByPk(actor.id, { attributes: ['group'], raw: true }));
      return groups.usableBy(user?.group ?? '');
    },
  };
}
