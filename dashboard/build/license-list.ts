import type { Plugin } from 'vite';
import { addLicenses, packageFolders } from '../../bin/licenses.ts';

/** They only hand on what other packages contain: none of their own code is left. */
const barrels = ['@fluentui/react-components', 'react-router-dom'].map((name) => `node_modules/${name}`);

/** Adds the packages whose code became part of the console to the list of licenses. */
export function licenseList(): Plugin {
  return {
    name: 'license-list',
    apply: 'build',
    writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      addLicenses([...packageFolders(chunks.flatMap(({ modules }) => Object.keys(modules))), ...barrels]);
    },
  };
}
