import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Services } from '../../../core/app/services.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { unreadableFile } from '../../../core/errors/unreadable-file.ts';
import { maxSourceBytes } from '../../../core/integrations/price-source/fetch-source.ts';
import { typedNames } from '../../../core/lib/typed-list.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { sourceNames } from '../../../core/schemas/price-source.ts';
import type { PriceDiff, PriceDiffRow } from '../../../core/schemas/price-sync.ts';
import type { Context } from '../../context.ts';
import { exitCode } from '../../failure.ts';
import { example, usage } from '../../flag/selection.ts';
import type { Column } from '../../output.ts';
import { changeOfFigure } from '../../print/price-figure.ts';

interface Flags {
  models?: string;
  served?: boolean;
  all?: boolean;
  yes?: boolean;
  apply?: boolean;
  override?: boolean;
  check?: boolean;
}

export function addSync(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun.command('sync').description(speak('help.pricingSync'));
  example(
    command,
    context,
    'pricing sync',
    "pricing sync litellm --models 'gpt-*,claude-*'",
    'pricing sync https://prices.example.com/api/pricing --served --yes',
    'pricing sync prices.json --check',
  );
  command
    .argument('[source]', speak('argument.priceSource', { names: sourceNames.join(', ') }))
    .option('--models <names>', speak('flag.syncModels'))
    .option('--served', speak('flag.syncServed'))
    .option('--all', speak('flag.syncAll'))
    .option('--override', speak('flag.syncOverride'))
    .option('--check', speak('flag.syncCheck'))
    .option('--apply', speak('flag.syncApply'))
    .option('-y, --yes', speak('flag.syncApply'))
    .action(async (word: string | undefined, flags: Flags, self: Command) => {
      const wantsChange = flags.yes || flags.apply;
      if (flags.served && flags.all) throw usage(self, speak('usage.oneOf', { flags: '--served, --all' }));
      if (flags.check && wantsChange) throw usage(self, speak('usage.oneOf', { flags: '--check, --yes' }));
      const { services } = await context.app();
      const { priceSync } = services;
      const reading = await readNamed(services, word ?? services.options.get('PriceSyncSource'));
      const scope = flags.all ? 'all' : flags.served ? 'served' : 'known';
      const models = typedNames(flags.models ?? '');
      const diff = await priceSync.compare(systemActor, reading, { scope, models });
      const chosen = diff.rows.filter(({ held }) => held === null || flags.override);
      if (!wantsChange) {
        await show(context, diff, diff.rows);
        sayFindings(context, diff);
        if (diff.total > 0) output.say(speak('pricing.syncPreview', { chosen: chosen.length, total: diff.total }));
        if (flags.check && diff.total > 0) context.exitCode = exitCode.failed;
        return;
      }
      const seen = chosen.map(({ model, old, next }) => ({ model, old, next }));
      const applied = await priceSync.apply(systemActor, reading, seen, { origin: 'sync' });
      await priceSync.remember(reading);
      const details = { count: applied.length, held: diff.total - applied.length, source: reading.source };
      const message = speak(diff.total > applied.length ? 'pricing.syncedPartly' : 'pricing.synced', details);
      if (output.json) return output.done(message, { models: applied, ...diff });
      await show(context, diff, diff.rows);
      sayFindings(context, diff);
      output.done(message);
    });
}

/** A known name, an address, or else a file. */
async function readNamed({ priceSync }: Pick<Services, 'priceSync'>, source: string) {
  const isFile = !sourceNames.some((name) => name === source) && !/^https?:\/\//i.test(source);
  if (!isFile) return priceSync.read(systemActor, { source });
  return priceSync.read(systemActor, { source: basename(source), content: await readText(source) });
}

async function readText(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > maxSourceBytes) {
      throw new AppError('priceSource.tooLarge', { source: file, mib: maxSourceBytes / 2 ** 20 });
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !/[./\\]/.test(file)) throw new AppError('priceSource.unknown', { source: file });
    throw unreadableFile(file, error);
  }
}

async function show({ output, speak }: Context, diff: PriceDiff, rows: PriceDiffRow[]): Promise<void> {
  if (output.json) {
    const { rows: all, ...rest } = diff;
    return output.list({ items: all, page: 1, page_size: all.length, ...rest, total: diff.total }, []);
  }
  if (rows.length === 0) return output.say(speak('pricing.syncNothing', { count: diff.same, source: diff.source }));
  const heldText = ({ held }: PriceDiffRow) => (held === null ? '' : speak(`pricing.held.${held}`));
  const columns: Column<PriceDiffRow>[] = [
    { title: 'MODEL', value: ({ model }) => model, keep: true },
    { title: 'IN $/1M', value: ({ old, next }) => changeOfFigure(old, next, 'input'), right: true },
    { title: 'CACHED', extra: true, value: ({ old, next }) => changeOfFigure(old, next, 'cached'), right: true },
    { title: 'OUT $/1M', value: ({ old, next }) => changeOfFigure(old, next, 'output'), right: true },
    { title: '$/CALL', extra: true, value: ({ old, next }) => changeOfFigure(old, next, 'call'), right: true },
    { title: 'CHANGE', value: ({ change }) => percentText(change), right: true },
    { title: 'SERVED', value: ({ groups }) => groups.join(',') || '-' },
    { title: 'HELD', whole: true, value: heldText, color: ({ held }) => (held === null ? undefined : 'yellow') },
  ];
  await output.list({ items: rows, page: 1, page_size: rows.length, total: diff.total }, columns);
}

const percentText = (change: number | null) => (change === null ? '-' : `${change > 0 ? '+' : ''}${change}%`);

function sayFindings({ output, speak }: Context, { source, same, missing, faults, fault_count }: PriceDiff): void {
  output.say(speak('pricing.syncSame', { count: same, source }));
  if (missing.length > 0) {
    const shown = missing.slice(0, 20).join(', ');
    output.say(speak('pricing.syncMissing', { count: missing.length, models: shown }));
  }
  if (fault_count > 0) output.say(speak('pricing.syncFaults', { count: fault_count }));
  for (const { model, field, value, fault } of faults) {
    output.say(`  ${model}: ${field} = ${value}: ${speak(`pricing.fault.${fault}`)}`);
  }
}
