import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addBackup } from './db/backup.ts';
import { addCheck } from './db/check.ts';
import { addImport } from './db/import.ts';
import { addRestore } from './db/restore.ts';

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;

  noun
    .command('migrate')
    .description(speak('help.dbMigrate'))
    .action(async () => {
      const { database } = await context.config();
      const { migrate, migrations } = await loadMigrations();
      const names = await migrate(database, migrations);
      const message = names.length > 0 ? speak('db.migrated', { count: names.length }) : speak('db.current');
      output.done(message, { migrations: names });
    });

  noun
    .command('status')
    .description(speak('help.dbStatus'))
    .action(async () => {
      const { database } = await context.config();
      const { migrationStatus, migrations } = await loadMigrations();
      const { executed, pending } = await migrationStatus(database, migrations);
      const items = [
        ...executed.map((name) => ({ name, status: 'done' })),
        ...pending.map((name) => ({ name, status: 'pending' })),
      ];
      await output.list({ items, page: 1, page_size: items.length, total: items.length }, [
        { title: 'NAME', value: ({ name }) => name, keep: true },
        {
          title: 'STATUS',
          value: ({ status }) => status,
          colour: ({ status }) => (status === 'done' ? 'green' : 'yellow'),
        },
      ]);
    });

  addBackup(noun, context);
  addRestore(noun, context);
  addCheck(noun, context);
  addImport(noun, context);
}

async function loadMigrations() {
  const { migrate, migrationStatus } = await import('../../core/database/migrate.ts');
  const { migrations } = await import('../../migrations/index.ts');
  return { migrate, migrationStatus, migrations };
}
