import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  version: string;
  optionalDependencies?: Record<string, string>;
}

const read = <T>(path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')) as T;
const { packages } = read<{ packages: Record<string, LockedPackage> }>('npm-shrinkwrap.json');

describe('the lock file', () => {
  it('knows the binaries for every platform, not only for the one it was written on', () => {
    // A registry that lacks one of them makes npm leave it out when it writes the file, and `npm ci` refuse the file.
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
        .map((name) => `${path} -> ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('names the versions that package.json asks for', () => {
    const { dependencies, devDependencies } = read<Record<string, Record<string, string>>>('package.json');
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });
});
