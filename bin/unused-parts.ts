import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Checks of texts that no model of ours asks Sequelize for: numbers of taxes, telephones, passports and the like. */
const numberChecks =
  /^\.\/lib\/is(TaxID|IdentityCard|MobilePhone|VAT|IBAN|LicensePlate|MailtoURI|PassportNumber|Locale|Currency|StrongPassword|PostalCode|ISO\d\w+|EAN|ISIN|ISSN|ISRC|BIC|BtcAddress|CreditCard)$/;

/**
 * Parts of packages that this program never reaches: other databases, the hours of all time zones (times are stored in UTC), messages in
 * fifty languages, checks of numbers, the types of files that are attached to mails, and a search for files by pattern.
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
