import { resolve } from 'node:path';
import { AppError } from '../errors/app-error.ts';
import type { DatabaseTarget } from './database.ts';
import { checkPostgresTls } from './postgres-tls.ts';
import type { Read } from './reader.ts';

const sqliteMark = 'sqlite:';

/** A database of the log's own: PostgreSQL, or beside a SQLite database another file. */
export function readLogDatabase(read: Read, directory: string, main: DatabaseTarget): DatabaseTarget | undefined {
  const dsn = read('LOG_SQL_DSN');
  if (dsn === undefined) return undefined;
  const target = targetOf(dsn, directory);
  if (isSame(target, main)) throw new AppError('config.logSameDatabase', { name: 'LOG_SQL_DSN' });
  if (main.engine === 'postgres' && target.engine === 'sqlite') {
    throw new AppError('config.logNeedsPostgres', { name: 'LOG_SQL_DSN' });
  }
  return target;
}

function targetOf(dsn: string, directory: string): DatabaseTarget {
  if (/^postgres(ql)?:\/\//.test(dsn) && URL.canParse(dsn)) {
    checkPostgresTls('LOG_SQL_DSN', dsn);
    return { engine: 'postgres', url: dsn };
  }
  const file = dsn.startsWith(sqliteMark) ? dsn.slice(sqliteMark.length) : '';
  if (file.trim() === '') throw new AppError('config.logDatabaseKind', { name: 'LOG_SQL_DSN' });
  return { engine: 'sqlite', file: resolve(directory, file) };
}

/** By the words; that two addresses lead to one database is seen when it is opened. */
function isSame(target: DatabaseTarget, main: DatabaseTarget): boolean {
  return target.engine === 'sqlite'
    ? main.engine === 'sqlite' && target.file === main.file
    : main.engine === 'postgres' && target.url === main.url;
}
