import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { checkPostgresTls } from '../../../core/config/postgres-tls.ts';
import type { Config } from '../../../core/config.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { MoveEvents, MovePlan, MoveReport, MoveRequest } from '../../../core/services/moving/database/move.ts';
import type { Context } from '../../context.ts';
import { exitCode } from '../../failure.ts';
import { example } from '../../flag/selection.ts';
import { untilStopped } from '../../interruption.ts';
import { requireInstallation } from '../../passing-place.ts';
import { startCounter } from '../../print/counter.ts';
import { sizeOf } from '../../print/size.ts';
import { printWayOn } from './move-advice.ts';
import type { MoveFlags } from './move-flags.ts';

export function addMove(noun: Command, context: Context): void {
  const { speak } = context;
  const command = noun
    .command('move')
    .description(speak('help.dbMove'))
    .option('--to <place>', speak('flag.moveTo'))
    .option('--dry-run', speak('flag.moveDryRun'))
    .option('--write-env', speak('flag.moveWriteEnv'))
    .option('--undo', speak('flag.moveUndo'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (flags: MoveFlags) => {
      if (flags.undo) await undo(context, flags);
      else await move(context, flags);
    });
  example(
    command,
    context,
    'db move --to postgres://tollgate@127.0.0.1/tollgate --dry-run',
    'db move --to - --yes < dsn.txt',
    'db move --undo',
  );
}

async function move(context: Context, flags: MoveFlags): Promise<void> {
  const { planMove } = await import('../../../core/services/moving/database/move.ts');
  const { migrations } = await import('../../../migrations/index.ts');
  const target = await targetOf(context, flags.to);
  const config = await context.config();
  if (target.engine === 'postgres' && config.logDatabase?.engine === 'sqlite') {
    throw new AppError('config.logNeedsPostgres', { name: 'LOG_SQL_DSN' });
  }
  await requireInstallation(config);
  const request = { source: config.database, target, migrations, spoolDirectory: join(config.dataDirectory, 'spool') };
  const plan = await planMove(systemActor, request);
  if (flags.dryRun) return printPlan(context, request, plan);
  const { from, to, rows, state } = plan;
  const question = state === 'begun' ? 'dbMove.confirmResume' : 'dbMove.confirm';
  await context.confirm(context.speak(question, { rows, from, to }), flags.yes);
  const startedMs = performance.now();
  const report = await run(context, request, plan);
  const seconds = (performance.now() - startedMs) / 1000;
  if (report) await printReport(context, { config, plan, report, request, flags, seconds });
}

/** Undefined when it was told to stop. */
async function run(context: Context, request: MoveRequest, plan: MovePlan): Promise<MoveReport | undefined> {
  const { moveDatabase } = await import('../../../core/services/moving/database/move.ts');
  const { output, speak, host } = context;
  let counter = startCounter(context, plan.rows, 'dbMove.rowsCopied');
  let report: MoveReport | undefined;
  const events: Omit<MoveEvents, 'signal'> = {
    onRows: (count) => counter.add(count),
    onCopied: ({ table, rows, sums, hash }) => {
      if (rows > 0) output.step({ table, rows, sums, hash }, speak('dbMove.tableCopied', { table, rows }));
    },
    onProof() {
      counter.end();
      output.say(speak('dbMove.proof'));
      counter = startCounter(context, plan.rows, 'dbMove.rowsProven');
    },
  };
  const ending = await untilStopped(host, async (signal) => {
    report = await moveDatabase(systemActor, request, plan, { ...events, signal });
  }).finally(() => counter.end());
  if (report === undefined && ending !== undefined) {
    context.exitCode = exitCode.interrupted;
    output.error(new AppError('move.broken', { reason: new AppError('cli.interrupted').text(output.language) }));
  }
  return report;
}

interface Moved {
  config: Config;
  plan: MovePlan;
  report: MoveReport;
  request: MoveRequest;
  flags: MoveFlags;
  seconds: number;
}

async function printReport(context: Context, moved: Moved): Promise<void> {
  const { output, speak } = context;
  const { plan, report, seconds } = moved;
  const { from, to } = plan;
  const rows = report.tables.reduce((sum, table) => sum + table.rows, 0);
  const details = { rows, to, seconds: seconds.toFixed(1), rate: Math.round(rows / seconds) };
  output.done(speak('dbMove.done', details), { dry_run: false, from, to, rows, seconds, ...report });
  output.say(
    report.ledger.ok
      ? speak('ledger.ok', report.ledger.checked)
      : speak('dbMove.ledgerEqual', { count: report.ledger.differenceCount }),
  );
  output.say(speak('dbMove.oldStays', { from }));
  await printWayOn(context, { config: moved.config, target: moved.request.target, flags: moved.flags });
}

async function printPlan(context: Context, { source }: MoveRequest, plan: MovePlan): Promise<void> {
  const { output, speak } = context;
  const { from, to, rows, bytes, sizes, state } = plan;
  const { isUsed } = await import('../../../core/billing/live-owner.ts');
  const inUse = await isUsed(source);
  const size = bytes === undefined ? '?' : sizeOf(bytes);
  const message = speak(state === 'begun' ? 'dbMove.wouldResume' : 'dbMove.would', { rows, size, from, to });
  const data = { dry_run: true, from, to, rows, bytes: bytes ?? null, resume: state === 'begun', in_use: inUse };
  const items = sizes.map((one) => ({ ...one, bytes: one.bytes ?? null }));
  if (output.json) return output.done(message, { ...data, tables: items });
  const shown = items.filter((item) => item.rows > 0);
  await output.list({ items: shown, page: 1, page_size: shown.length, total: shown.length }, [
    { title: 'TABLE', value: ({ table }) => table, keep: true },
    { title: 'ROWS', value: (item) => item.rows, right: true },
    { title: 'SIZE', value: (item) => (item.bytes === null ? '?' : sizeOf(item.bytes)), right: true },
  ]);
  output.say(message);
  if (inUse) output.say(speak('dbMove.inUse', { from }));
}

async function undo(context: Context, { yes }: MoveFlags): Promise<void> {
  const { output, speak } = context;
  const { movedTo, takeBack } = await import('../../../core/services/moving/database/source.ts');
  const { shownPlace } = await import('../../../core/services/moving/database/place.ts');
  const { migrations } = await import('../../../migrations/index.ts');
  const config = await context.config();
  const { database } = config;
  await requireInstallation(config);
  const from = shownPlace(database);
  const moved = await movedTo(database, migrations);
  if (!moved) throw new AppError('move.notMoved');
  await context.confirm(speak('dbMove.undoConfirm', { from, ...moved }), yes);
  await takeBack(database);
  output.done(speak('dbMove.undone', { from, ...moved }), { from, ...moved });
}

async function targetOf({ input }: Context, named: string | undefined): Promise<Config['database']> {
  if (named === undefined)
    throw new AppError('cli.usage', {
      reason: "required option '--to <place>' not specified",
      command: 'tollgate db move',
    });
  const value = named === '-' ? (await input.readAll()).trim() : named;
  const isUrl = /^\w+:\/\//.test(value);
  if (!isUrl && /\.(db|sqlite3?)$/.test(value)) return { engine: 'sqlite', file: resolve(value) };
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value)) {
    throw new AppError('move.badTarget', { value: named === '-' ? '-' : value.slice(0, 200) });
  }
  // Every user of the machine can see a command line.
  if (named !== '-' && new URL(value).password !== '') {
    throw new AppError('cli.secretInWords', { flag: '--to', instead: '--to - < file' });
  }
  checkPostgresTls('--to', value);
  return { engine: 'postgres', url: value };
}
