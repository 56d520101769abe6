import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../core/config.ts';
import { createTemporaryTarget } from '../support/temporary-database.ts';

const root = new URL('../..', import.meta.url).pathname;

export const sampleFolder = join(root, 'dashboard/docs/deploy');

export const readRoot = (path: string): string => readFileSync(join(root, path), 'utf8');
export const readSample = (name: string): string => readFileSync(join(sampleFolder, name), 'utf8');

/** The names the program asks the environment for. */
export async function knownVariables(): Promise<Set<string>> {
  const { directory, remove } = await createTemporaryTarget('sqlite');
  const { sources } = loadConfig({}, { TOLLGATE_HOME: directory });
  await remove();
  return new Set(Object.keys(sources));
}
