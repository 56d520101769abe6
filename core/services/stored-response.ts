import type { Database } from '../database/connect.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../lib/clock.ts';

export interface StoredResponse {
  channelId: number;
  /** The name the caller asked for. */
  model: string;
}

export interface StoredResponseService {
  /** An upstream keeps an answer of this user. */
  remember(response: StoredResponse & { id: string; userId: number; items?: readonly string[] }): Promise<void>;
  /** Where a user's answer lies; undefined when it is nobody's, or somebody else's. */
  ownerOf(id: string, userId: number): Promise<StoredResponse | undefined>;
  /** Of several answers and items those that are this user's, by their ids. */
  ownersOf(ids: readonly string[], userId: number): Promise<Map<string, StoredResponse>>;
  forget(id: string, userId: number): Promise<void>;
  /** The upstreams keep answers no longer either. */
  removeOld(): Promise<void>;
}

/** OpenAI keeps responses for 30 days. */
const keptDays = 30;
/** Ids are theirs, and shorter; a longer one was never given. */
const maxIdLength = 256;
/** Of one answer, itself included. */
const maxItems = 200;

/** Which user an answer belongs to that an upstream keeps: to the upstream all our users are one. */
export function createStoredResponseService({
  database,
  now = nowSeconds,
}: {
  database: Database;
  now?: Clock;
}): StoredResponseService {
  async function run(sql: string, replacements: Record<string, unknown>): Promise<void> {
    await database.sequelize.query(sql, { replacements });
  }

  return {
    async remember({ id, items = [], userId, channelId, model }) {
      const ids = [...new Set([id, ...items])].filter((one) => one.length <= maxIdLength).slice(0, maxItems);
      if (ids.length === 0) return;
      // Everything in one statement: an answer costs one trip, however many items it has.
      const rows = ids.map((_id, index) => `(:userId, :id${index}, :channelId, :model, :now)`).join(', ');
      const named = Object.fromEntries(ids.map((one, index) => [`id${index}`, one]));
      await run(
        `INSERT INTO stored_responses (user_id, id, channel_id, model, created_at)
         VALUES ${rows}
         ON CONFLICT (user_id, id) DO UPDATE
           SET channel_id = excluded.channel_id, model = excluded.model, created_at = excluded.created_at`,
        { ...named, userId, channelId, model, now: now() },
      );
    },

    async ownerOf(id, userId) {
      if (id.length > maxIdLength) return undefined;
      const [row] = await database.select<{ channel_id: number; model: string }>(
        'SELECT channel_id, model FROM stored_responses WHERE user_id = :userId AND id = :id AND created_at > :since',
        { id, userId, since: now() - keptDays * secondsPerDay },
      );
      return row && { channelId: Number(row.channel_id), model: row.model };
    },

    async ownersOf(ids, userId) {
      const rows = await database.select<{ id: string; channel_id: number; model: string }>(
        `SELECT id, channel_id, model FROM stored_responses
         WHERE user_id = :userId AND id IN (:ids) AND created_at > :since`,
        {
          ids: ids.filter((id) => id.length <= maxIdLength).concat(''),
          userId,
          since: now() - keptDays * secondsPerDay,
        },
      );
      return new Map(rows.map(({ id, channel_id, model }) => [id, { channelId: Number(channel_id), model }]));
    },

    forget: (id, userId) => run('DELETE FROM stored_responses WHERE user_id = :userId AND id = :id', { id, userId }),

    removeOld: () =>
      run('DELETE FROM stored_responses WHERE created_at <= :before', { before: now() - keptDays * secondsPerDay }),
  };
}
