import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

export type EnvironmentVariables = Record<string, string | undefined>;

export type SettingSources = Record<string, 'flag' | 'environment' | 'file' | 'default'>;

/** Reads one setting by its variable's name. */
export type Read = (name: string, flag?: string) => string | undefined;

export function createReader(
  environment: EnvironmentVariables,
  sources: SettingSources,
  without: ReadonlySet<string> = new Set(),
): Read {
  const file = readDotEnv();
  return (name, flag) => {
    if (without.has(name)) return undefined;
    const [source, value] = [
      ['flag', flag] as const,
      ['environment', environment[name]] as const,
      ['file', file[name]] as const,
    ].find(([, candidate]) => candidate !== undefined && candidate !== '') ?? ['default' as const, undefined];
    sources[name] = source;
    return value;
  };
}

/** What the file `.env` of the current folder sets. */
export function readDotEnv(): EnvironmentVariables {
  const path = resolve('.env');
  if (!existsSync(path)) return {};
  return parseEnv(readFileSync(path, 'utf8')) as EnvironmentVariables;
}
