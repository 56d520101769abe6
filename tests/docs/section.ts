import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { Language } from '../../core/text/text.ts';
import { billingExamples } from './billing-section.ts';
import { commandReference } from './command-section.ts';
import { environmentTable, idleVariables } from './environment-section.ts';
import { protocolMatrix } from './matrix-section.ts';
import { optionTables } from './option-section.ts';
import { otherTypes, providerTable } from './provider-section.ts';
import { routeReference } from './route-section.ts';
import { targetTable } from './target-section.ts';
import { vendorClientList, vendorTable } from './vendor-section.ts';

/** What the documents take from the code: the text between `<!-- begin NAME -->` and `<!-- end NAME -->`. */
const sections: Record<string, (language: Language) => string | Promise<string>> = {
  commands: commandReference,
  environment: environmentTable,
  'idle-environment': idleVariables,
  providers: providerTable,
  'other-types': otherTypes,
  vendors: vendorTable,
  'vendor-clients': vendorClientList,
  'protocol-matrix': protocolMatrix,
  bill: billingExamples,
  options: optionTables,
  targets: targetTable,
  routes: routeReference,
};

const folder = new URL('../../dashboard/docs/', import.meta.url);

/** Documents that contain such a section. */
export const generatedDocuments = readdirSync(folder).filter(
  (name) => name.endsWith('.md') && readFileSync(new URL(name, folder), 'utf8').includes('<!-- begin '),
);

export function readDocument(name: string): Promise<string> {
  return readFile(new URL(name, folder), 'utf8');
}

/** The document as it should be: every section rewritten. */
export async function renderDocument(name: string): Promise<string> {
  const language = name.endsWith('.zh.md') ? 'zh' : 'en';
  let text = await readDocument(name);
  for (const [whole, section = ''] of text.matchAll(/<!-- begin ([\w-]+) -->\n[\s\S]*?<!-- end \1 -->/g)) {
    const render = sections[section];
    if (!render) throw new Error(`${name} asks for a section ${section}, which does not exist`);
    const body = await render(language);
    text = text.replace(whole, () => `<!-- begin ${section} -->\n${body.trim()}\n<!-- end ${section} -->`);
  }
  return text;
}

export async function writeDocuments(): Promise<void> {
  for (const name of generatedDocuments) await writeFile(new URL(name, folder), await renderDocument(name));
}
