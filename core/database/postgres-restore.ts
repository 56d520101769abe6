import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { AppError } from '../errors/app-error.ts';
import { formerSchemas } from './backup.ts';
import { openPostgresClient } from './postgres-client.ts';
import { databaseName, runPostgresTool, type ToolRun } from './postgres-tool.ts';
import { restoreMark, unfinishedRestore } from './restore-mark.ts';

export interface Dump {
  file: string;
  /** The schema its tables are in. */
  home: string;
  /** What pg_restore is to put back, in its own words. */
  parts: string[];
}

interface Target {
  url: string;
  environment: Record<string, string | undefined>;
}

const statementLimitMs = 60_000;

/** Reads what a copy contains. Throws when this is no copy of ours, or pg_restore is missing or too old for it. */
export async function readDump(file: string, target: Target): Promise<Dump> {
  const run = await runPostgresTool('pg_restore', ['--list', file], target);
  if (run.code !== 0) throw refusalOf(run, file);
  const lines = run.printed.split('\n').filter((line) => line !== '' && !line.startsWith(';'));
  const homes = lines.flatMap((line) => /TABLE DATA (\S+) quota_entries /.exec(line)?.[1] ?? []);
  const [home] = homes.filter((name) => lines.some((line) => line.includes(`TABLE DATA ${name} migrations `)));
  if (home === undefined) throw new AppError('backup.notOurs', { file });
  // The schema is made here, and no table needs what an extension brings.
  const parts = lines.filter((line) => !/ (SCHEMA|EXTENSION) - | - (SCHEMA|EXTENSION) /.test(line));
  return { file, home, parts };
}

/**
 * Puts the copy in the place of the tables, which stay in a schema of another name. Fails with everything as it was. Until
 * `openTables`, no program may use the new ones.
 */
export async function replaceTables({ file, home, parts }: Dump, former: string, target: Target): Promise<void> {
  const schema = pg.escapeIdentifier(home);
  // An earlier restore was killed: the tables that count are aside already.
  const isAside = (await unfinishedRestore(target.url)) === former;
  const putAside = isAside
    ? [`DROP SCHEMA IF EXISTS ${schema} CASCADE`]
    : [`CREATE SCHEMA IF NOT EXISTS ${schema}`, `ALTER SCHEMA ${schema} RENAME TO ${pg.escapeIdentifier(former)}`];
  await inOneTransaction(target.url, [
    ...putAside,
    `CREATE SCHEMA ${schema}`,
    `COMMENT ON SCHEMA ${schema} IS ${pg.escapeLiteral(`${restoreMark}${former}`)}`,
    `GRANT USAGE ON SCHEMA ${schema} TO PUBLIC`,
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-restore-'));
  try {
    const list = join(folder, 'parts');
    writeFileSync(list, `${parts.join('\n')}\n`);
    const shape = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', `--use-list=${list}`];
    const run = await runPostgresTool('pg_restore', [...shape, `--dbname=${databaseName(target.url)}`, file], target);
    if (run.code !== 0) throw refusalOf(run, file);
  } catch (error) {
    await putTablesBack(home, former, target.url);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The copy is whole and checked. */
export const openTables = (home: string, url: string): Promise<void> =>
  inOneTransaction(url, [`COMMENT ON SCHEMA ${pg.escapeIdentifier(home)} IS NULL`]);

/** The tables as they were before `replaceTables`. */
export async function putTablesBack(home: string, former: string, url: string): Promise<void> {
  await inOneTransaction(url, [
    `DROP SCHEMA ${pg.escapeIdentifier(home)} CASCADE`,
    `ALTER SCHEMA ${pg.escapeIdentifier(former)} RENAME TO ${pg.escapeIdentifier(home)}`,
  ]);
}

/** `before_restore_20261121_164700`. */
export const formerSchema = (stamp: string): string => `${formerSchemas}${stamp.replaceAll('-', '_')}`;

async function inOneTransaction(url: string, statements: string[]): Promise<void> {
  const client = await openPostgresClient(url, statementLimitMs);
  try {
    await client.query(['BEGIN', ...statements, 'COMMIT'].join('; '));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // insufficient_privilege
    if (code === '42501') throw new AppError('backup.schemaDenied', { reason: message }, { cause: error });
    throw error;
  } finally {
    await client.end();
  }
}

function refusalOf({ code, said }: ToolRun, file: string): AppError {
  if (code === undefined) return new AppError('backup.noRestoreTool');
  const reason = said.slice(0, 500) || `code ${code}`;
  if (/unsupported version/.test(said)) return new AppError('backup.restoreToolOld', { file, reason });
  if (/valid archive|too short|corrupt|unexpected end|could not read/.test(said))
    return new AppError('backup.damaged', { file, reason });
  return new AppError('backup.toolFailed', { tool: 'pg_restore', reason });
}
