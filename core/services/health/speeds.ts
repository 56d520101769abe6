import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { type Clock, nowSeconds, secondsPerHour } from '../../lib/clock.ts';
import { minute } from './cells.ts';
import { addHistogram, countOf, type Distribution, quantileOf, readHistogram } from './histogram.ts';

/** How fast a channel serves a model: medians of its streams on all machines. */
export interface ChannelSpeed {
  /** Milliseconds. */
  firstTokenMs: number;
  /** Null where the streams were too short to tell. */
  tokensPerSecond: number | null;
}

interface SpeedDependencies {
  database: Database;
  now?: Clock;
}

interface MinuteRow {
  slot: number;
  channel_id: number;
  model: string;
  first_token: string;
  speed: string;
}

interface Measured {
  firstToken: Distribution;
  speed: Distribution;
}

/** Fewer streams say little. */
const minStreams = 5;
const recentSeconds = 5 * minute;
/** What nothing has been measured of for so long is worth another try. */
const staleSeconds = 10 * minute;

/** The speeds of the last hour in memory of this process, as the database has them for all: all machines choose by the same figures. */
export class ChannelSpeeds {
  private readonly database: Database;
  private readonly now: Clock;
  /** By minute and by channel and model. */
  private readonly minutes = new Map<number, Map<string, Measured>>();
  /** What has been asked for since the last refresh. */
  private readonly known = new Map<string, ChannelSpeed | undefined>();

  constructor({ database, now = nowSeconds }: SpeedDependencies) {
    this.database = database;
    this.now = now;
  }

  /** Of the last five minutes where there were enough streams, else of the hour; undefined where none of that tells, or not lately. */
  of(channelId: number, model: string): ChannelSpeed | undefined {
    const key = keyOf(channelId, model);
    if (!this.known.has(key)) this.known.set(key, this.measure(key));
    return this.known.get(key);
  }

  /** Reads what has come since the last time; all processes may still add to the last two minutes. */
  async refresh(): Promise<void> {
    const now = this.now();
    const since = now - secondsPerHour;
    // Minutes that are yet to come are of a clock that was set back.
    for (const slot of this.minutes.keys()) if (slot > now) this.minutes.delete(slot);
    const last = Math.max(0, ...this.minutes.keys());
    const rows = await this.database.channelHealth.findAll({
      attributes: ['slot', 'channel_id', 'model', 'first_token', 'speed'],
      where: { seconds: minute, slot: { [Op.gte]: Math.max(since, last - minute), [Op.lte]: now } },
      raw: true,
    });
    for (const slot of this.minutes.keys()) if (slot < since || slot >= last - minute) this.minutes.delete(slot);
    for (const row of rows) this.add(row);
    this.known.clear();
  }

  private add({ slot, channel_id, model, first_token, speed }: MinuteRow): void {
    const at = Number(slot);
    const cells = this.minutes.get(at) ?? new Map<string, Measured>();
    this.minutes.set(at, cells);
    const key = keyOf(Number(channel_id), model);
    const cell = cells.get(key) ?? { firstToken: new Map(), speed: new Map() };
    cells.set(key, cell);
    addHistogram(cell.firstToken, readHistogram(first_token));
    addHistogram(cell.speed, readHistogram(speed));
  }

  private measure(key: string): ChannelSpeed | undefined {
    const measured = [...this.minutes].filter(([, cells]) => countOf(cells.get(key)?.firstToken) > 0);
    if (Math.max(...measured.map(([slot]) => slot)) < this.now() - staleSeconds) return undefined;
    const recent = measured.filter(([slot]) => slot > this.now() - recentSeconds);
    return speedOf(recent, key) ?? speedOf(measured, key);
  }
}

function speedOf(minutes: [number, Map<string, Measured>][], key: string): ChannelSpeed | undefined {
  const firstToken: Distribution = new Map();
  const speed: Distribution = new Map();
  for (const [, cells] of minutes) {
    addHistogram(firstToken, cells.get(key)?.firstToken ?? new Map());
    addHistogram(speed, cells.get(key)?.speed ?? new Map());
  }
  const firstTokenMs = quantileOf(firstToken, 0.5);
  if (firstTokenMs === null || countOf(firstToken) < minStreams) return undefined;
  return { firstTokenMs, tokensPerSecond: quantileOf(speed, 0.5) };
}

const keyOf = (channelId: number, model: string) => `${channelId} ${model}`;
