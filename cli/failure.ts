import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { CommanderError } from 'commander';
import { AppError } from '../core/errors/app-error.ts';
import type { ErrorCode } from '../core/errors/catalog.ts';
import { issueAt, issueList } from '../core/text/coded.ts';
import '../core/text/issue.ts';
import { asDamage } from '../core/database/sqlite-damage.ts';
import { unreachable } from '../core/database/unreachable.ts';
import { bindingCommand } from './doctor/binding.ts';

export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  batch: 6,
  unreachable: 7,
  timedOut: 8,
  interrupted: 130,
} as const;

const byCode: Partial<Record<ErrorCode, number>> = {
  'cli.declined': exitCode.failed,
  'cli.interrupted': exitCode.interrupted,
  'takeover.interrupted': exitCode.interrupted,
  'cli.batchFailed': exitCode.batch,
  'channel.keysNotExported': exitCode.batch,
  'cli.waitTimeout': exitCode.timedOut,
  'database.unreachable': exitCode.unreachable,
  'database.none': exitCode.unreachable,
  'database.certificate': exitCode.unreachable,
  'database.unopened': exitCode.unreachable,
  'cli.tooManyFiles': exitCode.unreachable,
  'chat.noServer': exitCode.unreachable,
  'chat.otherServer': exitCode.unreachable,
  'chat.cutOff': exitCode.unreachable,
  'database.tooNew': exitCode.failed,
  'database.schemaOld': exitCode.conflict,
  'move.broken': exitCode.unreachable,
  'outbound.unreachable': exitCode.unreachable,
  'ledger.unavailable': exitCode.unreachable,
  'database.locked': exitCode.unreachable,
  'task.providerTrouble': exitCode.unreachable,
  'serve.portTaken': exitCode.unreachable,
  'serve.addressUnknown': exitCode.unreachable,
  'serve.portForbidden': exitCode.unreachable,
  'serve.defaultPassword': exitCode.notAllowed,
  'config.invalid': exitCode.usage,
  'config.workersNeedPostgres': exitCode.usage,
  'config.readNeedsPostgres': exitCode.usage,
  'config.databaseKind': exitCode.usage,
  'config.noHome': exitCode.usage,
};

const byStatus: Record<number, number> = {
  400: exitCode.usage,
  401: exitCode.notAllowed,
  402: exitCode.notAllowed,
  403: exitCode.notAllowed,
  404: exitCode.notFound,
  409: exitCode.conflict,
};

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof AppError)) return exitCode.failed;
  // A worker has said on standard error what was wrong, and ended with the code for it.
  if (error.code === 'serve.workerFailed') return Number(error.details.code) || exitCode.failed;
  // What a server said about a call, by the status it said it with.
  if (error.code === 'chat.refused') return refusalCode(Number(error.details.status));
  return byCode[error.code] ?? byStatus[error.status] ?? exitCode.failed;
}

function refusalCode(status: number): number {
  return status >= 502 && status <= 504 ? exitCode.unreachable : (byStatus[status] ?? exitCode.failed);
}

/** Help and version end a command the way an error does, but are none. */
export function isHelp(error: unknown): boolean {
  return (
    error instanceof CommanderError &&
    ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(error.code)
  );
}

/** What a person can act on, as an AppError; anything unforeseen is returned as it is. */
export function readable(error: unknown): unknown {
  // Callers only have to know that nothing can be billed; the person at this terminal can make room.
  if (error instanceof AppError && error.code === 'ledger.unavailable') return fullDisk(error) ?? error;
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const { issues } = error as { issues?: Issue[] };
  if (error.name.endsWith('ZodError') && issues) return new AppError('input.invalid', { reason: reasonOf(issues) });
  return systemError(error) ?? error;
}

interface Issue {
  path: PropertyKey[];
  message: string;
}

/** All that is wrong, each with the field it is wrong in. */
export function reasonOf(issues: Issue[]): string {
  return issueList(issues.map(({ path, message }) => issueAt(path.join('.'), message)));
}

const noAccessCodes = ['EACCES', 'EPERM', 'EROFS', 'SQLITE_READONLY'];
const tooManyCodes = ['EMFILE', 'ENFILE'];
const noPathCodes = ['ENOTDIR', 'ENAMETOOLONG', 'ELOOP'];
/** PostgreSQL's own code is for the disk of its server. */
const fullCodes = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'];
/** What SQLite keeps beside a database while it is open, at its smallest. */
const smallFilesBytes = 64 * 1024;
const unreachableCodes = ['SQLITE_CANTOPEN', 'SQLITE_IOERR'];

function systemError(error: Error): AppError | undefined {
  const root = rootCause(error);
  const { code, path, syscall, message } = root as NodeJS.ErrnoException;
  const damage = path === undefined ? undefined : asDamage(root, path);
  if (damage) return damage;
  const full = fullDisk(error);
  if (full) return full;
  if (code !== undefined && tooManyCodes.includes(code))
    return new AppError('cli.tooManyFiles', { reason: code }, { cause: error });
  if (code !== undefined && syscall === 'mkdtemp') {
    return new AppError('cli.noTemporary', { path: tmpdir(), reason: code }, { cause: error });
  }
  const isNoFolder =
    code !== undefined && (noPathCodes.includes(code) || (syscall === 'mkdir' && /^(EEXIST|ENOENT)$/.test(code)));
  if (isNoFolder || (code !== undefined && noAccessCodes.includes(code))) {
    return new AppError('cli.noAccess', { path: path ?? message, reason: code }, { cause: error });
  }
  if (code === 'ERR_DLOPEN_FAILED' || /bindings file|node_sqlite3\.node/.test(message)) {
    return new AppError('database.noBinding', { command: bindingCommand() }, { cause: error });
  }
  if (error.name.startsWith('SequelizeConnection') || isLostConnection(code)) {
    // SQLite does not say which file it could not open.
    const reason = path === undefined || message.includes(path) ? message || String(code) : `${message} (${path})`;
    return unreachableCodes.includes(code ?? '')
      ? new AppError('database.unopened', { reason }, { cause: error })
      : unreachable(error, reason);
  }
  return undefined;
}

function fullDisk(error: Error): AppError | undefined {
  const { code, path, message } = rootCause(error) as NodeJS.ErrnoException;
  const isFull = code !== undefined && (fullCodes.includes(code) || (code === 'SQLITE_IOERR' && hasNoRoom(path)));
  if (!isFull) return undefined;
  return new AppError('cli.diskFull', { place: path ?? message }, { cause: error });
}

/** SQLite calls it an I/O error when the small files beside the database find no room. */
function hasNoRoom(path: string | undefined): boolean {
  if (path === undefined || !existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize < smallFilesBytes;
}

/** Node's words for a link that is down, SQLite's for a file that does not open, and PostgreSQL's for refused sign-ins. */
function isLostConnection(code: unknown): boolean {
  const networkCodes = [
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EAI_AGAIN',
  ];
  return (
    typeof code === 'string' &&
    (networkCodes.includes(code) || unreachableCodes.includes(code) || /^(28|3D|57P)/.test(code))
  );
}

function rootCause(error: Error): Error {
  const inner = error.cause ?? (error as { parent?: unknown }).parent ?? (error as { errors?: unknown[] }).errors?.[0];
  return inner instanceof Error && inner !== error ? rootCause(inner) : error;
}
