import type { Database } from '../../database/connect.ts';
import { secondsPerDay } from '../../lib/clock.ts';
import { decoded } from '../../text/coded.ts';
import { isError } from './failures.ts';

/** Why a request was refused that no channel serves. */
const codes = ['relay.noChannel', 'relay.unknownModel'];
/** A name that was mistyped once needs no attention. */
const minRequests = 3;
const maxShown = 5;
const maxRead = 200;

/** Models that were asked for in the last 24 hours and that no channel of the group serves, also now, the most wanted first. */
export async function readUnserved(database: Database, now: number) {
  const marks = codes.map((code) => `other LIKE '%"code":"${code}"%'`).join(' OR ');
  const logs = await database.logHome();
  // SQL: grouped counts of rows that one index must find.
  const rows = await logs.select<{ content: string; count: number }>(
    `SELECT content, count(*) AS count FROM logs
      WHERE ${isError} AND created_at >= :since AND request_id IS NOT NULL AND (${marks})
      GROUP BY content ORDER BY count(*) DESC LIMIT ${maxRead}`,
    { since: now - secondsPerDay },
  );
  const counts = new Map<string, Wanted>();
  for (const { content, count } of rows) {
    const asked = askedFor(content);
    if (!asked) continue;
    const key = JSON.stringify([asked.group, asked.name]);
    counts.set(key, { ...asked, count: (counts.get(key)?.count ?? 0) + count });
  }
  const wanted = [...counts.values()].filter(({ count }) => count >= minRequests).sort((a, b) => b.count - a.count);
  return (await withoutServed(database, wanted))
    .slice(0, maxShown)
    .map((one) => ({ kind: 'unserved' as const, id: 0, ...one }));
}

interface Wanted {
  name: string;
  group: string;
  count: number;
}

/** The words of the refusal name both. */
function askedFor(content: string): Omit<Wanted, 'count'> | undefined {
  let asked: Omit<Wanted, 'count'> | undefined;
  decoded(content, (_space, key, { model, group }) => {
    if (codes.includes(key) && model) asked = { name: String(model), group: String(group ?? '') };
    return '';
  });
  return asked;
}

/** A channel that was added since serves it. */
async function withoutServed(database: Database, wanted: Wanted[]): Promise<Wanted[]> {
  if (wanted.length === 0) return [];
  const rows = await database.abilities.findAll({
    attributes: ['group', 'model'],
    where: { model: wanted.map(({ name }) => name), enabled: true },
    raw: true,
  });
  return wanted.filter(({ name, group }) => !rows.some((row) => row.model === name && row.group === group));
}
