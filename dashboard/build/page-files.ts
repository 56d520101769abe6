import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type ESTree, type Plugin, parseSync, type Rolldown, Visitor } from 'vite';

type Bundle = Rolldown.OutputBundle;

/** A page as `src/pages.ts` lists it. */
interface ListedPage {
  path: string;
  file: string;
  texts: string[];
}

/** Writes which files the first look at each page needs, so that the server can name them all at once. */
export function pageFiles(outDir: string): Plugin {
  const source = join(import.meta.dirname, '../src');
  return {
    name: 'page-files',
    apply: 'build',
    writeBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const fileOf = fileFinder(bundle, source);
        const known = new Set(staticFiles(bundle, fileOf('main.tsx')));
        const pages = listedPages(await readFile(join(source, 'pages.ts'), 'utf8')).map(({ path, file, texts }) => ({
          path,
          files: staticFiles(bundle, fileOf(file)).filter((name) => !known.has(name)),
          texts: Object.fromEntries(
            ['zh', 'en'].map((language) => [
              language,
              [...new Set(['shell', ...texts].map((name) => fileOf(textFile(language, name))))],
            ]),
          ),
        }));
        await writeFile(join(outDir, 'page-files.json'), JSON.stringify(pages));
      },
    },
  };
}

const textFile = (language: string, name: string): string =>
  name === 'option' ? `../../core/text/${language}/option.json` : `i18n/${language}/${name}.json`;

/** By the module's path in the sources. */
function fileFinder(bundle: Bundle, source: string): (file: string) => string {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
  const names = new Map(
    chunks.flatMap(({ fileName, moduleIds }) => moduleIds.map((id) => [relative(source, id), fileName] as const)),
  );
  return (file) => {
    const name = names.get(file);
    if (name === undefined) throw new Error(`${file} is in no file of the build`);
    return name;
  };
}

/** With all it imports, each once. */
function staticFiles(bundle: Bundle, fileName: string, seen = new Set<string>()): string[] {
  const chunk = bundle[fileName];
  if (seen.has(fileName) || chunk?.type !== 'chunk') return [];
  seen.add(fileName);
  return [fileName, ...chunk.imports.flatMap((name) => staticFiles(bundle, name, seen))];
}

/** The calls that start with an address; the strings after it are the names of its texts. */
function listedPages(code: string): ListedPage[] {
  const found: ListedPage[] = [];
  const listed = new Visitor({
    CallExpression({ callee, arguments: parts, start, end }) {
      const [path] = stringsOf(parts[0]);
      if (callee.type !== 'Identifier' || !path?.startsWith('/')) return;
      const call = code.slice(start, end);
      const file = /import\('\.\/(pages\/[^']+)'\)/.exec(call)?.[1];
      if (file === undefined) throw new Error(`the page ${path} names no file`);
      // The second says who may see a page of the console.
      const texts = parts.slice(callee.name === 'console' ? 2 : 1).flatMap(stringsOf);
      const implied = [...(callee.name === 'chat' ? ['chat'] : []), ...(call.includes('withWork(') ? ['work'] : [])];
      found.push({ path, file, texts: [...texts, ...implied] });
    },
  });
  listed.visit(parseSync('pages.ts', code).program);
  if (found.length === 0) throw new Error('no page was found in pages.ts');
  return found;
}

function stringsOf(node: ESTree.Node | undefined): string[] {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? [node.value] : [];
  return node?.type === 'ArrayExpression' ? node.elements.flatMap((one) => stringsOf(one ?? undefined)) : [];
}
