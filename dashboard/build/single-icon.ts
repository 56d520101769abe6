import type { Plugin } from 'vite';

const importOfIcons = /import\s*\{([^}]*)\}\s*from\s*(['"])@fluentui\/react-icons\2;?/g;

/** Fluent's own components ask for their icons by files of a thousand; here each comes from a file of its own, so that it stands where it is used. */
export function singleIcon(): Plugin {
  return {
    name: 'single-icon',
    enforce: 'pre',
    transform: {
      filter: { id: /@fluentui\/.*\.js$/, code: /@fluentui\/react-icons['"]/ },
      handler: (code) => ({
        code: code.replace(importOfIcons, (_whole, names: string) => importsOf(names)),
        map: null,
      }),
    },
  };
}

function importsOf(names: string): string {
  const list = names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return list.map((name) => `import { ${name} } from '${fileOf(name)}';`).join('');
}

/** `CheckmarkCircle12Filled` is in `checkmark-circle`; what is no icon comes from the package itself. */
function fileOf(name: string): string {
  const [, icon] = /^([A-Z]\w*?)\d*(?:Filled|Regular)$/.exec(name) ?? [];
  if (icon === undefined) return '@fluentui/react-icons';
  return `@fluentui/react-icons/svg/${icon.replace(/(?<=.)([A-Z])/g, '-$1').toLowerCase()}`;
}
