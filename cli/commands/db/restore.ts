import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { PostgresTarget } from '../../../core/config/database.ts';
import type { Config } from '../../../core/config.ts';
import { databaseName } from '../../../core/database/postgres-tool.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Context } from '../../context.ts';
import { refuseMovedAway } from '../../flag/moved.ts';
import { example } from '../../flag/selection.ts';

interface RestoreFlags {
  force?: boolean;
  yes?: boolean;
}

type SqliteTarget = Extract<Config['database'], { engine: 'sqlite' }>;

/** Opens nothing: a restore makes no key. */
const noSecret = 'none';

export function addRestore(noun: Command, context: Context): void {
  const { speak } = context;
  const command = noun
    .command('restore')
    .description(speak('help.dbRestore'))
    .argument('<file>', speak('flag.restoreFile'))
    .option('--force', speak('flag.restoreForce'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (named: string, flags: RestoreFlags) => {
      const { database } = await context.config();
      const file = resolve(named);
      await refuseMovedAway(database);
      if (database.engine === 'sqlite') await restoreSqlite(context, database, file, flags);
      else await restorePostgres(context, database, file, flags);
    });
  example(command, context, 'db restore backups/20261121-164700.db');
}

async function restoreSqlite(
  context: Context,
  database: SqliteTarget,
  file: string,
  { force, yes }: RestoreFlags,
): Promise<void> {
  const { output, speak } = context;
  const { checkBackup, putInPlace, removeDraft } = await import('../../../core/services/upkeep/backup.ts');
  const request = { database, file, ...(await toRead(context)) };
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
}

async function restorePostgres(
  context: Context,
  database: PostgresTarget,
  file: string,
  { force = false, yes }: RestoreFlags,
): Promise<void> {
  const { output, speak, host } = context;
  const { checkDump, restoreDump } = await import('../../../core/services/upkeep/postgres-restore.ts');
  const { formerSchema } = await import('../../../core/database/postgres-restore.ts');
  const { stamp } = await import('../../../core/services/upkeep/backup.ts');
  const request = { database, file, environment: host.env, ...(await toRead(context)) };
  const { dump, hasSum, aside } = await checkDump(request);
  if (!hasSum) output.say(speak('restore.noSum', { file }));
  const details = { database: databaseName(database.url), file, former: aside ?? formerSchema(stamp(nowSeconds())) };
  await context.confirm(speak('restore.confirmPostgres', details), yes);
  const { report, schema, closedKeys } = await restoreDump(systemActor, request, {
    dump,
    former: details.former,
    force,
  });
  if (closedKeys > 0) output.say(speak('check.secretsClosed', { count: closedKeys }));
  const { users, tokens } = report.checked;
  output.done(speak('restore.donePostgres', { ...details, schema, users, tokens }), {
    database: details.database,
    former: details.former,
    schema,
    ledger: report.ok,
    closed_keys: closedKeys,
  });
}

async function toRead(context: Context) {
  const { cryptoSecrets } = await context.config();
  const { migrations } = await import('../../../migrations/index.ts');
  const { createSecretBox } = await import('../../../core/lib/secret-box.ts');
  return { migrations, secretBox: createSecretBox(cryptoSecrets.length > 0 ? cryptoSecrets : [noSecret]) };
}
