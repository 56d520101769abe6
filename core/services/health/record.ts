import { randomUUID } from 'node:crypto';
import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { type Clock, nowSeconds, secondsPerDay, secondsPerHour } from '../../lib/clock.ts';
import { HealthCells, type HealthFailure, type HealthPlace, minute, type ResponseSpeed } from './cells.ts';

interface HealthRecordDependencies {
  database: Database;
  onError(error: unknown): void;
  now?: Clock;
  /** Runs with each exchange, when the rows of this process are written. */
  follow?(): Promise<void>;
  /** Milliseconds between two exchanges with the database. */
  everyMs?: number | undefined;
}

/** What other processes saw of a channel in the last two minutes. */
interface SeenElsewhere {
  ok: number;
  failed: number;
}

const exchangeMs = 5000;
/** Without a response of its own for so long a process asks no more what others saw. */
const idleSeconds = 120;
const spanSeconds = 2 * minute;
/** So many attempts of others, of which less than this share went well, are reason enough not to try oneself. */
const minAttempts = 10;
const maxShare = 0.1;
/** Readers look an hour and a day back; a span that begins before that is in part within it. */
const keptSeconds = { [minute]: secondsPerHour + minute, [secondsPerHour]: secondsPerDay + secondsPerHour };

/**
 * How channels serve, written to the database every five seconds in the rows of this process alone, so that no two processes wait for
 * one another. A reader adds them up and sees the same on every machine. A channel that fails everywhere else, and of which this
 * process has seen nothing good, is told to `onFailing`.
 */
export function createHealthRecord({
  database,
  onError,
  now = nowSeconds,
  follow = async () => undefined,
  everyMs = exchangeMs,
}: HealthRecordDependencies) {
  const process = randomUUID();
  const cells = new HealthCells(process);
  const lastOk = new Map<number, number>();
  let failing: (channelId: number) => void = () => undefined;
  let usedAt = 0;
  let sweptAt = 0;
  let exchanging: Promise<void> = Promise.resolve();
  const timer = setInterval(() => void exchange(), everyMs).unref();

  function exchange(): Promise<void> {
    if (usedAt < now() - idleSeconds) return exchanging;
    exchanging = exchanging
      .then(async () => {
        await write();
        await ask();
        await follow();
        await sweep();
      })
      .catch(onError);
    return exchanging;
  }

  async function write(): Promise<void> {
    const { rows, written, lost } = cells.take(now());
    if (rows.length === 0) return;
    try {
      await database.channelHealth.bulkCreate(rows, { updateOnDuplicate: [...counted] });
      written();
    } catch (error) {
      lost();
      throw error;
    }
  }

  async function ask(): Promise<void> {
    for (const [channelId, seen] of await readElsewhere()) {
      const isFailing = seen.ok + seen.failed >= minAttempts && seen.ok < maxShare * (seen.ok + seen.failed);
      if (isFailing && !isLate(lastOk.get(channelId) ?? 0, spanSeconds)) failing(channelId);
    }
  }

  async function readElsewhere(): Promise<Map<number, SeenElsewhere>> {
    // SQL: sums by channel.
    const rows = await database.select<SeenElsewhere & { channel_id: number }>(
      `SELECT channel_id, CAST(sum(ok) AS BIGINT) AS ok, CAST(sum(failed) AS BIGINT) AS failed FROM channel_health
        WHERE seconds = ${minute} AND slot > :since AND slot <= :now AND process <> :process GROUP BY channel_id`,
      { since: now() - spanSeconds, now: now(), process },
    );
    return new Map(rows.map(({ channel_id, ok, failed }) => [channel_id, { ok: Number(ok), failed: Number(failed) }]));
  }

  /** Within so long before now. A moment that is yet to come is of a clock that was set back. */
  const isLate = (at: number, seconds: number) => at >= now() - seconds && at <= now();

  /** Once a minute, by whichever process serves calls. What is yet to come would count as new until then. */
  async function sweep(): Promise<void> {
    const at = now();
    if (isLate(sweptAt, minute - 1)) return;
    sweptAt = at;
    for (const [seconds, kept] of Object.entries(keptSeconds)) {
      const slot = { [Op.or]: [{ [Op.lt]: at - kept }, { [Op.gt]: at + minute }] };
      await database.channelHealth.destroy({ where: { seconds: Number(seconds), slot } });
    }
  }

  return {
    served(place: HealthPlace, speed: ResponseSpeed): void {
      usedAt = now();
      lastOk.set(place.channelId, usedAt);
      cells.served(place, speed, usedAt);
    },
    failed(place: HealthPlace, error: HealthFailure): void {
      usedAt = now();
      cells.failed(place, error, usedAt);
    },
    /** Hears of channels that fail on other machines; one listener. */
    onFailing(listener: (channelId: number) => void): void {
      failing = listener;
    },
    /** Writes what waits, and asks what others saw. */
    exchange,
    async close(): Promise<void> {
      clearInterval(timer);
      await exchanging;
      await write().catch(onError);
    },
  };
}

const counted = ['ok', 'failed', 'first_token', 'speed', 'error', 'error_code', 'error_at'] as const;
