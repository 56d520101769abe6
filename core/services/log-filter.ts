import type { Database } from '../database/connect.ts';
import { escapeLike } from '../lib/like-pattern.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { LogFilter } from '../schemas/log.ts';
import { usernameKey } from '../schemas/user.ts';

export interface Conditions {
  conditions: string[];
  replacements: Record<string, unknown>;
}

/** What of the log this actor asked for and may see, as SQL; users never see more than their own rows. */
export async function logConditions(database: Database, actor: Actor, filter: Partial<LogFilter>): Promise<Conditions> {
  const { conditions, replacements } = plainConditions(filter);
  if (actor.role < role.admin) {
    return { conditions: [...conditions, 'user_id = :own'], replacements: { ...replacements, own: actor.id } };
  }
  if (filter.username) {
    // By id: found through the index, and whatever the account was called when the row was written.
    const user = await database.users.findOne({
      attributes: ['id'],
      where: { username_key: usernameKey(filter.username) },
      raw: true,
    });
    conditions.push(user ? 'user_id = :user_id' : 'username = :username');
    Object.assign(replacements, user ? { user_id: user.id } : { username: filter.username });
  }
  if (filter.channel) {
    conditions.push('channel_id = :channel');
    replacements.channel = filter.channel;
  }
  return { conditions, replacements };
}

function plainConditions(filter: Partial<LogFilter>): Conditions {
  const possible: [value: unknown, name: string, sql: string][] = [
    [filter.type, 'type', 'type = :type'],
    [filter.token_name, 'token_name', 'token_name = :token_name'],
    [filter.start_timestamp, 'start', 'created_at >= :start'],
    [filter.end_timestamp, 'end', 'created_at <= :end'],
    [filter.group, 'group', '"group" = :group'],
    [modelPattern(filter.model_name), 'model', modelCondition(filter.model_name)],
  ];
  const used = possible.filter(([value]) => Boolean(value));
  return {
    conditions: used.map(([, , sql]) => sql),
    replacements: Object.fromEntries(used.map(([value, name]) => [name, value])),
  };
}

const modelCondition = (name = '') =>
  name.includes('%') ? "model_name LIKE :model ESCAPE '!'" : 'model_name = :model';

const modelPattern = (name = '') => (name.includes('%') ? name.split('%').map(escapeLike).join('%') : name);
