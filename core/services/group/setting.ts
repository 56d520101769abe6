import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { defaultGroup, type Group, type GroupSet } from '../../schemas/group.ts';
import { coded } from '../../text/coded.ts';
import { requireRole } from '../actor.ts';
import type { OptionService } from '../option/option.ts';

interface GroupSettingDependencies {
  database: Database;
  options: Pick<OptionService, 'get' | 'load' | 'change'>;
}

type Counts = Pick<Group, 'users' | 'tokens' | 'channels'>;

/** The three options that make a group, changed together. */
export function createGroupSettings({ database, options }: GroupSettingDependencies) {
  /** Also groups in use that have no ratio. */
  async function list(actor: Actor): Promise<Group[]> {
    requireRole(actor, role.root);
    const counts = await countMembers();
    const maps = [options.get('GroupRatio'), options.get('UserUsableGroups'), options.get('TopupGroupRatio')];
    const names = new Set([...maps.flatMap((map) => Object.keys(map)), ...counts.keys()]);
    return [...names].map((name) => groupOf(name, counts.get(name)));
  }

  function groupOf(name: string, counts: Counts = { users: 0, tokens: 0, channels: 0 }): Group {
    const usable = options.get('UserUsableGroups');
    return {
      name,
      ratio: entryOf(options.get('GroupRatio'), name) ?? null,
      usable: Object.hasOwn(usable, name),
      description: entryOf(usable, name) ?? '',
      topup_ratio: entryOf(options.get('TopupGroupRatio'), name) ?? null,
      ...counts,
    };
  }

  async function countMembers(): Promise<Map<string, Counts>> {
    // SQL: grouped counts of three tables.
    const rows = await database.select<{ name: string } & Counts>(
      `SELECT name, sum(users) AS users, sum(tokens) AS tokens, sum(channels) AS channels FROM (
         SELECT "group" AS name, count(*) AS users, 0 AS tokens, 0 AS channels
           FROM users WHERE deleted_at IS NULL GROUP BY "group"
         UNION ALL
         SELECT "group", 0, count(*), 0 FROM tokens WHERE deleted_at IS NULL AND "group" <> '' GROUP BY "group"
         UNION ALL
         SELECT "group", 0, 0, count(DISTINCT channel_id) FROM abilities GROUP BY "group"
       ) AS members GROUP BY name`,
    );
    return new Map(
      rows.map(({ name, users, tokens, channels }) => [
        name || defaultGroup,
        { users: Number(users), tokens: Number(tokens), channels: Number(channels) },
      ]),
    );
  }

  /** Makes the group, or changes what is given; `changed`: the options that are not as they were. */
  async function set(actor: Actor, input: GroupSet): Promise<{ group: Group; changed: string[] }> {
    requireRole(actor, role.root);
    const { name, ratio, usable, description, topup_ratio } = input;
    const changed = await options.change(actor, (get) => {
      const [ratios, open] = [get('GroupRatio'), get('UserUsableGroups')];
      const isOpen = usable ?? Object.hasOwn(open, name);
      if (!isOpen && description !== undefined) throw new AppError('group.descriptionUnused', { group: name });
      const text = isOpen ? (description ?? entryOf(open, name) ?? name) : undefined;
      return {
        GroupRatio: withEntry(ratios, name, ratio ?? entryOf(ratios, name) ?? 1),
        UserUsableGroups: withEntry(open, name, text),
        ...(topup_ratio !== undefined && { TopupGroupRatio: withEntry(get('TopupGroupRatio'), name, topup_ratio) }),
      };
    });
    return { group: groupOf(name, (await countMembers()).get(name)), changed };
  }

  /** What users, tokens and channels of the group then are is refused calls: `evenInUse` says that this is meant. */
  async function remove(actor: Actor, name: string, { evenInUse = false } = {}): Promise<Group> {
    requireRole(actor, role.root);
    await options.load();
    const group = await get(actor, name);
    if (name === defaultGroup) throw new AppError('group.usual', { group: name });
    const { users, tokens, channels } = group;
    if (!evenInUse && users + tokens + channels > 0)
      throw new AppError('group.inUse', { group: name, users, tokens, channels });
    await options.change(actor, (read) => ({
      GroupRatio: withEntry(read('GroupRatio'), name, undefined),
      UserUsableGroups: withEntry(read('UserUsableGroups'), name, undefined),
      TopupGroupRatio: withEntry(read('TopupGroupRatio'), name, undefined),
    }));
    return group;
  }

  async function get(actor: Actor, name: string): Promise<Group> {
    const group = (await list(actor)).find((one) => one.name === name);
    if (!group) throw new AppError('object.notFound', { what: coded('noun.group'), id: name, noun: 'group' });
    return group;
  }

  return { list, get, set, remove };
}

const entryOf = <V>(map: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined;

/** In the order it had; undefined takes the entry out. Any name is a plain key, `__proto__` too. */
function withEntry<V>(
  map: Readonly<Record<string, V>>,
  name: string,
  value: NoInfer<V> | undefined,
): Record<string, V> {
  const next: Record<string, V> = Object.assign(Object.create(null), map);
  if (value === undefined) delete next[name];
  else next[name] = value;
  return next;
}
