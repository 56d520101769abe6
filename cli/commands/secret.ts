import type { Command } from 'commander';
import type { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import type { RotationReport } from '../../core/services/upkeep/secret-rotation.ts';
import type { Context } from '../context.ts';
import { exitCode } from '../failure.ts';
import { example } from '../flag/selection.ts';
import { untilStopped } from '../interruption.ts';
import { requireInstallation } from '../passing-place.ts';
import { startProgress } from '../print/progress.ts';

interface RotateFlags {
  dryRun?: boolean;
  online?: boolean;
  dropFormer?: boolean;
  yes?: boolean;
}

export function define(noun: Command, context: Context): void {
  const { speak } = context;
  const command = noun
    .command('rotate')
    .description(speak('help.secretRotate'))
    .option('--dry-run', speak('flag.rotateDryRun'))
    .option('--online', speak('flag.rotateOnline'))
    .option('--drop-former', speak('flag.rotateDrop'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async ({ dryRun = false, online = false, dropFormer = false, yes }: RotateFlags) => {
      const first = await context.config();
      await requireInstallation(first);
      if (!dryRun) await requireReadable(first, online);
      // The key of a database that has none yet is made with it.
      if (first.cryptoSecrets.length === 0) await context.app();
      const config = await context.config();
      if (dropFormer) return dropKeys(context, config, dryRun, yes);
      const secrets = dryRun ? await plannedSecrets(context, config) : await newSecrets(context, config, yes);
      await rotate(context, secrets, dryRun);
    });
  example(command, context, 'secret rotate --dry-run', 'secret rotate --yes');
}

const isOwnFile = ({ sources }: Config) => sources.CRYPTO_SECRET === 'default';

/** A server that runs knows the keys of its start only: what is written with a newer one would be closed to it. */
async function requireReadable(config: Config, online: boolean): Promise<void> {
  if (online && !isOwnFile(config) && config.cryptoSecrets.length > 1) {
    const { requireKeyKnown } = await import('../../core/billing/live-owner.ts');
    const { createSecretBox } = await import('../../core/lib/secret-box.ts');
    const [newKey = ''] = createSecretBox(config.cryptoSecrets).keyIds;
    return requireKeyKnown(config.database, newKey);
  }
  if (online) throw new AppError('secret.onlineNeedsBoth');
  const { requireUnused } = await import('../../core/billing/live-owner.ts');
  await requireUnused(config.database);
}

/** A key of its own is made here; one from the environment is made by the administrator. */
async function newSecrets(context: Context, config: Config, yes: boolean | undefined): Promise<string[]> {
  if (!isOwnFile(config)) return fromEnvironment(config);
  if (await isUnfinished(context, config)) return config.cryptoSecrets;
  await context.confirm(context.speak('secret.confirm'), yes);
  const { addMasterKey } = await import('../../core/services/upkeep/secret-rotation.ts');
  return addMasterKey(config.dataDirectory, config.cryptoSecrets);
}

/** As `newSecrets`, with a key that is forgotten again. */
async function plannedSecrets(context: Context, config: Config): Promise<string[]> {
  if (!isOwnFile(config)) return fromEnvironment(config);
  return (await isUnfinished(context, config)) ? config.cryptoSecrets : ['planned', ...config.cryptoSecrets];
}

/** A run that was stopped goes on with the key it had made. */
async function isUnfinished(context: Context, { cryptoSecrets }: Config): Promise<boolean> {
  return cryptoSecrets.length > 1 && (await run(context, cryptoSecrets, true)).changed > 0;
}

function fromEnvironment({ cryptoSecrets }: Config): string[] {
  if (cryptoSecrets.length < 2) throw new AppError('secret.nextMissing');
  return cryptoSecrets;
}

async function run(
  context: Context,
  secrets: string[],
  dryRun: boolean,
  extras: { signal?: AbortSignal; onSecret?(done: number): void } = {},
): Promise<RotationReport> {
  const { rotateSecrets } = await import('../../core/services/upkeep/secret-rotation.ts');
  const { createSecretBox } = await import('../../core/lib/secret-box.ts');
  const { database, services } = await context.app();
  const dependencies = { database, secretBox: createSecretBox(secrets), audit: services.audit };
  return rotateSecrets(systemActor, dependencies, { dryRun, onSecret: () => undefined, ...extras });
}

async function rotate(context: Context, secrets: string[], dryRun: boolean): Promise<void> {
  const { output, speak, host } = context;
  const progress = startProgress(context, 0);
  let report: RotationReport = { changed: 0, current: 0, unreadable: [] };
  const ending = await untilStopped(host, async (signal) => {
    report = await run(context, secrets, dryRun, { signal, onSecret: progress.at });
  }).finally(progress.end);
  const { changed, current, unreadable } = report;
  const message = speak(dryRun ? 'secret.wouldRotate' : 'secret.rotated', { changed, current });
  output.done(message, { dry_run: dryRun, ...report });
  if (unreadable.length > 0) {
    context.exitCode = exitCode.failed;
    output.say(speak('secret.unreadable', { count: unreadable.length, places: unreadable.slice(0, 5).join(', ') }));
  }
  if (ending === 'interrupted') {
    context.exitCode = exitCode.interrupted;
    output.say(speak('secret.interrupted'));
  } else if (!dryRun && ending === undefined) output.say(speak('secret.formerStays'));
}

/** The former keys open nothing that is stored any more, but they still find what is stored as a hash alone. */
async function dropKeys(context: Context, config: Config, dryRun: boolean, yes: boolean | undefined): Promise<void> {
  const { output, speak } = context;
  const [first = '', ...former] = config.cryptoSecrets;
  if (!isOwnFile(config)) throw new AppError('secret.dropInEnvironment');
  const report = await run(context, config.cryptoSecrets, true);
  const left = report.changed + report.unreadable.length;
  if (left > 0) throw new AppError('secret.formerNeeded', { count: left });
  if (!dryRun && former.length > 0) {
    await context.confirm(speak('secret.dropConfirm', { count: former.length }), yes);
    const { writeMasterKey } = await import('../../core/services/upkeep/secret-rotation.ts');
    writeMasterKey(config.dataDirectory, [first]);
    const { services } = await context.app();
    await services.audit.record(systemActor, { action: 'secret.drop', id: '', after: { keys: former.length } });
  }
  output.done(speak(dryRun ? 'secret.wouldDrop' : 'secret.dropped', { count: former.length }), {
    dry_run: dryRun,
    dropped: former.length,
  });
}
