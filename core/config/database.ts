import { resolve } from 'node:path';
import { AppError } from '../errors/app-error.ts';
import { coded } from '../text/coded.ts';
import { checkPostgresTls } from './postgres-tls.ts';
import type { Read } from './reader.ts';
import { filePath, whole } from './value.ts';

export interface PostgresTarget {
  engine: 'postgres';
  /** May lead to a pooler that shares connections between clients when there is a `directUrl`. */
  url: string;
  /** SQL_DIRECT_DSN: PostgreSQL itself, for what needs a session. */
  directUrl?: string | undefined;
}

export type DatabaseTarget = { engine: 'sqlite'; file: string } | PostgresTarget;

export interface ReplicaTarget {
  url: string;
  maxLagSeconds: number;
}

export const defaultMaxLagSeconds = 5;

const isPostgres = (dsn: string) => /^postgres(ql)?:\/\//.test(dsn);

export function readDatabase(read: Read, directory: string): DatabaseTarget {
  const [dsn, directDsn] = [read('SQL_DSN'), read('SQL_DIRECT_DSN')];
  if (directDsn !== undefined && !(isPostgres(directDsn) && URL.canParse(directDsn))) throw noAddress('SQL_DIRECT_DSN');
  if (dsn !== undefined && isPostgres(dsn) && !URL.canParse(dsn)) throw noAddress('SQL_DSN');
  if (directDsn !== undefined) checkPostgresTls('SQL_DIRECT_DSN', directDsn);
  if (dsn !== undefined && isPostgres(dsn)) checkPostgresTls('SQL_DSN', dsn);
  if (dsn !== undefined && isPostgres(dsn)) return { engine: 'postgres', url: dsn, directUrl: directDsn };
  if (dsn && !dsn.startsWith('local')) throw new AppError('config.databaseKind');
  // one-api wrote query parameters behind the path; they were for its own driver.
  const file = filePath('SQLITE_PATH', read('SQLITE_PATH')?.replace(/\?.*$/, ''));
  return { engine: 'sqlite', file: resolve(directory, file ?? 'tollgate.db') };
}

export function readReplica(read: Read): ReplicaTarget | undefined {
  const [url, lag] = [read('SQL_READ_DSN'), read('SQL_READ_MAX_LAG')];
  const maxLagSeconds = whole('SQL_READ_MAX_LAG', lag, defaultMaxLagSeconds, 1, 3600);
  if (url === undefined) return undefined;
  if (!/^postgres(ql)?:/.test(url) || !URL.canParse(url)) throw noAddress('SQL_READ_DSN');
  checkPostgresTls('SQL_READ_DSN', url);
  return { url, maxLagSeconds };
}

/** Most often a # or / in the password, which ends the address there. */
const noAddress = (name: string) =>
  new AppError('config.invalid', { name, value: '********', allowed: coded('input.postgresAddress') });
