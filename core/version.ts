import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** From package.json, which lies above both the sources and the build. */
export const version: string = findVersion();

/** Who calls, for upstreams whose front refuses a call that does not say. */
export const userAgent = `tollgate/${version}`;

function findVersion(): string {
  for (const path of ['../package.json', '../../package.json', '../../../package.json']) {
    try {
      const { name, version: found } = require(path) as { name?: string; version?: string };
      if (name === 'tollgate' && found) return found;
    } catch {
      // Not this level: the bundler decides how deep this file lies.
    }
  }
  return '0.0.0';
}
