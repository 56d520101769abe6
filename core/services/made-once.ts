import { createHash } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import { type Clock, secondsPerDay } from '../lib/clock.ts';

const purpose = 'request';

interface OnceRequest {
  /** What is made, and by whom. */
  what: string;
  /** Undefined where the request brought none: it is made each time. */
  requestKey: string | undefined;
  values: object;
}

/** Writes down, in the transaction that makes rows, which they are. */
export type Note = (ids: readonly number[], transaction: Transaction) => Promise<unknown>;

/**
 * The ids of the rows that a request makes. A browser sends a request again by itself when its connection ends before the response:
 * what the first one has made is found for a day by the key both were sent with, whichever process they come to. With other values
 * it is another request. Where rows have a secret of their own, `repeatableAlphanumerics` finds them without a note.
 */
export function createMadeOnce({ database, now }: { database: Pick<Database, 'oneTimeCodes'>; now: Clock }) {
  return async (
    { what, requestKey, values }: OnceRequest,
    make: (note: Note) => Promise<number[]>,
  ): Promise<number[]> => {
    if (requestKey === undefined) return make(async () => undefined);
    // The key of the request is random and kept nowhere: the values cannot be guessed from the hash.
    const code_hash = createHash('sha256')
      .update(JSON.stringify([what, requestKey, values]))
      .digest('hex');
    const find = async () => (await database.oneTimeCodes.findOne({ where: { code_hash, purpose }, raw: true }))?.data;
    const known = await find();
    if (known !== undefined) return idsIn(known);
    return make((ids, transaction) =>
      database.oneTimeCodes.create(
        { code_hash, purpose, data: ids.join(','), created_at: now(), expires_at: now() + secondsPerDay },
        { transaction },
      ),
    ).catch(async (error: unknown) => {
      // By the same request in another process, at the same moment.
      const made = await find();
      if (made !== undefined) return idsIn(made);
      throw error;
    });
  };
}

const idsIn = (text: string): number[] => text.split(',').map(Number);
