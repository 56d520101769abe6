import { BaseError, ConnectionError, TimeoutError } from 'sequelize';
import { AppError } from '../errors/app-error.ts';

/**
 * PostgreSQL: link lost, no resources, terminated or timed out by the server, lock not given, read-only.
 * SQLite: locked, disk full, cannot read or write the file.
 */
const awayCodes = /^(08|53|57|55P03|25006|ECONN|EPIPE|ETIMEDOUT|SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN|CORRUPT))/;
/** The driver's own words, where it gives no code. */
const awayWords = /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect)/;

/** What a client is told when it is the database that failed, not the query; undefined for every other error. */
export function asOutage(error: unknown): AppError | undefined {
  return isOutage(error) ? outage(error) : undefined;
}

/** For a look-up that a client waits for: a link that swallows the question must not swallow the client, too. */
export async function withinMs<T>(limitMs: number, query: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(outage(new Error(`no answer in ${limitMs} ms`))), limitMs);
  });
  try {
    return await Promise.race([query, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isOutage(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  const { code, message } = (error as { parent?: { code?: unknown; message?: unknown } }).parent ?? {};
  return awayCodes.test(String(code ?? '')) || awayWords.test(String(message ?? ''));
}

function outage(cause: unknown): AppError {
  return new AppError('database.away', {}, { retryAfterSeconds: 2, cause });
}
