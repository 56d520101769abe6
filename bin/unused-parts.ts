import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Parts of packages that this program never reaches: other databases, the hours of all time zones (times are stored in UTC), and messages in fifty languages. */
export const withoutUnused: Plugin = {
  name: 'without unused parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^moment-timezone$/ }, ({ path, resolveDir }) => ({
      path: createRequire(join(resolveDir, 'here.js')).resolve(`${path}/${path}.js`),
    }));
    onResolve({ filter: /^\.\/dialects\/(mariadb|mssql|mysql|oracle|db2|snowflake)(\/data-types)?$/ }, ({ path }) => ({
      path,
      namespace: 'unused',
    }));
    onResolve({ filter: /^\.\.\/locales\/index\.cjs$/ }, ({ resolveDir }) => ({
      // Named in the bundle: no folder of this machine.
      path: 'locales',
      namespace: 'one language',
      pluginData: join(resolveDir, '../locales'),
    }));
    onLoad({ filter: /.*/, namespace: 'one language' }, ({ pluginData }) => ({
      contents: "exports.en = require('./en.cjs').default;",
      resolveDir: pluginData,
    }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = () => ({});' }));
  },
};
