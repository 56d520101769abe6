import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

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

rmSync(out, { recursive: true, force: true });
const needed = await buildProgram();
const bundled = await buildPackages([...needed].sort());
mkdirSync(join(out, 'bin'), { recursive: true });
await build({
  ...shared,
  entryPoints: ['bin/tollgate.cts'],
  format: 'cjs',
  outfile: join(out, 'bin/tollgate.cjs'),
  external: ['../cli/main.js'],
});
writeFileSync(join(out, 'licenses.txt'), licensesOf(bundled));

/** Our own code; returns the packages it imports. */
async function buildProgram(): Promise<Set<string>> {
  const names = new Set<string>();
  const fromOneFile: Plugin = {
    name: 'packages from one file',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || isBuiltin(path)) return undefined;
        if (isInstalled(path)) return { path, external: true };
        names.add(path);
        return { path, namespace: 'package' };
      });
      onLoad({ filter: /.*/, namespace: 'package' }, async ({ path }) => ({
        contents: await standInFor(path),
        resolveDir: root,
      }));
    },
  };
  await build({
    ...shared,
    entryPoints: ['cli/main.ts', 'core/billing/count-worker.ts'],
    format: 'esm',
    splitting: true,
    outbase: '.',
    outdir: 'dist',
    sourcemap: 'linked',
    sourcesContent: false,
    define: { 'process.env.TOLLGATE_BUILT': '"1"' },
    plugins: [fromOneFile],
  });
  return names;
}

/** Exports what the package does: all of a CommonJS package is its default export. */
async function standInFor(name: string): Promise<string> {
  const loading = `require('./bin/packages.ts').load(${JSON.stringify(name)})`;
  if (!isModule(name)) return `module.exports = ${loading};`;
  const names = Object.keys(await import(name)).filter((one) => one !== 'default');
  return `const all = ${loading};\nexport default all.default;\nexport const { ${names.join(', ')} } = all;`;
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
async function buildPackages(names: string[]): Promise<Metafile> {
  const entries = names.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)}),\n`);
  const { metafile } = await build({
    ...shared,
    stdin: { contents: `module.exports = {\n${entries.join('')}};`, resolveDir: root },
    format: 'cjs',
    // The hash tells compiled forms of two versions apart.
    entryNames: 'packages-[hash]',
    outExtension: { '.js': '.cjs' },
    outdir: out,
    // Names stay, for the traces of errors; one byte a letter reads faster.
    minifySyntax: true,
    minifyWhitespace: true,
    charset: 'ascii',
    banner: { js: '(function (exports, require, module, __filename, __dirname, moduleUrl) {' },
    footer: { js: '})' },
    define: { 'import.meta.url': 'moduleUrl' },
    external: ['pg-native', 'pg-hstore', 'mysql2', 'mariadb', 'tedious', 'oracledb', 'ibm_db', 'snowflake-sdk'],
  });
  return metafile as Metafile;
}

/** What the licenses of the packages in the file ask for: their text goes where the code goes. */
function licensesOf({ inputs }: Metafile): string {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  const parts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE', 'License', 'LICENSE-MIT', 'license.md']
      .map((one) => join(root, folder, one))
      .find((one) => existsSync(one));
    const text = file ? readFileSync(file, 'utf8').trim() : `${license}`;
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}
