import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { missingFile } from '../../core/errors/unreadable-file.ts';
import { version } from '../../core/version.ts';
import type { Context } from '../context.ts';
import { example } from '../flag/selection.ts';

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  noun.option('--licenses', speak('flag.licenses')).action(({ licenses = false }: { licenses?: boolean }) => {
    if (licenses) {
      const text = readLicenses();
      return output.json ? output.record({ licenses: text }, '') : output.text(text);
    }
    const facts = { version, node: process.versions.node, platform: `${process.platform}-${process.arch}` };
    output.record(facts, `tollgate ${version} (Node.js ${facts.node}, ${facts.platform})`);
  });
  example(noun, context, 'version --licenses');
}

/** The build writes the list; the program lies beside it, and its sources above. */
function readLicenses(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  const path = join(folder, 'dist', 'licenses.txt');
  if (!existsSync(path)) throw missingFile(path);
  return readFileSync(path, 'utf8');
}
