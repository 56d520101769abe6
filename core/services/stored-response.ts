import type { Database } from '../database/connect.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../lib/clock.ts';

export interface StoredResponse {
  channelId: number;
  /** The name the caller asked for. */
  model: string;
}

export interface StoredResponseService {
  /** An upstream keeps an answer of this user. */
  remember(response: StoredResponse & { id: string; userId: number }): Promise<void>;
  /** Where a user's answer lies; undefined when it is nobody's, or somebody else's. */
  ownerOf(id: string, userId: number): Promise<StoredResponse | undefined>;
  forget(id: string, userId: number): Promise<void>;
  /** The upstreams keep answers no longer either. */
  removeOld(): Promise<void>;
}

/** OpenAI keeps responses for 30 days. */
const keptDays = 30;
/** Ids are theirs, and shorter; a longer one was never given. */
const longestId = 256;

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
    async remember({ id, userId, channelId, model }) {
      if (id.length > longestId) return;
      await run(
        `INSERT INTO stored_responses (user_id, id, channel_id, model, created_at)
         VALUES (:userId, :id, :channelId, :model, :now)
         ON CONFLICT (user_id, id) DO UPDATE
           SET channel_id = excluded.channel_id, model = excluded.model, created_at = excluded.created_at`,
        { userId, id, channelId, model, now: now() },
      );
    },

    async ownerOf(id, userId) {
      if (id.length > longestId) return undefined;
      const [row] = await database.select<{ channel_id: number; model: string }>(
        'SELECT channel_id, model FROM stored_responses WHERE user_id = :userId AND id = :id AND created_at > :since',
        { id, userId, since: now() - keptDays * secondsPerDay },
      );
      return row && { channelId: Number(row.channel_id), model: row.model };
    },

    forget: (id, userId) => run('DELETE FROM stored_responses WHERE user_id = :userId AND id = :id', { id, userId }),

    removeOld: () =>
      run('DELETE FROM stored_responses WHERE created_at <= :before', { before: now() - keptDays * secondsPerDay }),
  };
}
