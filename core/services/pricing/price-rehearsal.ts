import { type Bill, readBill } from '../../billing/receipt.ts';
import { repriceBill } from '../../billing/reprice.ts';
import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import { parseRecord, textOf } from '../../lib/json-value.ts';
import { finishInTurns, isStep, type Steps } from '../../lib/steps.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { OptionKey, OptionValues } from '../../schemas/option.ts';
import {
  type PriceRehearsal,
  type RehearsalGap,
  type RehearsalReport,
  rehearsedOptionKeys,
} from '../../schemas/price-rehearsal.ts';
import { requireRole } from '../actor.ts';
import { type LogCursor, readBefore } from '../log/page.ts';
import { knownKey, type ReadOption, readOrRefuse } from '../option/value.ts';
import { createPricing, type Priced, rateTablesOf } from './pricing.ts';
import { createRehearsalSums } from './rehearsal-sums.ts';

interface PriceRehearsalDependencies {
  database: Database;
  options: { get: ReadOption };
  now?: Clock;
}

const readAtOnce = 500;

/** What the requests of the last days would have cost at other prices. */
export function createPriceRehearsal({ database, options, now = nowSeconds }: PriceRehearsalDependencies) {
  let isRunning = false;

  /**
   * Each request that was charged is priced again, from what its log row holds, by the function that priced it. Reads the log in
   * parts and lets calls have their turn; one at a time in a process, `price.rehearsing` for a second. `onRows` hears how many rows
   * have been read.
   */
  async function rehearse(
    actor: Actor,
    input: PriceRehearsal,
    onRows?: (rows: number) => void,
  ): Promise<RehearsalReport> {
    requireRole(actor, role.root);
    const { get, ignored } = proposed(options.get, input);
    const price = createPricer(get);
    if (isRunning) throw new AppError('price.rehearsing');
    isRunning = true;
    try {
      const end = now();
      const start = end - input.days * secondsPerDay;
      const sums = createRehearsalSums();
      let seen = 0;
      for await (const rows of chargedRows(database, start, end)) {
        const refunded = await refundedOf(database, rows);
        await finishInTurns(addRows(rows, { price, refunded, sums }));
        seen += rows.length;
        onRows?.(seen);
      }
      return { start, end, ...sums.report(), ignored_options: ignored };
    } finally {
      isRunning = false;
    }
  }

  return { rehearse };
}

export type PriceRehearsals = ReturnType<typeof createPriceRehearsal>;

/** The options of today with those of the proposal in their place, read with the checks of a change. */
function proposed(today: ReadOption, { options }: PriceRehearsal): { get: ReadOption; ignored: OptionKey[] } {
  const values = new Map<OptionKey, unknown>();
  const ignored: OptionKey[] = [];
  for (const [name, value] of Object.entries(options)) {
    const key = knownKey(name);
    if (!rehearsedOptionKeys.some((rehearsed) => rehearsed === key)) ignored.push(key);
    else values.set(key, readOrRefuse(key, typeof value === 'string' ? value : JSON.stringify(value)).value);
  }
  const get = <K extends OptionKey>(key: K) => (values.has(key) ? values.get(key) : today(key)) as OptionValues[K];
  return { get, ignored };
}

type Pricer = (row: LogRow) => number | RehearsalGap;

function createPricer(get: ReadOption): Pricer {
  const tables = rateTablesOf(get);
  const pricing = createPricing(() => tables);
  // To find out that a model has no price takes longer than to find its price.
  const unpriced = new Set<string>();

  function find(model: string, group: string, isJob: boolean): Priced | undefined {
    if (unpriced.has(model)) return undefined;
    try {
      return (isJob ? pricing.findJob : pricing.find)(model, group);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'model.unpriced')) throw error;
      unpriced.add(model);
      return undefined;
    }
  }

  function priceBill(row: LogRow, bill: Bill): number | RehearsalGap {
    // The relay refuses calls of a group without a ratio.
    if (!Object.hasOwn(tables.groupRatio, row.group)) return 'noGroup';
    const priced = find(row.model_name, row.group, isJob(row));
    if (!priced) return 'unpriced';
    return repriceBill(bill, priced.prepared, () => textOf(parseRecord(row.other)?.protocol));
  }

  return (row) => {
    const bill = readBill(row.other);
    if (!bill) return 'noBill';
    try {
      return priceBill(row, bill);
    } catch (error) {
      if (error instanceof AppError && error.code === 'price.overflow') return 'overflow';
      throw error;
    }
  };
}

/** Newest first. */
async function* chargedRows(database: Database, start: number, end: number): AsyncGenerator<LogRow[]> {
  const byIndex = ['created_at >= :start', 'created_at <= :end'];
  const plan = { byIndex, byRow: ['type = 2'], replacements: { start, end } };
  let cursor: LogCursor | undefined;
  do {
    const rows: LogRow[] = await readBefore(database, plan, cursor, `LIMIT ${readAtOnce}`);
    if (rows.length > 0) yield rows;
    cursor = rows.length === readAtOnce ? rows.at(-1) : undefined;
  } while (cursor);
}

/** A drawing, a song or a video: it has no tokens, and a price of its own where its model has only a ratio. */
const isJob = ({ other }: LogRow) => other.includes('"task_id"');

/** Request ids of jobs whose charge went back. */
async function refundedOf(database: Database, rows: readonly LogRow[]): Promise<ReadonlySet<string>> {
  const refs = rows.flatMap((row) => (row.request_id && isJob(row) ? [row.request_id] : []));
  if (refs.length === 0) return new Set();
  // SQL: the table is the ledger's.
  const entries = await database.select<{ ref: string }>(
    `SELECT ref FROM quota_entries WHERE kind = 'task_refund' AND ref IN (:refs)`,
    { refs },
  );
  return new Set(entries.map(({ ref }) => ref));
}

interface Adding {
  price: Pricer;
  refunded: ReadonlySet<string>;
  sums: ReturnType<typeof createRehearsalSums>;
}

function* addRows(rows: readonly LogRow[], { price, refunded, sums }: Adding): Steps<void> {
  for (const [index, row] of rows.entries()) {
    if (isStep(index)) yield;
    if (row.request_id && refunded.has(row.request_id)) {
      sums.leaveOutRefunded();
      continue;
    }
    const result = price(row);
    if (typeof result === 'number') sums.add(row, result);
    else sums.skip(row, result);
  }
}
