import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Checks of texts that no model of ours asks Sequelize for: numbers of taxes, telephones, passports and the like. */
const numberChecks =
  /^\.\/lib\/is(TaxID|IdentityCard|MobilePhone|VAT|IBAN|LicensePlate|MailtoURI|PassportNumber|Locale|Currency|StrongPassword|PostalCode|ISO\d\w+|EAN|ISIN|ISSN|ISRC|BIC|BtcAddress|CreditCard)$/;

/** What upstreams are asked with; the rest of undici is a `fetch`, a cache, WebSockets, proxies and mocks. */
export const undiciParts = {
  Client: 'dispatcher/client.js',
  Pool: 'dispatcher/pool.js',
  buildConnector: 'core/connect.js',
  errors: 'core/errors.js',
};

/**
 * Parts of packages that this program never reaches: other databases, the hours of all time zones (times are stored in UTC), messages in
 * fifty languages, checks of numbers, the types of files that are attached to mails, a search for files by pattern, compilers of schemas,
 * and most of undici.
 */
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
    onResolve({ filter: numberChecks }, ({ path }) => ({ path, namespace: 'unused' }));
    // prom-client asks it for the trace of its own metrics, which we do not have it collect.
    onResolve({ filter: /^@opentelemetry\/api$/ }, ({ path }) => ({ path, namespace: 'unused' }));
    // Shapes on a map.
    onResolve({ filter: /^wkx$/ }, ({ path }) => ({ path, namespace: 'unused' }));
    // A list of all files, which @fastify/static makes only where it is to register a route for each.
    onResolve({ filter: /^glob$/ }, ({ path }) => ({ path, namespace: 'unused' }));
    // What comes in is checked by zod, and no call is made to a server inside its own process.
    onResolve({ filter: /^(@fastify\/(ajv|fast-json-stringify)-compiler|light-my-request)$/ }, ({ path }) => ({
      path,
      namespace: 'unused',
    }));
    // Upstreams are asked over HTTP/1.1, with bodies of our own.
    onResolve({ filter: /^(\.\/client-h2\.js|\.\.\/web\/fetch\/body\.js)$/ }, ({ path }) => ({
      path,
      namespace: 'unused',
    }));
    onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'undici' }));
    onLoad({ filter: /.*/, namespace: 'undici' }, () => ({
      contents: Object.entries(undiciParts)
        .map(([name, file]) => `exports.${name} = require('undici/lib/${file}');`)
        .join('\n'),
      resolveDir: import.meta.dirname,
    }));
    // Our mails have no attachments.
    onResolve({ filter: /^\.\.?\/(mime-funcs\/)?mime-types(\.js)?$/ }, () => ({
      path: 'mime-types',
      namespace: 'any type',
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
    onLoad({ filter: /.*/, namespace: 'any type' }, () => ({
      contents: "exports.detectMimeType = () => 'application/octet-stream'; exports.detectExtension = () => 'bin';",
    }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = () => ({});' }));
  },
};
