import { Op } from 'sequelize';
import type { Database } from '../database/connect.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../lib/clock.ts';
import { removeInBatches } from './log/pace.ts';

export interface StoredResponse {
  channelId: number;
  /** The id of the channel's key that it was made with; 0 = its only one. */
  channelKey?: number;
  /** The name the caller asked for. */
  model: string;
}

export interface StoredResponseService {
  /** An upstream keeps a response of this user. */
  remember(response: StoredResponse & { id: string; userId: number; items?: readonly string[] }): Promise<void>;
  /** Where a user's response lies; undefined when it is unknown or another user's. */
  ownerOf(id: string, userId: number): Promise<StoredResponse | undefined>;
  /** Of several responses and items those that are this user's, by their ids. */
  ownersOf(ids: readonly string[], userId: number): Promise<Map<string, StoredResponse>>;
  forget(id: string, userId: number): Promise<void>;
  /** The upstreams do not keep responses longer either. A busy hour makes very many rows: they go a few at a time. */
  removeOld(signal?: AbortSignal): Promise<void>;
}

/** OpenAI keeps responses for 30 days. */
const keptDays = 30;
/** Ids are theirs, and shorter; a longer one was never given. */
const maxIdLength = 256;
/** Of one response, itself included. */
const maxItems = 200;

/** Which user a response belongs to that an upstream keeps: to the upstream all our users are one. */
export function createStoredResponseService({
  database,
  now = nowSeconds,
}: {
  database: Database;
  now?: Clock;
}): StoredResponseService {
  const { storedResponses } = database;
  const oldest = () => now() - keptDays * secondsPerDay;
  const isKept = () => ({ created_at: { [Op.gt]: oldest() } });
  const storedOf = ({
    channel_id,
    channel_key,
    model,
  }: {
    channel_id: number;
    channel_key: number;
    model: string;
  }) => ({
    channelId: channel_id,
    channelKey: channel_key,
    model,
  });

  return {
    async remember({ id, items = [], userId, channelId, channelKey = 0, model }) {
      const ids = [...new Set([id, ...items])].filter((one) => one.length <= maxIdLength).slice(0, maxItems);
      if (ids.length === 0) return;
      // Everything in one statement: a response costs one round trip, however many items it has.
      const place = { user_id: userId, channel_id: channelId, channel_key: channelKey };
      const rows = ids.map((one) => ({ ...place, id: one, model, created_at: now() }));
      await storedResponses.bulkCreate(rows, {
        updateOnDuplicate: ['channel_id', 'channel_key', 'model', 'created_at'],
      });
    },

    async ownerOf(id, userId) {
      if (id.length > maxIdLength) return undefined;
      const row = await storedResponses.findOne({ where: { user_id: userId, id, ...isKept() }, raw: true });
      return row ? storedOf(row) : undefined;
    },

    async ownersOf(ids, userId) {
      const possible = ids.filter((id) => id.length <= maxIdLength);
      const rows = await storedResponses.findAll({ where: { user_id: userId, id: possible, ...isKept() }, raw: true });
      return new Map(rows.map((row) => [row.id, storedOf(row)]));
    },

    async forget(id, userId) {
      await storedResponses.destroy({ where: { user_id: userId, id } });
    },

    async removeOld(signal) {
      const before = oldest();
      const remove = async (limit: number): Promise<number> => {
        // SQL: the rows are chosen and deleted by one statement.
        const gone = await database.select(
          `DELETE FROM stored_responses WHERE (user_id, id) IN (
             SELECT user_id, id FROM stored_responses WHERE created_at <= :before ORDER BY created_at LIMIT :limit)
           RETURNING id`,
          { before, limit },
        );
        return gone.length;
      };
      await removeInBatches(remove, { signal });
    },
  };
}
