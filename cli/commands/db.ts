import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { DataPlace } from '../../core/billing/check-sqlite.ts';
import { nowSeconds } from '../../core/lib/clock.ts';
import type { Context } from '../context.ts';
import { databaseFor } from '../flag/moved.ts';
import { addBackup } from './db/backup.ts';
import { addCheck } from './db/check.ts';
import { addExport } from './db/export.ts';
import { addImport } from './db/import.ts';
import { addMove } from './db/move.ts';
import { addRestore } from './db/restore.ts';

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;

  noun
    .command('migrate')
    .description(speak('help.dbMigrate'))
    .option('--new', speak('flag.migrateNew'))
    .action(async ({ new: isNew = false }: { new?: boolean }) => {
      const { config } = await databaseFor(context, 'writing');
      const { database } = config;
      const { migrate, migrations } = await loadMigrations();
      if (database.engine === 'sqlite') await prepareFile(database.file, config, isNew);
      const names = await migrate(database, migrations);
      const message = names.length > 0 ? speak('db.migrated', { count: names.length }) : speak('db.current');
      output.done(message, { migrations: names });
    });

  noun
    .command('status')
    .description(speak('help.dbStatus'))
    .action(async () => {
      const { config, moved } = await databaseFor(context, 'reading');
      const { migrationStatus, migrations } = await loadMigrations();
      const { executed, pending } = await migrationStatus(config.database, migrations);
      const items = [
        ...executed.map((name) => ({ name, status: 'done' })),
        ...pending.map((name) => ({ name, status: 'pending' })),
      ];
      await output.list({ items, page: 1, page_size: items.length, total: items.length, ...moved }, [
        { title: 'NAME', value: ({ name }) => name, keep: true },
        {
          title: 'STATUS',
          value: ({ status }) => status,
          color: ({ status }) => (status === 'done' ? 'green' : 'yellow'),
        },
      ]);
    });

  addBackup(noun, context);
  addRestore(noun, context);
  addCheck(noun, context);
  addExport(noun, context);
  addImport(noun, context);
  addMove(noun, context);
}

/** A missing file is created only without traces of an earlier one, or on request. */
async function prepareFile(file: string, place: DataPlace, isNew: boolean): Promise<void> {
  const { checkSqliteFile, putLogAside } = await import('../../core/billing/check-sqlite.ts');
  if (!isNew || existsSync(file)) return checkSqliteFile(file, place);
  const { stamp } = await import('../../core/services/upkeep/backup.ts');
  putLogAside(file, stamp(nowSeconds()));
}

async function loadMigrations() {
  const { migrate, migrationStatus } = await import('../../core/database/migrate.ts');
  const { migrations } = await import('../../migrations/index.ts');
  return { migrate, migrationStatus, migrations };
}
