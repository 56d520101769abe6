import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { App } from '../../../core/app.ts';
import { formatCost } from '../../../core/billing/quota.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type Log, type LogFilter, logListSchema } from '../../../core/schemas/log.ts';
import { maxPageSize } from '../../../core/schemas/paging.ts';
import { coded } from '../../../core/text/coded.ts';
import type { Context } from '../../context.ts';
import { exitCode } from '../../failure.ts';
import { type LogWords, logFilterFrom } from '../../flag/log-filter.ts';
import { example } from '../../flag/selection.ts';
import { wholeNumber } from '../../flag/value.ts';
import { untilStopped } from '../../interruption.ts';
import { requireInstallation } from '../../passing-place.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { columnsFor, readable } from './column.ts';
import { addFilterFlags } from './filter.ts';

interface FollowFlags extends LogWords {
  last: string;
}

const pollMs = 2000;
/** PostgreSQL gives ids before it shows the rows: one that was held up comes out with an id below those already printed. */
const lateMs = 10_000;

export function addFollow(noun: Command, context: Context): void {
  const { host, output, speak } = context;
  const command = noun.command('follow').description(speak('help.logFollow'));
  example(command, context, 'log follow --type consume', "log follow --model 'gpt-4o%' --json");
  addFilterFlags(command, context)
    .option('--last <number>', speak('flag.last'), '10')
    .action(async ({ last, ...flags }: FollowFlags) => {
      const max = wholeNumber(last);
      if (!(max >= 0 && max <= maxPageSize))
        throw new AppError('input.invalid', {
          reason: `--last: ${coded('input.range', { min: 0, max: maxPageSize })}`,
        });
      await requireInstallation(await context.config());
      const app = await context.app();
      const columns = columnsFor((quota) => formatCost(quota, quotaFormat(app.services.options)));
      const reader = createReader(app, await logFilterFrom(app, flags));
      const ending = await untilStopped(host, async (signal) => {
        for (let rows = await reader.start(max); ; rows = await reader.read()) {
          await output.append(readable(output, app.services, rows), columns);
          await pause(pollMs, undefined, { signal });
        }
      });
      if (ending === 'interrupted') context.exitCode = exitCode.interrupted;
    });
}

/** Each row of the log once, as it comes. */
function createReader({ services }: App, filter: LogFilter) {
  /** Ids that were printed and may be read again. */
  let printed = new Set<number>();
  /** The largest id that was there at each of the last polls. */
  let polls: { at: number; id: number }[] = [];
  /** Everything up to this one is settled. */
  let floor = 0;

  /** What is there already counts as printed, also where a row that was held up may still come between. */
  async function start(max: number): Promise<Log[]> {
    const newest = await services.logs.list(systemActor, logListSchema.parse({ page_size: maxPageSize }));
    const latest = newest.items.filter(({ created_at }) => created_at > nowSeconds() - lateMs / 1000);
    const [ids, recent] = [newest.items, latest].map((rows) => rows.map(({ id }) => id));
    floor = recent?.length ? Math.min(...recent) - 1 : Math.max(0, ...(ids ?? []));
    await read();
    if (max === 0) return [];
    const { items } = await services.logs.list(systemActor, logListSchema.parse({ ...filter, page_size: max }));
    return remember(items.reverse());
  }

  async function read(): Promise<Log[]> {
    const now = performance.now();
    const rows: Log[] = [];
    for (let after_id = floor; ; ) {
      const query = logListSchema.parse({ ...filter, after_id, page_size: maxPageSize });
      const { items } = await services.logs.list(systemActor, query);
      rows.push(...items);
      after_id = items.at(-1)?.id ?? after_id;
      if (items.length < maxPageSize) break;
    }
    const fresh = remember(rows.filter(({ id }) => !printed.has(id)));
    polls.push({ at: now, id: rows.at(-1)?.id ?? floor });
    const settled = polls.filter(({ at }) => now - at >= lateMs).at(-1);
    if (settled) {
      floor = settled.id;
      polls = polls.filter(({ at }) => now - at < lateMs);
      printed = new Set([...printed].filter((id) => id > floor));
    }
    return fresh;
  }

  function remember(rows: Log[]): Log[] {
    for (const { id } of rows) printed.add(id);
    return rows;
  }

  return { start, read };
}
