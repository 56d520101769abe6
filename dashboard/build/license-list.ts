import type { Plugin } from 'vite';
import { addLicenses, packageFolders } from '../../bin/licenses.ts';

/** Adds the packages whose code became part of the console to the list of licenses. */
export function licenseList(): Plugin {
  return {
    name: 'license-list',
    apply: 'build',
    writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      addLicenses(packageFolders(chunks.flatMap(({ modules }) => Object.keys(modules))));
    },
  };
}
