import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../../core/config.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Context } from '../../context.ts';
import { databaseFor } from '../../flag/moved.ts';
import { example } from '../../flag/selection.ts';
import { requireInstallation } from '../../passing-place.ts';
import { sizeOf } from '../../print/size.ts';

interface BackupFlags {
  force?: boolean;
  withKey?: boolean;
}

export function addBackup(noun: Command, context: Context): void {
  const { output, speak, host } = context;
  const command = noun
    .command('backup')
    .description(speak('help.dbBackup'))
    .argument('[file]', speak('flag.backupFile'))
    .option('--force', speak('flag.backupForce'))
    .option('--with-key', speak('flag.backupKey'))
    .action(async (named: string | undefined, { force = false, withKey = false }: BackupFlags) => {
      await requireInstallation(await context.config());
      const { config, moved } = await databaseFor(context, 'reading');
      const { backUp, copyKey, stamp } = await import('../../../core/services/upkeep/backup.ts');
      const { migrations } = await import('../../../migrations/index.ts');
      const file = resolve(
        named ?? join(config.dataDirectory, 'backups', `${stamp(nowSeconds())}${extension(config)}`),
      );
      const manifest = await backUp(systemActor, { config, migrations, file, force, environment: host.env });
      const key = withKey ? copyKey(config, file) : undefined;
      const { bytes, schema, sha256 } = manifest;
      output.done(speak('backup.done', { file, size: sizeOf(bytes), schema, sha256 }), {
        file,
        key,
        ...manifest,
        ...moved,
      });
      output.say(keyAdvice(config, key));
      if (config.logDatabase) output.say(speak('backup.withoutLog'));
    });
  example(command, context, 'db backup', 'db backup /mnt/backup/tollgate.db --force');

  function keyAdvice({ dataDirectory, sources }: Config, key: string | undefined): string {
    if (key !== undefined) return speak('backup.keyBeside', { key });
    if (sources.CRYPTO_SECRET !== 'default') return speak('backup.secretNeeded');
    return speak('backup.keyNeeded', { key: join(dataDirectory, 'master.key') });
  }
}

const extension = ({ database }: Config) => (database.engine === 'sqlite' ? '.db' : '.dump');
