import type { Plugin, Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

/**
 * A part that is loaded later and shares its file with others gets a second file from the bundler, which only names the first. Here it is
 * imported from where it is, so that the browser fetches one file in place of two.
 */
export function directImport(): Plugin {
  return {
    name: 'direct-import',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of namesOnly(bundle)) replace(bundle, file);
      },
    },
  };
}

function namesOnly(bundle: Bundle): Chunk[] {
  return Object.values(bundle)
    .filter((file) => file.type === 'chunk')
    .filter(({ isEntry, moduleIds }) => !isEntry && moduleIds.length === 0);
}

function replace(bundle: Bundle, { fileName, code }: Chunk): void {
  const [, names, target] = /^export\{([^}]*)\}from["'`]\.\/([^"'`]+)["'`];?\s*$/.exec(code) ?? [];
  if (names === undefined || target === undefined) throw new Error(`${fileName} is not a list of names: ${code}`);
  const members = names.split(',').map((one) => {
    const [inner = '', outer = inner] = one.trim().split(' as ');
    return `${outer}:m.${inner}`;
  });
  const name = fileName.replace('assets/', '');
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== 'chunk') continue;
    chunk.code = chunk.code
      .replaceAll(new RegExp(`import\\(["'\`]\\./${escaped(name)}["'\`]\\)`, 'g'), () => {
        return `import("./${target}").then(m=>({${members.join()}}))`;
      })
      .replaceAll(`"${fileName}"`, `"assets/${target}"`);
    chunk.dynamicImports = chunk.dynamicImports.map((one) => (one === fileName ? `assets/${target}` : one));
  }
  delete bundle[fileName];
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
