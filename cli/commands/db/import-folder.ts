import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../core/config.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { makeFolder } from '../../../core/lib/make-folder.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Context } from '../../context.ts';
import { exitCode } from '../../failure.ts';
import { startCounter } from '../../print/counter.ts';
import type { ImportFlags } from './import-flags.ts';

/** Opens nothing: an import makes no key. */
const noSecret = 'none';

/** Fills an empty installation with what `db export` wrote. */
export async function importFolder(context: Context, folder: string, { dryRun, yes }: ImportFlags): Promise<void> {
  const { output, speak } = context;
  const { checkExport, loadExport } = await import('../../../core/services/moving/load.ts');
  const { migrations } = await import('../../../migrations/index.ts');
  const { createSecretBox } = await import('../../../core/lib/secret-box.ts');
  const config = await context.config();
  const key = keyOf(config, folder);
  const secrets = key === undefined ? config.cryptoSecrets : await secretsIn(key);
  const secretBox = createSecretBox(secrets.length > 0 ? secrets : [noSecret]);
  const dependencies = { target: config.database, migrations };
  const checked = await checkExport(folder, dependencies, secretBox);
  const { rows, manifest } = checked;
  if (dryRun) return output.done(speak('load.would', { rows }), { dry_run: true, rows, tables: manifest.tables });
  await context.confirm(speak('load.confirm', { rows, folder, version: manifest.tollgate }), yes);
  if (config.database.engine === 'sqlite') await clearPlace(config.database.file);
  // Before the rows: where they are without their key, a server makes another one.
  const placed = key === undefined ? undefined : putKey(key, config);
  const counter = startCounter(context, rows);
  const ledger = await loadExport(systemActor, dependencies, checked, counter.add).finally(counter.end);
  if (placed !== undefined) output.say(speak('load.keyTaken', { file: placed }));
  if (!ledger.ok) context.exitCode = exitCode.failed;
  output.done(speak('load.done', { rows }), { dry_run: false, rows, tables: manifest.tables, ledger });
  output.say(
    ledger.ok ? speak('ledger.ok', ledger.checked) : speak('check.ledgerWrong', { count: ledger.differenceCount }),
  );
}

/** The key in the folder is for a place that has none of its own. */
function keyOf({ cryptoSecrets }: Config, folder: string): string | undefined {
  const file = join(folder, 'master.key');
  return cryptoSecrets.length === 0 && existsSync(file) ? file : undefined;
}

async function secretsIn(file: string): Promise<string[]> {
  const { readFile } = await import('node:fs/promises');
  return (await readFile(file, 'utf8')).split(/\s+/).filter(Boolean);
}

function putKey(file: string, { dataDirectory }: Config): string {
  const target = join(dataDirectory, 'master.key');
  makeFolder(dataDirectory);
  copyFileSync(file, target);
  chmodSync(target, 0o600);
  return target;
}

/** The log of a database that is gone would be applied to the new one. */
async function clearPlace(file: string): Promise<void> {
  if (existsSync(file)) return;
  const { dirname } = await import('node:path');
  makeFolder(dirname(file));
  const { putLogAside } = await import('../../../core/billing/check-sqlite.ts');
  const { stamp } = await import('../../../core/services/upkeep/backup.ts');
  putLogAside(file, stamp(nowSeconds()));
}
