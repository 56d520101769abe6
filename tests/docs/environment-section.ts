import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variablesWithoutEffect } from '../../core/config/warning.ts';
import { loadConfig } from '../../core/config.ts';
import type { Language } from '../../core/text/text.ts';
import { runCli } from '../support/run-cli.ts';
import { meanings } from './environment-meaning.ts';
import { code, markdownTable } from './markdown.ts';

/** Names that an environment made for one-api may still contain. */
export function idleVariables(): string {
  return [...variablesWithoutEffect].map(code).join(', ');
}

export async function environmentTable(language: Language): Promise<string> {
  const { names, defaults } = await readDefaults();
  const unknown = [...names].filter((name) => !meanings[name]);
  const gone = Object.keys(meanings).filter((name) => !names.has(name));
  if (unknown.length + gone.length > 0) throw new Error(`to explain: ${unknown.join()}; not read: ${gone.join()}`);
  return markdownTable(
    language === 'en' ? ['Variable', 'Default', 'Meaning'] : ['变量', '默认值', '说明'],
    Object.entries(meanings).map(([name, meaning]) => [
      code(name),
      meaning.fallback?.[language] ?? code(defaults.get(name) ?? ''),
      meaning[language],
    ]),
  );
}

/** The names the program asks the environment for, and what it takes where there is nothing. */
async function readDefaults(): Promise<{ names: Set<string>; defaults: Map<string, string> }> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-docs-'));
  try {
    const { sources } = loadConfig({}, { TOLLGATE_HOME: directory });
    const without: readonly string[] = variablesWithoutEffect;
    const { stdout } = await runCli('config show --json', { env: { TOLLGATE_HOME: directory } });
    const { items } = JSON.parse(stdout) as { items: { name: string; value: string }[] };
    return {
      names: new Set(Object.keys(sources).filter((name) => !without.includes(name))),
      defaults: new Map(items.map(({ name, value }) => [name, value])),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
