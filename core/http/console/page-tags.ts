import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Written by the build of the dashboard: which files the first look at each page needs. */
export const fileList = 'page-files.json';

interface PageFiles {
  /** As the dashboard's router reads it: `/channel/edit/:id`, `/chat/:id?`. */
  path: string;
  files: string[];
  /** By language; the page knows which one its reader chose. */
  texts: Record<string, string[]>;
}

/** Gives the tags that let a browser fetch all files of a page at once, in place of finding them one after the other. */
export function readPageTags(folder: string): (path: string) => string {
  const file = join(folder, fileList);
  if (!existsSync(file)) return () => '';
  const pages = (JSON.parse(readFileSync(file, 'utf8')) as PageFiles[]).map((page) => ({
    pattern: patternOf(page.path),
    tags: tagsOf(page),
  }));
  return (path) => pages.find(({ pattern }) => pattern.test(path))?.tags ?? '';
}

function patternOf(path: string): RegExp {
  const parts = path.split('/').slice(1);
  const source = parts.map((part) =>
    part === '*' ? '/.+' : !part.startsWith(':') ? `/${part}` : part.endsWith('?') ? '(/[^/]+)?' : '/[^/]+',
  );
  return new RegExp(`^${source.join('')}/?$`);
}

function tagsOf({ files, texts }: PageFiles): string {
  const addresses = Object.entries(texts).map(([language, names]) => [language, names.map((name) => `/${name}`)]);
  return [
    ...files.map((name) => `<link rel="modulepreload" crossorigin href="/${name}" nonce="__NONCE__">`),
    `<meta name="page-texts" content='${JSON.stringify(Object.fromEntries(addresses))}'>`,
  ].join('');
}
