import { join } from 'node:path';
import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { LogList, LogPage } from '../../schemas/log.ts';
import { logType } from '../../schemas/log-type.ts';
import { usernameKey } from '../../schemas/user.ts';
import { requireRole } from '../actor.ts';
import { failedRequestId } from '../log/failure.ts';
import { createLogView } from '../log/view.ts';
import { checkFile, readPages } from './file.ts';
import { readArchive } from './manifest.ts';

type Match = (row: LogRow) => boolean;

/**
 * A page of the rows in an archive, as the log's own list shows them. Files are read from the newest on, and only as many as the page
 * needs: the total is a lower bound unless all of them were read.
 */
export async function listArchive(actor: Actor, database: Database, folder: string, input: LogList): Promise<LogPage> {
  requireRole(actor, role.admin);
  const { page, page_size } = input;
  const matches = await matcher(database, input);
  const wanted = page * page_size;
  // Parts of a month overlap in time: they are read together.
  const months = groupByMonth(readArchive(folder).files.filter((file) => isInTime(file, input)));
  let rows: LogRow[] = [];
  let total = 0;
  let isCapped = false;
  for (const files of months) {
    isCapped = rows.length >= wanted;
    if (isCapped) break;
    const newest = createNewest(wanted - rows.length);
    for (const file of files) {
      await checkFile(folder, file);
      for await (const read of readPages(join(folder, file.name))) {
        for (const row of read.filter(matches)) {
          newest.add(row);
          total++;
        }
      }
    }
    rows = [...rows, ...newest.rows()];
  }
  const items = await createLogView(database)(rows.slice(wanted - page_size, wanted), actor);
  return { items, page, page_size, total, total_capped: isCapped };
}

type Times = Pick<LogList, 'start_timestamp' | 'end_timestamp'>;

function isInTime(
  { first_at, last_at }: { first_at: number; last_at: number },
  { start_timestamp, end_timestamp }: Times,
) {
  return last_at >= start_timestamp && (end_timestamp === 0 || first_at <= end_timestamp);
}

function groupByMonth<File extends { month: string }>(files: File[]): File[][] {
  const months = new Map<string, File[]>();
  for (const file of files) months.set(file.month, [...(months.get(file.month) ?? []), file]);
  return [...months].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, group]) => group);
}

/** Keeps the newest rows of all that are added. */
function createNewest(count: number) {
  const byTime = (a: LogRow, b: LogRow) => b.created_at - a.created_at || b.id - a.id;
  let kept: LogRow[] = [];
  return {
    add(row: LogRow): void {
      kept.push(row);
      // Now and then, so that memory holds two pages and not a month.
      if (kept.length >= 2 * count + 1000) kept = kept.sort(byTime).slice(0, count);
    },
    rows: () => kept.sort(byTime).slice(0, count),
  };
}

/** The filters of the log's list (services/log/filter.ts), for rows that no database has. */
async function matcher(database: Database, filter: LogList): Promise<Match> {
  const { type, user_id, token_name, model_name, channel, group, request_id, cut, min_seconds, min_quota } = filter;
  const { start_timestamp: start, end_timestamp: end, before_id } = filter;
  const tests: Match[] = [];
  const need = (isWanted: unknown, test: Match) => void (isWanted && tests.push(test));
  // Tests of channels are listed only where they are asked for.
  need(!(type || request_id || token_name || cut), (row) => row.type !== logType.test);
  need(type, (row) => row.type === type);
  need(user_id, (row) => row.user_id === user_id);
  if (!user_id && filter.username) tests.push(await ofUser(database, filter.username));
  need(token_name, (row) => row.token_name === token_name);
  if (model_name) tests.push(ofModel(model_name));
  need(channel, (row) => row.channel_id === channel);
  need(group, (row) => row.group === group);
  need(request_id, (row) => row.request_id === request_id || row.request_id === failedRequestId(request_id ?? ''));
  need(cut, (row) => row.type === logType.consume && row.content !== '');
  need(min_seconds, (row) => row.use_time >= min_seconds);
  need(min_quota, (row) => row.type === logType.consume && row.quota >= min_quota);
  need(start, (row) => row.created_at >= start);
  need(end, (row) => row.created_at <= end);
  need(before_id, (row) => row.id < before_id);
  return (row) => tests.every((test) => test(row));
}

/** By id, as the log's own list does; where the account is gone, by the name that the row has. */
async function ofUser(database: Database, name: string): Promise<Match> {
  const where = { username_key: usernameKey(name) };
  const user = await database.users.findOne({ attributes: ['id'], where, raw: true });
  return (row) => (user ? row.user_id === user.id : usernameKey(row.username) === where.username_key);
}

function ofModel(pattern: string): Match {
  if (!pattern.includes('%')) return (row) => row.model_name === pattern;
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const form = new RegExp(`^${pattern.split('%').map(literal).join('.*')}$`, 's');
  return (row) => form.test(row.model_name);
}
