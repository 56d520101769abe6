import { accessSync, constants } from 'node:fs';
import { AppError } from '../errors/app-error.ts';
import { coded } from '../text/coded.ts';
import { choice } from './value.ts';

/** `no-verify` is a word of our driver; PostgreSQL's own programs say `require` for it. */
const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const;
const files = ['sslrootcert', 'sslcert', 'sslkey'];

/** What the address says about TLS: the driver takes an unknown mode for another one, and opens a missing file with an error of its own. */
export function checkPostgresTls(name: string, address: string): void {
  const { searchParams } = new URL(address);
  choice(`sslmode (${name})`, searchParams.get('sslmode') || undefined, 'disable', modes);
  for (const file of files) {
    const path = searchParams.get(file);
    if (path === null || isReadable(path)) continue;
    throw new AppError('config.invalid', {
      name: `${file} (${name})`,
      value: path,
      allowed: coded('input.readableFile'),
    });
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
