import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../../core/config.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Context } from '../../context.ts';
import { example } from '../../flag/selection.ts';
import { requireInstallation } from '../../passing-place.ts';
import { startCounter } from '../../print/counter.ts';

export function addExport(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun
    .command('export')
    .description(speak('help.dbExport'))
    .argument('<folder>', speak('flag.exportFolder'))
    .option('--with-key', speak('flag.exportKey'))
    .action(async (named: string, { withKey = false }: { withKey?: boolean }) => {
      const folder = resolve(named);
      await requireInstallation(await context.config());
      const { exportAll, exportKey } = await import('../../../core/services/moving/export.ts');
      const { migrations } = await import('../../../migrations/index.ts');
      const { config, secretBox, services } = await context.app();
      const { audit } = services;
      const dependencies = { target: config.database, migrations, secretBox, audit, now: nowSeconds };
      const counter = startCounter(context, 0, 'export.rowsDone');
      const request = { folder, onRows: counter.add };
      const manifest = await exportAll(systemActor, dependencies, request).finally(counter.end);
      const key = withKey ? exportKey(config, folder) : undefined;
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      const tables = manifest.tables.length;
      const schema = manifest.migrations.at(-1) ?? '';
      output.done(speak('export.done', { folder, rows, tables, schema }), { folder, key, ...manifest });
      output.say(keyAdvice(config, key));
      if (config.logDatabase) output.say(speak('backup.withoutLog'));
    });
  example(command, context, 'db export /mnt/move', 'db export /mnt/move --with-key');

  function keyAdvice({ dataDirectory, sources }: Config, key: string | undefined): string {
    if (key !== undefined) return speak('export.keyInside', { key });
    if (sources.CRYPTO_SECRET !== 'default') return speak('export.secretNeeded');
    return speak('export.keyNeeded', { key: join(dataDirectory, 'master.key') });
  }
}
