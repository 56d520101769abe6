import { readFileSync } from 'node:fs';
import { AppError } from '../../core/errors/app-error.ts';

/** Below that, some thousand streams end the room: each has a connection to its client and one to its upstream. */
const minFiles = 4096;

/** An idle server has about fifty open. */
const minStartFiles = 64;

/** How many files this process may open, connections among them, where that is few; Linux tells. Node.js has raised it as far as it may. */
export function lowFileLimit(read: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number | undefined {
  try {
    const limit = Number(/^Max open files +(\d+)/m.exec(read())?.[1]);
    return limit < minFiles ? limit : undefined;
  } catch {
    return undefined; // another system
  }
}

/** Throws where a server would end in the middle of its start, with an error about a file that has nothing to do with it. */
export function requireFiles(limit: number | undefined): void {
  if (limit !== undefined && limit < minStartFiles) {
    throw new AppError('cli.tooManyFiles', { reason: ['ulimit', '-n', limit].join(' ') });
  }
}
