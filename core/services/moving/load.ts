import { join } from 'node:path';
import { requireUnused } from '../../billing/live-owner.ts';
import { type VerifyReport, verifyLedger } from '../../billing/verify-ledger.ts';
import type { Config } from '../../config.ts';
import { connect } from '../../database/connect.ts';
import { type Migration, migrate, migrationStatus } from '../../database/migrate.ts';
import { AppError } from '../../errors/app-error.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { coded } from '../../text/coded.ts';
import { requireRole } from '../actor.ts';
import { createAuditService } from '../audit.ts';
import { checkFiles, type ExportedTable, type ExportManifest, linesIn, readManifest } from './manifest.ts';
import type { PortableRow, PortableTable } from './table.ts';
import { openWriter, type TableWriter } from './writer.ts';

export interface LoadDependencies {
  target: Config['database'];
  migrations: Migration[];
}

export interface CheckedExport {
  folder: string;
  manifest: ExportManifest;
  rows: number;
}

/** Reads an export to its end. Throws when it is damaged or of a newer program, or when its secrets would stay closed here. */
export async function checkExport(
  folder: string,
  { target, migrations }: LoadDependencies,
  secretBox: Pick<SecretBox, 'keyIds'>,
): Promise<CheckedExport> {
  const manifest = readManifest(
    folder,
    migrations.map(({ name }) => name),
  );
  await requireUnused(target);
  await requireSchema({ target, migrations }, manifest);
  await checkFiles(folder, manifest);
  if (manifest.master_keys.some((id) => !secretBox.keyIds.includes(id)))
    throw new AppError('move.otherKey', { folder });
  return { folder, manifest, rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0) };
}

/** Rows of an older schema need its tables; those of a newer one could not be filled. */
async function requireSchema({ target, migrations }: LoadDependencies, manifest: ExportManifest): Promise<void> {
  const { executed } = await migrationStatus(target, migrations);
  if (executed.some((name) => !manifest.migrations.includes(name))) throw new AppError('move.schemaNewer');
}

/** Fills an empty installation with the rows of an export, all or none, and brings the schema up to date behind them. */
export async function loadExport(
  actor: Actor,
  { target, migrations }: LoadDependencies,
  { folder, manifest }: CheckedExport,
  onRows: (count: number) => void,
): Promise<VerifyReport> {
  requireRole(actor, role.root);
  await migrate(
    target,
    migrations.filter(({ name }) => manifest.migrations.includes(name)),
  );
  const writer = await openWriter(target);
  try {
    await requireEmpty(writer);
    const tables = await writer.tables();
    for (const { name } of tables) await writer.clear(name);
    for (const exported of manifest.tables) {
      const table = tables.find(({ name }) => name === exported.name);
      const file = join(folder, exported.file);
      if (!table) throw new AppError('move.damaged', { file, reason: coded('move.noTable', { table: exported.name }) });
      await fill(writer, table, { file, exported, onRows });
    }
    await writer.commit();
  } finally {
    await writer.close();
  }
  await migrate(target, migrations);
  await record(actor, target, folder);
  return verifyLedger(target);
}

/** What stands here is not thrown away: only the account that every installation begins with gives way. */
export async function requireEmpty(writer: TableWriter): Promise<void> {
  const counts = { users: 1, tokens: 0, channels: 0, redemptions: 0, logs: 0, top_ups: 0, tasks: 0 };
  for (const [table, allowed] of Object.entries(counts)) {
    const found = await writer.count(table);
    if (found > allowed) throw new AppError('move.notEmpty', { table, count: found });
  }
}

const pageSize = 1000;
/** Of a page: a job may be megabytes, and PostgreSQL takes a page as one text. */
const pageCharacters = 4 * 1024 * 1024;

interface Filling {
  file: string;
  exported: ExportedTable;
  onRows(count: number): void;
}

async function fill(writer: TableWriter, table: PortableTable, { file, exported, onRows }: Filling): Promise<void> {
  let page: PortableRow[] = [];
  let characters = 0;
  const flush = async () => {
    if (page.length > 0) await writer.insert(table, page);
    onRows(page.length);
    page = [];
    characters = 0;
  };
  for await (const line of linesIn(file)) {
    page.push(rowOf(line, table, file));
    characters += line.length;
    if (page.length >= pageSize || characters >= pageCharacters) await flush();
  }
  await flush();
  const found = await writer.count(table.name);
  if (found !== exported.rows) throw new AppError('move.damaged', { file, reason: coded('move.otherCount') });
  if (exported.last_id !== null) await writer.skipIds(table.name, exported.last_id);
}

function rowOf(line: string, table: PortableTable, file: string): PortableRow {
  const row = JSON.parse(line) as PortableRow;
  const isWhole = table.columns.every(({ name }) => Object.hasOwn(row, name));
  if (!isWhole) throw new AppError('move.damaged', { file, reason: coded('move.otherColumns') });
  // The holds, which come later, add what they hold themselves.
  return table.name === 'limit_usage' ? { ...row, held: 0 } : row;
}

async function record(actor: Actor, target: Config['database'], folder: string): Promise<void> {
  const database = await connect(target, 1);
  try {
    await createAuditService({ database }).record(actor, { action: 'database.load', id: folder });
  } finally {
    await database.close();
  }
}
