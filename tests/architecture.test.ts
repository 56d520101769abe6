import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** From top to bottom: a file imports from its own layer or from one further down. */
const layers = [
  'bin/',
  'cli/main.ts',
  'cli/commands/',
  'cli/tui/',
  'cli/',
  'core/gateway.ts',
  'core/gateway/',
  'core/app.ts',
  'core/app/',
  'core/http/',
  'core/jobs/',
  'core/relay/',
  'core/services/',
  'core/integrations/',
  'core/billing/',
  'core/database/',
  'core/providers/',
  'core/wire/',
  'core/config.ts',
  'core/config/',
  'core/version.ts',
  'core/canonical/',
  'core/errors/',
  'core/schemas/',
  'core/lib/',
  'core/text/',
];

/** Files of a lower layer that a higher rule lets through, with the reason. */
const browserFiles = [
  'core/schemas/',
  'core/billing/dollar-ratio.ts',
  'core/billing/price.ts',
  'core/billing/quota.ts',
  'core/billing/receipt.ts',
  // What the schemas' messages say.
  'core/text/coded.ts',
  'core/text/issue.ts',
  'core/text/detail.ts',
  'core/text/filler.ts',
  'core/text/en/detail.ts',
  'core/text/zh/detail.ts',
  // How a list is read that a person types.
  'core/lib/typed-list.ts',
  // One check of what a JSON value is.
  'core/lib/json-value.ts',
  // Where a text stops being JSON, in a form and in a file.
  'core/lib/json-position.ts',
  // What people read about the settings, the same in every part of the program.
  'core/text/{zh,en}/option.json',
];

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => /\.(c?ts|tsx)$/.test(name));
}

interface Import {
  from: string;
  to: string;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(
    /^\s*(?:import|export)\s+[^;]*?from\s+'(\.[^']+)'|import(?:\.meta\.glob[^(]*)?\(\s*'(\.[^']+)'/gm,
  );
  return [...found].map((match) => ({
    from: file,
    to: relative(root, resolve(root, dirname(file), match[1] ?? match[2] ?? '')),
  }));
}

/** The text of a file without comments, strings and templates. */
function codeOf(file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  return text.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, "''");
}

function rank(file: string): number {
  return layers.findIndex((layer) => file === layer || (layer.endsWith('/') && file.startsWith(layer)));
}

const files = ['bin', 'cli', 'core', 'migrations'].flatMap(sources);

describe('the architecture', () => {
  it('imports point down the layers, never up', () => {
    const upward = files
      .filter((file) => !file.startsWith('migrations/'))
      .flatMap(importsOf)
      .filter(({ to }) => !to.startsWith('migrations/'))
      .filter(({ from, to }) => rank(to) < rank(from));
    expect(upward).toEqual([]);
  });

  it('imports form no cycle, of values or of types', () => {
    // A cycle makes it matter which file is loaded first, and two files of one cannot be understood apart.
    const needs = new Map(files.map((file) => [file, importsOf(file).map(({ to }) => to)]));
    const settled = new Set<string>();
    const cycles: string[] = [];
    function visit(file: string, path: string[]): void {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' > '));
      if (settled.has(file) || path.includes(file)) return;
      for (const to of needs.get(file) ?? []) visit(to, [...path, file]);
      settled.add(file);
    }
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it('what the steps of the relay share does not need a step', () => {
    const steps = [
      'relay',
      'attempt/attempt',
      'attempt/serve-on',
      'attempt/send-upstream',
      'request/write-call',
      'deliver/response-reader',
      'deliver/read-document',
      'deliver/document-events',
      'deliver/response-headers',
      'deliver/deliver-plain',
      'deliver/deliver-stream',
      'deliver/respond',
      'meter/final-usage',
    ].map((name) => `core/relay/${name}.ts`);
    expect(steps.filter((file) => !files.includes(file))).toEqual([]);
    const reached = new Set(['core/relay/run.ts']);
    for (const file of reached) for (const { to } of importsOf(file)) if (files.includes(to)) reached.add(to);
    expect(steps.filter((file) => reached.has(file))).toEqual([]);
  });

  it('an exported type name means one thing', () => {
    const homes = new Map<string, string[]>();
    for (const file of files) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const [, name = ''] of text.matchAll(/^export (?:type|interface|class|abstract class) (\w+)/gm))
        homes.set(name, [...(homes.get(name) ?? []), file]);
    }
    expect([...homes].filter(([, where]) => where.length > 1)).toEqual([]);
  });

  it('names use the words of the field: default, max and min', () => {
    const found = [...files, ...sources('dashboard/src')].flatMap((file) =>
      [...codeOf(file).matchAll(/(?<![\w-])(?:usual|most|least|longest)(?:[A-Z]\w*)?(?![\w-])/g)].map(([name]) => ({
        file,
        name,
      })),
    );
    expect(found).toEqual([]);
  });

  it('no exported name says answer for a response or a result', () => {
    const exported =
      /^export (?:default )?(?:async )?(?:abstract )?(?:function\*?|const|class|interface|type|enum) (\w*answer\w*)/gim;
    const found = [...files, ...sources('dashboard/src')].flatMap((file) =>
      [...codeOf(file).matchAll(exported)].map(([, name]) => ({ file, name })),
    );
    expect(found).toEqual([]);
  });

  it('a JSON object has one type and one check', () => {
    const second =
      /(?:function|const) (?:isObject|isRecord|isJsonObject|isPlainObject)\b|^(?:export )?type (?!\w+Row )\w+ = Record<string, unknown>;/m;
    const home = 'core/lib/json-value.ts';
    const all = [...files, ...sources('dashboard/src')].filter((file) => file !== home);
    expect(all.filter((file) => second.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('members are in their object, not in one that is spread into it', () => {
    // JSX has no other short form for properties: there the braces come first.
    const spread = files.filter((file) => /(?<!\{)\.\.\.\{/.test(readFileSync(join(root, file), 'utf8')));
    expect(spread).toEqual([]);
  });

  it('every source file has a layer', () => {
    expect(files.filter((file) => !file.startsWith('migrations/') && rank(file) < 0)).toEqual([]);
  });

  it('only core/config.ts reads the environment', () => {
    const readers = files.filter((file) => /process\.env\b/.test(readFileSync(join(root, file), 'utf8')));
    // The entry sets the thread pool's size before anything runs, and the program is loaded before there is a configuration.
    const early = ['bin/kept-script.ts', 'bin/tollgate.cts'];
    expect(readers.filter((file) => ![...early, 'core/config.ts'].includes(file))).toEqual([]);
  });

  it('lines are never read with node:readline, which ends them within JSON', () => {
    const readers = files.filter((file) => /from 'node:readline/.test(readFileSync(join(root, file), 'utf8')));
    expect(readers).toEqual([]);
  });

  it('wire formats and providers are pure: no database, network, clock or file', () => {
    const impure =
      /from '(node:(fs|net|http|https|dns|tls|child_process|worker_threads)|undici|sequelize|pg|sqlite3)'|Date\.now\(|performance\.now\(|new Date\(\)/;
    const found = files.filter((file) => /^core\/(wire|providers)\//.test(file));
    expect(found.filter((file) => impure.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('what the dashboard may use runs in a browser', () => {
    const shared = files.filter((file) => browserFiles.some((prefix) => file.startsWith(prefix)));
    const nodeOnly = shared.filter((file) => /from 'node:/.test(readFileSync(join(root, file), 'utf8')));
    expect(nodeOnly).toEqual([]);
  });

  it('the dashboard takes nothing else from the core', () => {
    const others = sources('dashboard/src')
      .flatMap(importsOf)
      .filter(({ to }) => to.startsWith('core/') && !browserFiles.some((prefix) => to.startsWith(prefix)));
    expect(others).toEqual([]);
  });

  it('no file is named after nothing', () => {
    expect(
      [...files, ...sources('dashboard/src')].filter((file) => /(^|\/)(utils?|helpers?|common|misc)\.tsx?$/.test(file)),
    ).toEqual([]);
  });

  it('the top level contains what it should and nothing else', () => {
    const allowed = [
      'package.json',
      'tsconfig.json',
      'bin',
      'cli',
      'core',
      'dashboard',
      'migrations',
      'tests',
      'README.md',
      'npm-shrinkwrap.json',
      'LICENSE',
      'CHANGELOG.md',
      'Dockerfile',
      'node_modules',
      'dist',
    ];
    const present = readdirSync(root).filter((name) => !name.startsWith('.') && !name.endsWith('.tgz'));
    expect(present.filter((name) => !allowed.includes(name))).toEqual([]);
  });
});
