import { randomBytes } from 'node:crypto';
import { chmodSync, constants, copyFileSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../errors/app-error.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { coded } from '../text/coded.ts';
import { list } from './value.ts';

/** CRYPTO_SECRET may name several secrets, separated by commas: the first encrypts, the others still decrypt. */
export function readCryptoSecrets(value: string | undefined, directory: string): string[] {
  const secrets = list(value);
  if (secrets.length > 0) return secrets;
  if (value !== undefined) {
    // The key of the file would be used instead, and each process that shares a database might have another one.
    throw new AppError('config.invalid', { name: 'CRYPTO_SECRET', value, allowed: coded('input.secrets') });
  }
  const path = join(directory, 'master.key');
  return existsSync(path) ? readFileSync(path, 'utf8').split(/\s+/).filter(Boolean) : [];
}

const safeLength = 16;
const minLetters = 6;

/** Installations go on with one, but are told: it encrypts all that is stored secretly. Former ones only decrypt. */
export function isGuessable([secret = ''.padEnd(safeLength)]: readonly string[]): boolean {
  return secret.length < safeLength || new Set(secret).size < minLetters;
}

interface SecretPlace {
  cryptoSecrets: string[];
  dataDirectory: string;
}

/** The secrets of an installation that has its database; the file is made when it has none yet. */
export function ensureSecrets({ cryptoSecrets, dataDirectory }: SecretPlace): string[] {
  if (cryptoSecrets.length > 0) return cryptoSecrets;
  const path = join(dataDirectory, 'master.key');
  if (!existsSync(path)) {
    makeFolder(dataDirectory);
    createMasterKey(path);
    chmodSync(path, 0o600);
  }
  return readFileSync(path, 'utf8').split(/\s+/).filter(Boolean);
}

/** Two processes that start together agree on the key of the one that came first, and neither reads half of it. */
function createMasterKey(path: string): void {
  // In containers that share a folder every process has the same number.
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    // Else a file system without links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') copyFileSync(draft, path, constants.COPYFILE_EXCL);
  } finally {
    rmSync(draft);
  }
}
