import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError } from '../errors/app-error.ts';
import type { EnvironmentVariables, Read } from './reader.ts';
import { filePath } from './value.ts';

export function readDataDirectory(read: Read, environment: EnvironmentVariables, flag: string | undefined): string {
  return resolve(filePath('TOLLGATE_HOME', read('TOLLGATE_HOME', flag)) ?? defaultDataDirectory(environment));
}

function defaultDataDirectory(environment: EnvironmentVariables): string {
  if (process.platform === 'win32') return join(environment.APPDATA || home(), 'tollgate');
  if (process.platform === 'darwin') return join(home(), 'Library', 'Application Support', 'tollgate');
  return join(environment.XDG_DATA_HOME || join(home(), '.local', 'share'), 'tollgate');
}

/** A container may run as a number that the system does not know. */
function home(): string {
  let folder = '';
  try {
    folder = homedir();
  } catch {
    // Said below, as of an empty one.
  }
  if (folder === '') throw new AppError('config.noHome');
  return folder;
}
