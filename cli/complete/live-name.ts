import type { Config } from '../../core/config.ts';
import type { NameKind } from '../../core/database/name-list.ts';

/** A slow database is not waited for: a Tab key waits, or an error that is to be shown. */
const limitMs = 300;

/** Names of the installation that begin so; a group has one also while no channel is in it. */
export async function liveNames(place: Config['database'], kind: NameKind, prefix: string): Promise<string[]> {
  const { readNames, readOptionText } = await import('../../core/database/name-list.ts');
  const names = await readNames(place, { kind, prefix, limitMs });
  if (kind === 'group') names.push(...groupsIn(await readOptionText(place, { key: 'GroupRatio', limitMs })));
  return [...new Set(names)];
}

/** Groups without a channel have a ratio, and no row of their own. */
function groupsIn(ratios: string | undefined): string[] {
  return ratios === undefined ? ['default', 'vip', 'svip'] : Object.keys(JSON.parse(ratios) as object);
}
