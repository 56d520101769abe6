import { startOfDay, zoneOffsets } from '../../lib/calendar-window.ts';
import { secondsPerDay, secondsPerHour } from '../../lib/clock.ts';
import type { UsageDataSpan } from '../../schemas/usage-data.ts';
import type { LogRange } from '../rolled-hour/split-range.ts';

/** Hours, or days of the reader's clock, by their numbers. */
export interface Slots {
  seconds: number;
  /** The number of a row's slot, as SQL. */
  sql: string;
  of(moment: number): number;
  /** The first moment of a slot. */
  startOf(slot: number): number;
}

type SlotChoice = Pick<UsageDataSpan, 'unit' | 'utc_offset' | 'time_zone'>;

/** Days are as long as those of the reader's zone; where only an offset is said, all have 24 hours. */
export function slotsOf({ unit, utc_offset = 0, time_zone }: SlotChoice, { start, end }: LogRange): Slots {
  const defaultValue = end - start > 31 * secondsPerDay ? 'day' : 'hour';
  if ((unit ?? defaultValue) === 'hour') return plainSlots(secondsPerHour, 0);
  return time_zone === undefined ? plainSlots(secondsPerDay, utc_offset * 60) : zoneDays(time_zone, { start, end });
}

const plainSlots = (seconds: number, offset: number): Slots => ({
  seconds,
  sql: `(created_at + ${offset}) / ${seconds}`,
  of: (moment) => Math.floor((moment + offset) / seconds),
  startOf: (slot) => slot * seconds - offset,
});

function zoneDays(zone: string, range: LogRange): Slots {
  const offsets = zoneOffsets(zone, range);
  const last = offsets.at(-1)?.offset ?? 0;
  const cases = offsets.slice(1).map(({ from }, at) => `WHEN created_at < ${from} THEN ${offsets[at]?.offset}`);
  const offset = cases.length > 0 ? `CASE ${cases.join(' ')} ELSE ${last} END` : last;
  const offsetAt = (moment: number) =>
    offsets.findLast(({ from }) => from <= moment)?.offset ?? offsets[0]?.offset ?? 0;
  const starts = new Map<number, number>();
  return {
    seconds: secondsPerDay,
    sql: `(created_at + ${offset}) / ${secondsPerDay}`,
    of: (moment) => Math.floor((moment + offsetAt(moment)) / secondsPerDay),
    startOf(slot) {
      // One for each of many rows; a look into the calendar takes some time.
      const start = starts.get(slot) ?? startOfDay(zone, slot);
      starts.set(slot, start);
      return start;
    },
  };
}
