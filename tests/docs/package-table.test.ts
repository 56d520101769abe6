import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  publishConfig?: { provenance?: boolean };
  repository?: unknown;
  keywords: string[];
};

/** The packages that the program and the console import. */
const imported = new Set(
  ['core', 'cli', 'migrations', 'dashboard/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => importsIn(readFileSync(join(root, folder, name), 'utf8'))),
  ),
);

function importsIn(text: string): string[] {
  const known = { ...manifest.dependencies, ...manifest.devDependencies };
  const found = text.matchAll(
    /(?:^(?:import|export) (?!type\b)[^;]*?from |^import |\bimport\(|\brequire\(|\bresolve\()'([^'.][^']*)'/gm,
  );
  const names = [...found].map(([, path = '']) =>
    path
      .split('/')
      .slice(0, path.startsWith('@') ? 2 : 1)
      .join('/'),
  );
  // It runs the sources, which are not shipped.
  return names.filter((name) => Object.hasOwn(known, name) && name !== 'tsx');
}

describe.each(['security.md', 'security.zh.md'])('the table of packages in %s', (file) => {
  const rows = readFileSync(join(root, 'dashboard/docs', file), 'utf8')
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, , how = '']) => /^(installed|bundled|安装|打包)$/.test(how));
  const named = rows.flatMap(([, names = '', how = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, how })),
  );

  it('names every package that is shipped, once, and no other', () => {
    expect(named.map(({ name }) => name).sort()).toEqual([...imported].sort());
  });

  it('says of each whether it is installed, and why it is there', () => {
    const installed = named.filter(({ how }) => how === 'installed' || how === '安装').map(({ name }) => name);
    expect(installed.sort()).toEqual(Object.keys(manifest.dependencies).sort());
    for (const [, names, , reason = ''] of rows)
      expect({ names, length: reason.length > 2 }).toEqual({ names, length: true });
  });
});

describe('the package', () => {
  it('S18 installs at most 25 packages by name, and promises no provenance without a repository', () => {
    expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(25);
    expect(manifest.publishConfig?.provenance === true && manifest.repository === undefined).toBe(false);
    expect(manifest.keywords.length).toBeGreaterThan(5);
    expect(new Set(manifest.keywords).size).toBe(manifest.keywords.length);
  });
});
