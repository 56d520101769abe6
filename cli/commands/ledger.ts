import type { Command } from 'commander';
import type { VerifyDifference } from '../../core/billing/verify-ledger.ts';
import type { Context } from '../context.ts';
import { exitCode } from '../failure.ts';
import { databaseFor } from '../flag/moved.ts';
import type { Column } from '../output.ts';
import { requireInstallation } from '../passing-place.ts';
import { addStray } from './ledger/stray.ts';

const columns: Column<VerifyDifference>[] = [
  { title: 'WHAT', value: ({ subject }) => subject },
  { title: 'ID', value: ({ id }) => id, keep: true },
  { title: 'RULE', whole: true, value: ({ rule }) => rule },
  { title: 'EXPECTED', value: ({ expected }) => expected, right: true },
  { title: 'FOUND', value: ({ found }) => found, right: true, color: () => 'red' },
];

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  noun
    .command('verify')
    .description(speak('help.ledgerVerify'))
    .action(async () => {
      await requireInstallation(await context.config());
      const { config, moved } = await databaseFor(context, 'reading');
      const { verifyLedger } = await import('../../core/billing/verify-ledger.ts');
      const report = await verifyLedger(config.database, { logDatabase: config.logDatabase });
      if (!report.ok) context.exitCode = exitCode.failed;
      if (output.json) return output.details({ ...report, ...moved });
      const { differences, differenceCount, strays } = report;
      if (strays.booked > 0) output.say(speak('ledger.straysBooked', { count: strays.booked }));
      if (strays.parked > 0) output.say(speak('ledger.straysParked', { count: strays.parked }));
      if (report.withoutLogs) output.say(speak('ledger.withoutLogs'));
      if (report.ok) return output.done(speak('ledger.ok', report.checked));
      if (differenceCount === 0) return;
      output.say(speak('ledger.wrong', { count: differenceCount }));
      const page = { items: differences, page: 1, page_size: differences.length, total: differenceCount };
      await output.list(page, columns);
    });

  addStray(noun, context);
}
