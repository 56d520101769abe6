import { BaseError, ConnectionError, TimeoutError } from 'sequelize';
import { AppError } from '../errors/app-error.ts';

/**
 * PostgreSQL: link lost, no resources, terminated or timed out by the server, lock not given, read-only.
 * SQLite: locked, disk full, cannot read or write the file, statement took too long.
 */
const awayCodes =
  /^(08|53|57|55P03|25006|ECONN|EPIPE|ETIMEDOUT|SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|INTERRUPT))/;
/** The driver's own message, where it has no code. */
const awayWords = /^Connection terminated|not queryable$|^Query read timeout|timeout expired$/;

/** What a client is told when it is the database that failed, not the query; undefined for every other error. */
export function asOutage(error: unknown): AppError | undefined {
  return isOutage(error) ? outage(error) : undefined;
}

/** For a look-up that a client waits for: a link that swallows the question must not swallow the client, too. */
export async function withinMs<T>(limitMs: number, query: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(outage(new Error(`no response in ${limitMs} ms`))), limitMs);
  });
  try {
    return await Promise.race([query, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isOutage(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  // While Sequelize sets a link up, the driver's errors come as they are; these two marks tell them from all other errors.
  const { parent, severity, message } = (error ?? {}) as { parent?: unknown; severity?: unknown; message?: unknown };
  const isDriver = severity !== undefined || awayWords.test(String(message));
  if (!(error instanceof BaseError) && !isDriver) return false;
  const cause = (parent ?? error) as { code?: unknown; message?: unknown };
  return awayCodes.test(String(cause.code)) || awayWords.test(String(cause.message));
}

function outage(cause: unknown): AppError {
  return new AppError('database.away', {}, { retryAfterSeconds: 2, cause });
}
