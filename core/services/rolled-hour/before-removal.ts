import type { Database } from '../../database/connect.ts';
import { type Clock, secondsPerHour } from '../../lib/clock.ts';
import { isStorable, joined, readKnown, readRolled, readRows, totalOf, writeHour } from './hour.ts';
import { createRollUp, firstOpenHour } from './roll-up.ts';

interface Removal {
  /** Rows before this moment are about to go. */
  before: number;
  now: Clock;
  signal?: AbortSignal | undefined;
}

/** Only the rows of an hour know what its calls consisted of, until they are added up: all that is about to go is added up first. */
export async function addUpBefore(
  database: Database,
  { before, now, signal = new AbortController().signal }: Removal,
): Promise<void> {
  await createRollUp({ database, now, maxMs: Number.POSITIVE_INFINITY, calledBefore: before })(signal);
  for (let hour = firstOpenHour(now()); hour < before && !signal.aborted; hour += secondsPerHour) {
    await addUpOpen(database, hour);
  }
}

/**
 * An hour that goes on. Calls are settled all the time, so its hourly sums are never surely those of the rows that were read: the rows
 * stand for themselves. Once the hour is over, what came later is added to them.
 */
async function addUpOpen(database: Database, hour: number): Promise<void> {
  const logs = await database.logHome();
  const { calls } = totalOf(await readKnown(database, hour));
  const former = await readRolled(database, hour);
  const fresh = await readRows(logs, hour, { after: former?.lastId, calls });
  const content = former ? joined(former, fresh) : fresh;
  const known = content.cells;
  if (known.length > 0 && isStorable(totalOf(known)))
    await writeHour(database, { hour, known, content, sums: totalOf(known) });
}
