import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { selectLogs } from './filter.ts';
import { planRead, readBefore } from './page.ts';
import { codesBeginning } from './text.ts';

const maxFound = 100;
/** Sorts behind whatever may follow the text. */
const lastCharacter = '\u{10FFFF}';

/** The newest rows of a type, or for admins also those whose content begins with the text; nothing typed means all. */
export async function searchLogs(database: Database, actor: Actor, keyword: string): Promise<LogRow[]> {
  const isType = /^\d$/.test(keyword);
  const byType = isType || keyword === '' ? await newestOfType(database, actor, Number(keyword)) : [];
  const byContent = keyword !== '' && actor.role >= role.admin ? await newestWithContent(database, keyword) : [];
  const known = new Set(byType.map(({ id }) => id));
  return [...byType, ...byContent.filter(({ id }) => !known.has(id))]
    .sort((a, b) => b.created_at - a.created_at || b.id - a.id)
    .slice(0, maxFound);
}

async function newestOfType(database: Database, actor: Actor, type: number): Promise<LogRow[]> {
  const logs = await database.logHome();
  const plan = await planRead(logs, await selectLogs(database, actor, { type }));
  return readBefore(logs, plan, undefined, `LIMIT ${maxFound}`);
}

/** As a range on the beginning, which is what the index contains; rows without content are not in it. */
async function newestWithContent(database: Database, keyword: string): Promise<LogRow[]> {
  const logs = await database.logHome();
  const column = `substr(content, 1, 64)${logs.engine === 'postgres' ? ' COLLATE "C"' : ''}`;
  const beginnings = [keyword, ...codesBeginning(keyword)];
  const ranges = beginnings.map((_one, at) => `(${column} >= :from${at} AND ${column} < :to${at})`);
  const bounds = beginnings.flatMap((text, at) => [
    [`from${at}`, text],
    [`to${at}`, text + lastCharacter],
  ]);
  // SQL: the range of texts is what the index of the contents is found by.
  return logs.select<LogRow>(
    `SELECT * FROM logs WHERE content <> '' AND (${ranges.join(' OR ')})
      ORDER BY created_at DESC, id DESC LIMIT ${maxFound}`,
    Object.fromEntries(bounds),
  );
}
