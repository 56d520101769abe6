import type { Language } from '../../i18n/language.ts';

/** As people read them, one after the other. */
export const documentNames = [
  ...(['get-started', 'providers', 'provider-table', 'add-provider', 'protocols', 'billing', 'accounts'] as const),
  ...([
    'settings',
    'cli',
    'tui',
    'script',
    'explain',
    'deploy',
    'operate',
    'observe',
    'grow',
    'moving',
    'security',
  ] as const),
  ...(['api', 'benchmark'] as const),
];
export type DocumentName = (typeof documentNames)[number];

export interface Document {
  title: string;
  /** Markdown, without the title. */
  text: string;
}

const endings: Record<Language, string> = { en: '', zh: '.zh' };
const files = import.meta.glob<string>('../../../docs/*.md', { query: '?raw', import: 'default' });

export const isDocument = (name: string | undefined): name is DocumentName =>
  documentNames.some((known) => known === name);

export async function readDocument(name: DocumentName, language: Language): Promise<Document> {
  const load = files[`../../../docs/${name}${endings[language]}.md`];
  if (!load) throw new Error(`there is no document ${name}`);
  const whole = await load();
  const [, title = name, text = ''] = /^# (.+)\n([\s\S]*)$/.exec(whole) ?? [];
  return { title, text };
}

/** Where a link of a document leads here: `cli.md#exit-codes` to a page of ours. Undefined for what lies elsewhere. */
export function placeOf(href: string): string | undefined {
  const [, name, anchor = ''] = /^([\w-]+?)(?:\.zh)?\.md(#.*)?$/.exec(href) ?? [];
  return isDocument(name) ? `/docs/${name}${anchor}` : undefined;
}

/** The anchor of a heading, as the links spell it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

export interface Section {
  heading: string;
  text: string;
}

/** The parts of a document by their headings down to a level; what stands before the first one has none. */
export function sectionsOf({ text }: Document, level: 2 | 3 = 2): Section[] {
  const sections: Section[] = [{ heading: '', text: '' }];
  let isProgram = false;
  const pattern = level === 2 ? /^## (.+)$/ : /^###? (.+)$/;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isProgram = !isProgram;
    const [, heading] = (!isProgram && pattern.exec(line)) || [];
    if (heading) sections.push({ heading: heading.replace(/[`*]/g, ''), text: '' });
    else (sections.at(-1) as Section).text += `${line}\n`;
  }
  return sections;
}
