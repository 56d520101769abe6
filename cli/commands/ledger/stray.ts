import { type Command, InvalidArgumentError } from 'commander';
import { formatQuota } from '../../../core/billing/quota.ts';
import { isRequestId } from '../../../core/lib/request-id.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type StraySettlement, strayStates } from '../../../core/schemas/stray-settlement.ts';
import type { Context } from '../../context.ts';
import { example, usage } from '../../flag/selection.ts';
import { formatTime } from '../../flag/value.ts';
import type { Column } from '../../output.ts';
import { type NameOf, userNames } from '../../print/object-name.ts';
import { quotaFormat } from '../../print/quota-format.ts';

interface StrayFlags {
  book?: string;
  drop?: string;
  yes?: boolean;
}

/** Settlements that had no hold any more: what was booked anyway, and what an administrator must decide. */
export function addStray(noun: Command, context: Context): void {
  const { output, speak } = context;
  const readId = (text: string) => {
    if (!isRequestId(text)) throw new InvalidArgumentError(speak('usage.requestId'));
    return text;
  };
  const command = noun
    .command('stray')
    .description(speak('help.ledgerStray'))
    .option('--book <id>', speak('flag.strayBook'), readId)
    .option('--drop <id>', speak('flag.strayDrop'), readId)
    .option('-y, --yes', speak('flag.yes'))
    .action(async ({ book, drop, yes }: StrayFlags) => {
      if (book !== undefined && drop !== undefined) {
        throw usage(command, speak('usage.oneOf', { flags: '--book, --drop' }));
      }
      const app = await context.app();
      const { services } = app;
      if (book !== undefined) {
        await context.confirm(speak('stray.askBook', { id: book }), yes);
        await services.straySettlements.book(systemActor, book);
        return output.done(speak('stray.booked', { id: book }), { id: book, state: 'booked' });
      }
      if (drop !== undefined) {
        await context.confirm(speak('stray.askDrop', { id: drop }), yes);
        await services.straySettlements.drop(systemActor, drop);
        return output.done(speak('stray.dropped', { id: drop }), { id: drop, state: 'dropped' });
      }
      const items = await services.straySettlements.list(systemActor);
      const format = (quota: number) => formatQuota(quota, quotaFormat(services.options));
      const userOf = await userNames(
        app,
        items.map(({ user_id }) => user_id),
      );
      await output.list({ items, page: 1, page_size: items.length, total: items.length }, columns(format, userOf));
    });
  example(command, context, 'ledger stray', 'ledger stray --book 0197c1a2-0000-7000-8000-000000000000');
}

const columns = (format: (quota: number) => string, userOf: NameOf): Column<StraySettlement>[] => [
  { title: 'ID', value: ({ id }) => id, keep: true },
  { title: 'USER', value: ({ user_id }) => userOf(user_id) },
  { title: 'QUOTA', value: ({ quota }) => format(quota), right: true },
  {
    title: 'STATE',
    value: ({ state }) => state,
    color: ({ state }) => (state === strayStates.parked ? 'red' : undefined),
  },
  { title: 'FOUND', value: ({ found_at }) => formatTime(found_at) },
];
