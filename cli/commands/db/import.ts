import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { TakeoverSource } from '../../../core/services/takeover/source.ts';
import type { TableReport, TakeoverReason } from '../../../core/services/takeover/taking.ts';
import type { Context } from '../../context.ts';
import { exitCode } from '../../failure.ts';
import { example } from '../../flag/selection.ts';
import { untilStopped } from '../../interruption.ts';
import type { Column } from '../../output.ts';
import { startProgress } from '../../print/progress.ts';
import type { Sentence } from '../../text.ts';

interface ImportFlags {
  dryRun?: boolean;
  merge?: boolean;
  logs?: boolean;
  yes?: boolean;
}

const columns: Column<TableReport>[] = [
  { title: 'TABLE', value: ({ table }) => table, keep: true },
  { title: 'READ', value: ({ read }) => read, right: true },
  { title: 'TAKEN', value: ({ taken }) => taken, right: true },
  { title: 'PRESENT', value: ({ present }) => present, right: true },
  { title: 'SKIPPED', value: ({ skipped }) => skipped, right: true, color: ({ skipped }) => skippedColor(skipped) },
];

const skippedColor = (count: number) => (count > 0 ? 'yellow' : undefined);

const reasonText: Record<TakeoverReason, Sentence> = {
  deleted: 'import.deleted',
  nameTaken: 'import.nameTaken',
  nameChanged: 'import.nameChanged',
  outsideTaken: 'import.outsideTaken',
  noKey: 'import.noKey',
  keyTaken: 'import.keyTaken',
  severalKeys: 'import.severalKeys',
  typeUnknown: 'import.typeUnknown',
  noUser: 'import.noUser',
  badAddresses: 'import.badAddresses',
  badSetting: 'import.badSetting',
  codeForm: 'import.codeForm',
  unpaid: 'import.unpaid',
  optionUnknown: 'import.optionUnknown',
  optionInvalid: 'import.optionInvalid',
  optionSet: 'import.optionSet',
  rootLowered: 'import.rootLowered',
};

export function addImport(noun: Command, context: Context): void {
  const { speak } = context;
  const command = noun
    .command('import')
    .description(speak('help.dbImport'))
    .argument('<place>', speak('flag.importPlace'))
    .option('--dry-run', speak('flag.importDryRun'))
    .option('--logs', speak('flag.importLogs'))
    .option('--merge', speak('flag.importMerge'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (named: string, flags: ImportFlags) => {
      const { openSource } = await import('../../../core/services/takeover/source.ts');
      const source = await openSource(await placeOf(context, named));
      try {
        await takeOverFrom(context, source, flags);
      } finally {
        await source.close();
      }
    });
  example(
    command,
    context,
    'db import one-api.db --dry-run',
    'db import one-api.db --logs --yes',
    'db import - < dsn.txt',
  );
}

async function takeOverFrom(context: Context, source: TakeoverSource, flags: ImportFlags): Promise<void> {
  const { speak, host } = context;
  const { dryRun = false, merge = false, logs = false, yes } = flags;
  const { database: target } = await context.config();
  const { requireUnused } = await import('../../../core/billing/live-owner.ts');
  await requireUnused(target);
  if (!dryRun) {
    const [users, channels] = [await source.count('users'), await source.count('channels')];
    await context.confirm(speak('import.confirm', { kind: source.kind, users, channels }), yes);
  }
  const { takeOver } = await import('../../../core/services/takeover/takeover.ts');
  const { database, secretBox, services } = await context.app();
  const { options, abilities, audit } = services;
  const dependencies = { database, secretBox, options, abilities, audit, now: nowSeconds };
  const progress = startProgress(context, logs ? await source.count('logs') : 0);
  let tables: TableReport[] = [];
  const ending = await untilStopped(host, async (signal) => {
    const request = { source, dryRun, merge, logs, onLogs: progress.at, signal };
    tables = await takeOver(systemActor, dependencies, request);
  }).finally(progress.end);
  await print(context, tables, dryRun);
  if (ending === 'interrupted') context.exitCode = exitCode.interrupted;
}

/** What was taken, what was not and why, and whether the books are right with it. */
async function print(context: Context, tables: TableReport[], dryRun: boolean): Promise<void> {
  const { output, speak } = context;
  const { ledger } = await context.app();
  const report = await ledger.verify();
  if (!report.ok) context.exitCode = exitCode.failed;
  const taken = tables.reduce((sum, table) => sum + table.taken, 0);
  const message = dryRun ? speak('import.wouldTake', { count: taken }) : speak('import.taken', { count: taken });
  if (output.json) return output.done(message, { dry_run: dryRun, tables, ledger: report });
  await output.list({ items: tables, page: 1, page_size: tables.length, total: tables.length }, columns);
  for (const { table, notes } of tables) {
    for (const { reason, count, examples } of notes) {
      const names = examples.join(', ') + (count > examples.length ? ', …' : '');
      output.say(speak('import.note', { table, count, reason: speak(reasonText[reason]), names }));
    }
  }
  output.say(message);
  output.say(
    report.ok ? speak('ledger.ok', report.checked) : speak('check.ledgerWrong', { count: report.differenceCount }),
  );
}

/** A file, or the address of a database; one with a password in it is not for the command line. */
async function placeOf({ input }: Context, named: string): Promise<string> {
  const place = named === '-' ? (await input.readAll()).trim() : named;
  if (named !== '-' && URL.canParse(named) && new URL(named).password !== '') {
    throw new AppError('cli.secretInWords', { flag: 'db import', instead: '- < file' });
  }
  return /^\w+:\/\/|@(tcp|unix)\(/.test(place) ? place : resolve(place);
}
