import type { OptionService } from '../option/option.ts';

export interface UsableGroup {
  ratio: number;
  desc: string;
}

export interface GroupService {
  /** Names of all groups that have a ratio. */
  list(): string[];
  hasRatio(group: string): boolean;
  ratioOf(group: string): number;
  /** Whether every user may choose it (option UserUsableGroups). */
  usable(group: string): boolean;
  /** What a user of this group may choose: the public ones and the user's own, as far as they have a ratio. */
  usableBy(userGroup: string): Record<string, UsableGroup>;
}

export function createGroupService({ options }: { options: Pick<OptionService, 'get'> }): GroupService {
  const hasRatio = (group: string) => Object.hasOwn(options.get('GroupRatio'), group);
  const ratioOf = (group: string) => (hasRatio(group) ? (options.get('GroupRatio')[group] ?? 1) : 1);

  return {
    list: () => Object.keys(options.get('GroupRatio')),
    hasRatio,
    ratioOf,
    usable: (group) => Object.hasOwn(options.get('UserUsableGroups'), group),
    usableBy(userGroup) {
      const own = userGroup || 'default';
      const names: Record<string, string> = { [own]: own, ...options.get('UserUsableGroups') };
      const usable = Object.entries(names).filter(([group]) => hasRatio(group));
      return Object.fromEntries(usable.map(([group, desc]) => [group, { ratio: ratioOf(group), desc }]));
    },
  };
}
