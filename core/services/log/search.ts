import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { selectLogs } from './filter.ts';
import { planRead, readBefore } from './page.ts';
import { codesBeginning, isShownAs, type MoneyOf } from './text.ts';

const maxFound = 100;
/** Of rows that begin alike and may show other amounts, so many are looked through. */
const pageRows = 500;
const maxPages = 20;
/** Sorts behind whatever may follow the text. */
const lastCharacter = '\u{10FFFF}';

export interface LogSearch {
  keyword: string;
  moneyOf: MoneyOf;
}

/** The newest rows of a type, or for admins also those whose content begins with the text; nothing typed means all. */
export async function searchLogs(database: Database, actor: Actor, { keyword, moneyOf }: LogSearch): Promise<LogRow[]> {
  const isType = /^\d$/.test(keyword);
  const byType = isType || keyword === '' ? await newestOfType(database, actor, Number(keyword)) : [];
  const byContent =
    keyword !== '' && actor.role >= role.admin ? await newestWithContent(database, keyword, moneyOf) : [];
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

/** The newest rows whose text, as it is shown, begins with the keyword; rows without content are not in it. */
async function newestWithContent(database: Database, keyword: string, moneyOf: MoneyOf): Promise<LogRow[]> {
  const found: LogRow[] = [];
  const logs = await database.logHome();
  for (let page = 0, last: LogRow | undefined; page < maxPages; page += 1) {
    const rows = await withBeginning(logs, [keyword, ...codesBeginning(keyword)], last);
    found.push(...rows.filter(({ content }) => isShownAs(content, keyword, moneyOf)));
    last = rows.at(-1);
    if (found.length >= maxFound || rows.length < pageRows) break;
  }
  return found.slice(0, maxFound);
}

/** As a range on the beginning, which is what the index contains. */
function withBeginning(logs: Database, beginnings: readonly string[], last: LogRow | undefined): Promise<LogRow[]> {
  const column = `substr(content, 1, 64)${logs.engine === 'postgres' ? ' COLLATE "C"' : ''}`;
  const ranges = beginnings.map((_one, at) => `(${column} >= :from${at} AND ${column} < :to${at})`);
  const bounds = beginnings.flatMap((text, at) => [
    [`from${at}`, text],
    [`to${at}`, text + lastCharacter],
  ]);
  const before = last ? 'AND (created_at < :time OR (created_at = :time AND id < :id))' : '';
  // SQL: the range of texts is what the index of the contents is found by.
  return logs.select<LogRow>(
    `SELECT * FROM logs WHERE content <> '' AND (${ranges.join(' OR ')}) ${before}
      ORDER BY created_at DESC, id DESC LIMIT ${pageRows}`,
    { ...Object.fromEntries(bounds), ...(last && { time: last.created_at, id: last.id }) },
  );
}
