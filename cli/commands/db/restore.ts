import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Context } from '../../context.ts';
import { example } from '../../flag/selection.ts';

interface RestoreFlags {
  force?: boolean;
  yes?: boolean;
}

/** Opens nothing: a restore makes no key. */
const noSecret = 'none';

export function addRestore(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun
    .command('restore')
    .description(speak('help.dbRestore'))
    .argument('<file>', speak('flag.restoreFile'))
    .option('--force', speak('flag.restoreForce'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (named: string, { force, yes }: RestoreFlags) => {
      const file = resolve(named);
      const { database, cryptoSecrets } = await context.config();
      if (database.engine === 'postgres') {
        const place = URL.canParse(database.url) ? new URL(database.url).pathname.slice(1) : '<database>';
        throw new AppError('backup.postgresRestore', { place, file: named });
      }
      const { checkBackup, putInPlace, removeDraft } = await import('../../../core/services/upkeep/backup.ts');
      const { migrations } = await import('../../../migrations/index.ts');
      const { createSecretBox } = await import('../../../core/lib/secret-box.ts');
      const request = {
        database,
        secretBox: createSecretBox(cryptoSecrets.length > 0 ? cryptoSecrets : [noSecret]),
        migrations,
        file,
      };
      const checked = await checkBackup(request);
      try {
        const { report, schema } = checked;
        if (!report.ok && !force) throw new AppError('backup.ledgerWrong', { file, count: report.differenceCount });
        const { users, tokens } = report.checked;
        if (!checked.hasSum) output.say(speak('restore.noSum', { file }));
        if (checked.closedKeys > 0) output.say(speak('check.secretsClosed', { count: checked.closedKeys }));
        const details = { database: database.file, file, schema, users, tokens };
        await context.confirm(speak('restore.confirm', details), yes);
        const former = await putInPlace(systemActor, request, checked);
        const message = former
          ? speak('restore.done', { database: database.file, former })
          : speak('restore.doneNew', { database: database.file });
        output.done(message, {
          database: database.file,
          former,
          schema,
          ledger: report.ok,
          closed_keys: checked.closedKeys,
        });
      } finally {
        removeDraft(checked.draft);
      }
    });
  example(command, context, 'db restore backups/20261121-164700.db');
}
