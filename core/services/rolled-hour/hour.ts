import type { QueryInterfaceOptions } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { ChannelHourRow, RolledHourRow, UsagePartsRow } from '../../database/models/rolled-hour.ts';
import { lockName } from '../../database/named-lock.ts';
import { sumOfQuota } from '../../database/quota-sum.ts';
import { secondsPerHour } from '../../lib/clock.ts';
import { addUp, type CallParts, noParts, partNames, rowParts } from './parts.ts';

export interface CallSums {
  calls: number;
  quota: number;
}

export interface UsageCell {
  user_id: number;
  model_name: string;
}

/** What the hourly sums have of an hour. */
export type KnownCell = UsageCell & CallSums;

/** The rows of an hour added up twice: by user and model, and by channel. */
export interface HourContent {
  cells: (UsageCell & CallSums & CallParts)[];
  channels: Omit<ChannelHourRow, 'created_at'>[];
  /** The highest id of the rows; 0 without any. */
  lastId: number;
}

const names = ['calls', 'quota', ...partNames] as const;
export const cellKey = ({ user_id, model_name }: UsageCell): string => `${user_id} ${model_name}`;

export const totalOf = (rows: readonly CallSums[]): CallSums => ({
  calls: rows.reduce((total, { calls }) => total + calls, 0),
  quota: rows.reduce((total, { quota }) => total + quota, 0),
});

/** An hour with more stays to be read row by row. */
export const isStorable = ({ quota }: CallSums): boolean => Number.isSafeInteger(quota);

export const isSame = (a: CallSums, b: CallSums): boolean => a.calls === b.calls && a.quota === b.quota;

// SQL: grouped sums.

export function readKnown(database: Database, hour: number): Promise<KnownCell[]> {
  return database.select<KnownCell>(
    'SELECT user_id, model_name, count AS calls, quota FROM usage_data WHERE created_at = :hour',
    { hour },
  );
}

/** A statement has a time limit, and a busy machine takes seconds for so many rows. */
const rowsPerStatement = 20_000;

type RowGroup = UsageCell & { channel_id: number; last: number } & CallSums & CallParts;

/**
 * What the rows of the log behind an id add up to: each is read once, however many sums it is a part of. `calls`: about how many there
 * are; a busy hour is read piece by piece.
 */
export async function readRows(logs: Database, hour: number, { after = 0, calls = 0 } = {}): Promise<HourContent> {
  const pieces = Math.max(1, Math.ceil(calls / rowsPerStatement));
  const seconds = Math.max(1, Math.ceil(secondsPerHour / pieces));
  const groups: RowGroup[] = [];
  for (let start = hour; start < hour + secondsPerHour; start += seconds) {
    const end = Math.min(start + seconds, hour + secondsPerHour) - 1;
    const some = await logs.select<RowGroup>(
      `SELECT user_id, model_name, channel_id, max(id) AS last, count(*) AS calls,
          ${sumOfQuota()} AS quota, ${rowParts(logs.engine)}
        FROM logs WHERE created_at >= :start AND created_at <= :end AND type = 2 AND id > :after GROUP BY user_id, model_name, channel_id`,
      { start, end, after },
    );
    groups.push(...some);
  }
  return {
    cells: addUp(
      groups.map(({ channel_id: _, last: __, ...group }) => group),
      cellKey,
      names,
    ),
    channels: addUp(
      groups.map(({ user_id: _, model_name: __, last: ___, ...group }) => group),
      ({ channel_id }) => String(channel_id),
      names,
    ),
    lastId: groups.reduce((highest, { last }) => Math.max(highest, last), 0),
  };
}

/** What an hour was rolled up to; undefined unless its rows added up to its hourly sums then. */
export async function readRolled(database: Database, hour: number): Promise<HourContent | undefined> {
  const where = { created_at: hour };
  const rolled = await database.rolledHours.findOne({ where, raw: true });
  if (!rolled || rolled.calls !== rolled.known_calls || rolled.quota !== rolled.known_quota) return undefined;
  const cells = await database.usageParts.findAll({ where, raw: true });
  const channels = await database.channelHours.findAll({ where, raw: true });
  return {
    cells: cells.map(({ created_at: _, known_calls: calls, known_quota: quota, ...cell }) => ({
      ...cell,
      calls,
      quota,
    })),
    channels: channels.map(({ created_at: _, ...channel }) => channel),
    lastId: rolled.last_id,
  };
}

export const joined = (a: HourContent, b: HourContent): HourContent => ({
  cells: addUp([...a.cells, ...b.cells], cellKey, names),
  channels: addUp([...a.channels, ...b.channels], ({ channel_id }) => String(channel_id), names),
  lastId: Math.max(a.lastId, b.lastId),
});

export interface RolledUp {
  hour: number;
  known: KnownCell[];
  content: HourContent;
  /** What `content` stands for; proven when it is what is known. */
  sums: CallSums;
}

/** Replaces whatever the tables have of the hour. */
export async function writeHour(database: Database, { hour, known, content, sums }: RolledUp): Promise<void> {
  const { calls: known_calls, quota: known_quota } = totalOf(known);
  const rolled: RolledHourRow = { created_at: hour, ...sums, known_calls, known_quota, last_id: content.lastId };
  const where = { created_at: hour };
  const parts = partRows(hour, known, content);
  const channels = content.channels.map((channel): ChannelHourRow => ({ ...channel, created_at: hour }));
  await database.transaction(async (transaction) => {
    // A process that has lost its turn may still be at work.
    await lockName(database, 'roll-up', transaction);
    const into = database.sequelize.getQueryInterface();
    const put = async (table: string, rows: object[]) => {
      // Without an instance for each row: SQLite has one writer, and calls wait for it.
      if (rows.length > 0) await into.bulkInsert(table, rows, { transaction } as QueryInterfaceOptions);
    };
    await database.rolledHours.destroy({ where, transaction });
    await database.usageParts.destroy({ where, transaction });
    await database.channelHours.destroy({ where, transaction });
    await put('usage_parts', parts);
    await put('channel_hours', channels);
    await put('rolled_hours', [rolled]);
  });
}

/** Also of what only the hourly sums know, so that a user's proof covers all of that user's cells. */
function partRows(hour: number, known: KnownCell[], { cells }: HourContent): UsagePartsRow[] {
  const sums = new Map(known.map((cell) => [cellKey(cell), cell]));
  const logged = new Set(cells.map(cellKey));
  const unlogged = known.filter((cell) => !logged.has(cellKey(cell))).map((cell) => ({ ...cell, ...noParts }));
  return [...cells, ...unlogged].map((cell) => {
    const { calls: known_calls, quota: known_quota } = sums.get(cellKey(cell)) ?? { calls: 0, quota: 0 };
    const { user_id, model_name, prompt_tokens, completion_tokens, cached_tokens, saved_quota } = cell;
    const parts = { prompt_tokens, completion_tokens, cached_tokens, saved_quota };
    return { created_at: hour, user_id, model_name, known_calls, known_quota, ...parts };
  });
}
