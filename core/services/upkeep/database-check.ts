import { refuseEmptied } from '../../billing/check-sqlite.ts';
import type { VerifyReport } from '../../billing/verify-ledger.ts';
import { verifyLedger } from '../../billing/verify-ledger.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/connect.ts';
import { foreignSchema } from '../../database/foreign-schema.ts';
import type { Migration } from '../../database/migrate.ts';
import { sessionUrl } from '../../database/postgres-client.ts';
import { foreignPostgresSchema } from '../../database/postgres-schema.ts';
import { openSqlite } from '../../database/sqlite-connection.ts';
import { asDamage } from '../../database/sqlite-damage.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { AbilityService } from '../ability.ts';
import { requireRole } from '../actor.ts';

/** What SQLite's own check finds in the whole file; it reads every page and every index. */
export async function fileDamage(file: string, dataDirectory: string): Promise<string | undefined> {
  try {
    await refuseEmptied(file, dataDirectory);
    const connection = await openSqlite(file, { readOnly: true });
    try {
      const [row] = await connection.all<{ integrity_check: string }>('PRAGMA integrity_check(1)');
      return row?.integrity_check === 'ok' ? undefined : row?.integrity_check.replaceAll('\n', ' ');
    } finally {
      await connection.close();
    }
  } catch (error) {
    const damage = error instanceof AppError && error.code === 'database.damaged' ? error : asDamage(error, file);
    if (!damage) throw error;
    return String(damage.details.reason);
  }
}

/** What of the schema the migrations did not make. */
export async function foreignParts(database: Config['database'], migrations: Migration[]): Promise<string[]> {
  if (database.engine === 'postgres') return foreignPostgresSchema(sessionUrl(database), migrations);
  const connection = await openSqlite(database.file, { readOnly: true });
  try {
    return await foreignSchema(connection, migrations);
  } finally {
    await connection.close();
  }
}

export interface ContentReport {
  ledger: VerifyReport;
  /** Channels whose abilities are not what the channel says. */
  wrongAbilities: number;
  /** Tokens of users that do not exist. */
  strayTokens: number[];
}

export interface ContentDependencies {
  target: Config['database'];
  logDatabase: Config['logDatabase'];
  database: Database;
  abilities: Pick<AbilityService, 'countWrong'>;
}

/** What no constraint of the database guards. Reads only. */
export async function checkContent(
  actor: Actor,
  { target, logDatabase, database, abilities }: ContentDependencies,
): Promise<ContentReport> {
  requireRole(actor, role.root);
  const strays = await database.tokens.findAll({
    attributes: ['id'],
    include: [{ association: 'user', attributes: [] }],
    where: { deleted_at: null, '$user.id$': null },
    order: [['id', 'ASC']],
    raw: true,
  });
  return {
    ledger: await verifyLedger(target, { logDatabase }),
    wrongAbilities: await abilities.countWrong(),
    strayTokens: strays.map(({ id }) => id),
  };
}
