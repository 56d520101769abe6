import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const outDir = join(import.meta.dirname, '../dist/dashboard');
/** Below this a packed file is not a gain. */
const minBytes = 1024;

export default defineConfig({
  root: import.meta.dirname,
  // The server puts a fresh one into every response.
  html: { cspNonce: '__NONCE__' },
  plugins: [react(), packFiles()],
  // Fluent brings an older one of its own, which speaks the same.
  resolve: { dedupe: ['scheduler'] },
  build: {
    outDir,
    emptyOutDir: true,
    reportCompressedSize: false,
    // Nothing as data: address, so that every script and style has an address the page's policy knows.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1024,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Left alone it makes hundreds of small files: each packs worse, and each import has to name them. What stands alone here is
          // needed by some pages' first look and not by others'.
          groups: [
            { name: 'console', tags: ['$initial'], priority: 4 },
            { name: 'schema', test: /node_modules\/zod\//, priority: 3 },
            { name: 'focus', test: /node_modules\/tabster\//, priority: 2 },
            {
              name: 'page',
              test: /react-(input|field|label|message-bar|badge)\/|components\/(page|button-link)\.tsx/,
              priority: 2,
            },
            { name: 'list', test: /components\/list\/(list-page|use-list|search-filter)/, priority: 1 },
          ],
        },
      },
    },
  },
});

/** Writes each file once more as brotli and gzip, so that the server packs nothing while it serves. */
function packFiles(): Plugin {
  return {
    name: 'pack-files',
    apply: 'build',
    async closeBundle() {
      const names = await readdir(outDir, { recursive: true });
      await Promise.all(names.filter((name) => /\.(js|css|svg)$/.test(name)).map((name) => pack(join(outDir, name))));
    },
  };
}

async function pack(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < minBytes) return;
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, zipped)]);
}
