import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { spaces, textsOf } from '../core/text/space.ts';
import { inAscii } from './ascii.ts';
import type { ScriptKind } from './kept-script.ts';
import { textFile } from './kept-text.ts';
import { installedFolders, packageFolders, writeLicenses } from './licenses.ts';
import { seldomUsed } from './packages.ts';
import { undiciParts, withoutUnused } from './unused-parts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'dist');
const require = createRequire(import.meta.url);
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Installed beside the program: native code, data that is read by path, and what has to be imported by Node itself. */
const isInstalled = (name: string) =>
  Object.keys(dependencies).some((one) => name === one || name.startsWith(`${one}/`));

const shared: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  metafile: true,
  logLevel: 'warning',
};

/** A script that is run by `bin/kept-script.ts`; the hash tells compiled forms of two versions apart. */
const keptScript: BuildOptions = {
  ...shared,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  outdir: out,
  // One byte a letter reads faster.
  charset: 'ascii',
  // Names stay, for the traces of errors, which also print the line they point to.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 200,
  legalComments: 'none',
  banner: { js: '(function (exports, require, module, __filename, __dirname, moduleUrl, importModule) {' },
  footer: { js: '})' },
  // Only the sources resolve a name.
  define: { 'import.meta.url': 'moduleUrl', 'import.meta.resolve': 'undefined' },
};

rmSync(out, { recursive: true, force: true });
const needed = await buildProgram();
const [seldom, often] = [true, false].map((is) =>
  [...needed].sort().filter((name) => seldomUsed.includes(name) === is),
);
const bundled = [await buildPackages('packages', often), await buildPackages('seldom', seldom)];
await build({
  ...shared,
  entryPoints: ['core/billing/count-worker.ts'],
  format: 'esm',
  packages: 'external',
  outbase: '.',
  outdir: out,
});
writeTexts();
// What every start needs, written last: where it stands, the rest does.
await build({ ...shared, entryPoints: ['bin/tollgate.cts'], format: 'cjs', outfile: join(out, 'bin/tollgate.cjs') });
writeLicenses([...packageFolders(bundled.flatMap(({ inputs }) => Object.keys(inputs))), ...installedFolders()]);

/** Each kind of texts in each language as one file: `core/text/space.ts` built in. */
function writeTexts(): void {
  mkdirSync(join(out, 'text'));
  for (const language of ['en', 'zh'] as const)
    for (const space of spaces)
      writeFileSync(join(out, 'text', textFile(language, space)), JSON.stringify(textsOf(language, space)));
}

/** Our own code; returns the packages it imports. */
async function buildProgram(): Promise<Set<string>> {
  const names = new Set<string>();
  const fromOneFile: Plugin = {
    name: 'packages from one file',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || isBuiltin(path)) return undefined;
        if (path === 'ink' && kind === 'import-statement') return { path, namespace: 'ink' };
        if (isInstalled(path)) return { path, external: true };
        names.add(path);
        return { path, namespace: 'package' };
      });
      onLoad({ filter: /.*/, namespace: 'package' }, async ({ path }) => ({
        contents: await standInFor(path),
        resolveDir: root,
      }));
      onLoad({ filter: /.*/, namespace: 'ink' }, () => ({
        contents: `module.exports = require('./cli/tui/ink.ts').loadedInk();`,
        resolveDir: root,
      }));
      onLoad({ filter: /core\/text\/space\.ts$/ }, () => ({
        contents: `import { openTexts } from './bin/kept-text.ts';
export const textsOf = openTexts();
export const spaces = ${JSON.stringify(spaces)};`,
        resolveDir: root,
      }));
      // Node warns of an `import()` in a script.
      onLoad({ filter: /cli\/tui\/ink\.ts$/ }, async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replace('await import(', 'await importModule('),
        loader: 'ts',
      }));
    },
  };
  await buildScript({
    entryPoints: ['cli/main.ts'],
    entryNames: 'program-[hash]',
    supported: { 'dynamic-import': false },
    plugins: [fromOneFile],
  });
  return names;
}

/**
 * Exports what the package does; all of a CommonJS package is its default export. Always an ES module: each file that imports a CommonJS one
 * would get a copy of all its names, which for zod and sequelize alone was 27,000 getters.
 */
async function standInFor(name: string): Promise<string> {
  const known = name === 'undici' ? undiciParts : await import(name);
  const names = Object.keys(known).filter((one) => one !== 'default' && /^[\w$]+$/.test(one));
  return `const all = require('./bin/packages.ts').load(${JSON.stringify(name)});
export default ${isModule(name) ? 'all.default' : 'all'};
${names.map((one, index) => `const $${index} = all.${one};\nexport { $${index} as ${one} };`).join('\n')}`;
}

/** Whether `require` finds an ES module. */
function isModule(name: string): boolean {
  const file = require.resolve(name);
  if (/\.[cm]js$/.test(file)) return file.endsWith('.mjs');
  return JSON.parse(readFileSync(nearestManifest(file), 'utf8')).type === 'module';
}

function nearestManifest(file: string): string {
  const beside = join(dirname(file), 'package.json');
  return existsSync(beside) ? beside : nearestManifest(dirname(file));
}

/** Each package runs when it is first asked for. */
async function buildPackages(kind: ScriptKind, names: string[] = []): Promise<Metafile> {
  const entries = names.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)}),\n`);
  return buildScript({
    stdin: { contents: `module.exports = {\n${entries.join('')}};`, resolveDir: root },
    entryNames: `${kind}-[hash]`,
    plugins: [withoutUnused],
    external: ['pg-native', 'pg-hstore', 'mysql2', 'mariadb', 'tedious', 'oracledb', 'ibm_db', 'snowflake-sdk'],
  });
}

async function buildScript(options: BuildOptions): Promise<Metafile> {
  const { metafile } = await build({ ...keptScript, ...options, metafile: true });
  for (const name of Object.keys(metafile.outputs)) {
    const file = join(root, name);
    writeFileSync(file, inAscii(readFileSync(file, 'utf8')));
  }
  return metafile;
}
