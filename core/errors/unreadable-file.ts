import { coded, type DetailKey } from '../text/coded.ts';
import { AppError } from './app-error.ts';

const reasons: Record<string, DetailKey> = {
  ENOENT: 'input.fileMissing',
  EISDIR: 'input.fileIsFolder',
  EACCES: 'input.fileDenied',
  EPERM: 'input.fileDenied',
};

/** Why a file cannot be read, in words; the code of the system stays for those who search for it. */
export function unreadableFile(path: string, error: unknown): AppError {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  const key = reasons[code];
  const reason = key === undefined ? code : coded(key, { code });
  return new AppError('cli.fileUnreadable', { path, reason }, { cause: error });
}

export const missingFile = (path: string): AppError => unreadableFile(path, { code: 'ENOENT' });
