import { requireUnused } from '../../billing/live-owner.ts';
import { type VerifyReport, verifyLedger } from '../../billing/verify-ledger.ts';
import type { Config } from '../../config.ts';
import { connect, type Database } from '../../database/connect.ts';
import type { Migration } from '../../database/migrate.ts';
import { sessionUrl } from '../../database/postgres-client.ts';
import { type Dump, openTables, putTablesBack, readDump, replaceTables } from '../../database/postgres-restore.ts';
import { foreignPostgresSchema } from '../../database/postgres-schema.ts';
import { unfinishedRestore } from '../../database/restore-mark.ts';
import { AppError } from '../../errors/app-error.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { requireRole } from '../actor.ts';
import { createAuditService } from '../audit.ts';
import { channelKeyPlace } from '../routing.ts';
import { opens, requireFile, requireSum } from './backup.ts';

export interface PostgresRestoreRequest {
  database: Extract<Config['database'], { engine: 'postgres' }>;
  secretBox: Pick<SecretBox, 'decrypt'>;
  migrations: Migration[];
  file: string;
  /** For the program that puts PostgreSQL back. */
  environment: Record<string, string | undefined>;
}

export interface PostgresRestored {
  report: VerifyReport;
  schema: string;
  closedKeys: number;
}

/** What can be known before anything is touched; `hasSum` as for SQLite; `aside`: where a restore that was killed has put the former tables. */
export async function checkDump({
  database,
  file,
  environment,
}: PostgresRestoreRequest): Promise<{ dump: Dump; hasSum: boolean; aside: string | undefined }> {
  requireFile(file);
  await requireUnused(database);
  const hasSum = await requireSum(file);
  const url = sessionUrl(database);
  return { dump: await readDump(file, { url, environment }), hasSum, aside: await unfinishedRestore(url) };
}

/** The former tables stay in the schema `former`. A copy with anything wrong in it is taken out again, and they are back. */
export async function restoreDump(
  actor: Actor,
  request: PostgresRestoreRequest,
  { dump, former, force }: { dump: Dump; former: string; force: boolean },
): Promise<PostgresRestored> {
  requireRole(actor, role.root);
  const { database: target, environment, file } = request;
  await requireUnused(target);
  await replaceTables(dump, former, { url: sessionUrl(target), environment });
  try {
    const schema = await checkTables(request);
    const report = await verifyLedger(target);
    if (!report.ok && !force) throw new AppError('backup.ledgerWrong', { file, count: report.differenceCount });
    const database = await connect(target, 1);
    try {
      const closedKeys = await countClosedKeys(database, request.secretBox);
      // The processes that held quota when the copy was made are gone in any case.
      await database.sequelize.query("DELETE FROM ledger_owners; UPDATE job_locks SET owner = ''");
      await createAuditService({ database }).record(actor, { action: 'database.restore', id: file, after: { former } });
      await openTables(dump.home, sessionUrl(target));
      return { report, schema, closedKeys };
    } finally {
      await database.close();
    }
  } catch (error) {
    await putTablesBack(dump.home, former, sessionUrl(target));
    throw error;
  }
}

/** The newest migration of the copy. */
async function checkTables({ database: target, migrations, file }: PostgresRestoreRequest): Promise<string> {
  const database = await connect(target, 1);
  const rows = await database
    .select<{ name: string }>('SELECT name FROM migrations ORDER BY name')
    .finally(() => database.close());
  const known = new Set(migrations.map(({ name }) => name));
  const stranger = rows.find(({ name }) => !known.has(name));
  if (stranger) throw new AppError('database.tooNew', { version: stranger.name });
  const foreign = await foreignPostgresSchema(sessionUrl(target), migrations);
  if (foreign.length > 0) throw new AppError('backup.foreignSchema', { file, names: foreign.slice(0, 5).join(', ') });
  return rows.at(-1)?.name ?? '';
}

async function countClosedKeys(database: Database, secretBox: Pick<SecretBox, 'decrypt'>): Promise<number> {
  const rows = await database.select<{ id: number; text: string }>(
    "SELECT id, key_encrypted AS text FROM channels WHERE key_encrypted <> ''",
  );
  return rows.filter(({ id, text }) => !opens(secretBox, text, channelKeyPlace(id))).length;
}
