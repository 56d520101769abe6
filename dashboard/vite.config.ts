import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { transformSync } from 'esbuild';
import { defineConfig, type Plugin } from 'vite';
import { directImport } from './build/direct-import.ts';
import { groups } from './build/layers.ts';
import { licenseList } from './build/license-list.ts';
import { pageFiles } from './build/page-files.ts';
import { singleIcon } from './build/single-icon.ts';

const outDir = join(import.meta.dirname, '../dist/dashboard');
const routerDir = join(import.meta.dirname, '../node_modules/react-router/dist/production');
/** Below this a packed file is not a gain. */
const minBytes = 512;

export default defineConfig({
  root: import.meta.dirname,
  // The server puts a fresh one into every response.
  html: { cspNonce: '__NONCE__' },
  plugins: [
    react(),
    directImport(),
    singleIcon(),
    tablesWithoutRadio(),
    withoutServerTexts(),
    withoutCompiledChecks(),
    quickChartDates(),
    withoutUnusedRouterParts(),
    withoutComponentNames(),
    withoutRemarks(),
    pageFiles(outDir),
    licenseList(),
    packFiles(),
  ],
  // Fluent brings an older one of its own, which speaks the same.
  resolve: {
    dedupe: ['scheduler'],
    // Turns styles around for languages written from right to left; the console speaks none.
    alias: [
      { find: 'rtl-css-js/core', replacement: join(import.meta.dirname, 'build/one-direction.ts') },
      // The router names its development build to every bundler: warnings for authors, which no reader needs.
      { find: /^react-router$/, replacement: join(routerDir, 'index.mjs') },
      { find: /^react-router\/dom$/, replacement: join(routerDir, 'dom-export.mjs') },
    ],
  },
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
        codeSplitting: { groups },
      },
    },
  },
});

/** Fluent's tables bring a radio button for lists where one row may be marked; in ours many may, so none is drawn. */
function tablesWithoutRadio(): Plugin {
  return {
    name: 'tables-without-radio',
    enforce: 'pre',
    resolveId(id, importer) {
      const isOfTables = id === '@fluentui/react-radio' && importer?.includes('@fluentui/react-table/');
      return isOfTables ? join(import.meta.dirname, 'build/checkbox-for-radio.ts') : undefined;
    },
  };
}

/** The functions that compute a bill can throw the server's errors, and these bring all texts there are. */
function withoutServerTexts(): Plugin {
  return {
    name: 'without-server-texts',
    enforce: 'pre',
    resolveId(id, importer) {
      const isOfErrors = id === '../text/text.ts' && importer?.endsWith('/core/errors/app-error.ts');
      return isOfErrors ? join(import.meta.dirname, 'build/server-text.ts') : undefined;
    },
  };
}

/**
 * Zod compiles the check of an object to a function, and tries first whether it may; the page's policy forbids it, and Firefox reports the
 * try as an error.
 */
function withoutCompiledChecks(): Plugin {
  const asked = 'const jit = !core.globalConfig.jitless;';
  return {
    name: 'without-compiled-checks',
    transform(code, id) {
      if (!id.includes('/zod/v4/core/schemas.js')) return undefined;
      if (!code.includes(asked)) throw new Error(`${id} does not ask whether it may compile any more`);
      return { code: code.replace(asked, 'const jit = false;'), map: null };
    },
  };
}

/** Charts make a new format for each date they write. */
function quickChartDates(): Plugin {
  const slow = 'return date.toLocaleString(culture, options);';
  const quick = 'return dateText(date, culture, options);';
  const from = JSON.stringify(join(import.meta.dirname, 'build/chart-date.ts'));
  return {
    name: 'quick-chart-dates',
    transform(code, id) {
      if (!id.includes('/@fluentui/chart-utilities/lib/formatter.js')) return undefined;
      if (!code.includes(slow)) throw new Error(`${id} does not write dates with toLocaleString any more`);
      return { code: `import { dateText } from ${from};\n${code.replace(slow, quick)}`, map: null };
    },
  };
}

/** Unused parts of the router are dropped only if creating them has no side effects: no names for developer tools, and calls that are marked as pure. */
function withoutUnusedRouterParts(): Plugin {
  return {
    name: 'without-unused-router-parts',
    transform(code, id) {
      if (!id.startsWith(routerDir)) return undefined;
      const unnamed = code.replaceAll(/^\w+\.displayName = "\w+";$/gm, '');
      return { code: unnamed.replaceAll(/= (?=React\d*\.forwardRef\()/g, '= /* @__PURE__ */ '), map: null };
    },
  };
}

/** Names that Fluent gives its components for developer tools. */
function withoutComponentNames(): Plugin {
  return {
    name: 'without-component-names',
    transform(code, id) {
      if (!id.includes('/@fluentui/') || !code.includes('.displayName = ')) return undefined;
      return { code: code.replaceAll(/^\w+\.displayName = '\w+';$/gm, ''), map: null };
    },
  };
}

/** What `index.html` says to its next owner is not sent to every reader. */
function withoutRemarks(): Plugin {
  const scripts = /(?<=<script(?![^>]*src)[^>]*>).*?(?=<\/script>)/gs;
  const packed = (code: string) => transformSync(code, { minify: true, format: 'iife' }).code.trim();
  return {
    name: 'without-remarks',
    apply: 'build',
    transformIndexHtml: (html) => html.replace(/^\s+/gm, '').replace(scripts, packed),
  };
}

/** Writes each file as brotli and as gzip in place of itself: the server packs nothing while it serves, and the package holds nothing that no browser asks for. */
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
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, zipped)]);
  await rm(path);
}
