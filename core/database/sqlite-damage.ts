import { AppError } from '../errors/app-error.ts';

/** SQLite's errors for a file that is not a SQLite database, or is broken. */
export function asDamage(error: unknown, file: string): AppError | undefined {
  const { code, message } = error as { code?: unknown; message?: string };
  if (code !== 'SQLITE_CORRUPT' && code !== 'SQLITE_NOTADB') return undefined;
  return new AppError('database.damaged', { file, reason: message ?? code }, { cause: error });
}
