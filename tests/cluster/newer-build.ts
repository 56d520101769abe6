import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binary } from '../support/gateway-process.ts';

/** What the next release adds, in the way that `operate.md` allows: the running one must not notice. */
const nextMigration = `{
  name: '9999-next-release',
  async up({ run }) {
    for (const table of ['users', 'tokens', 'channels', 'logs', 'quota_holds', 'usage_data', 'options', 'ledger_owners'])
      await run('ALTER TABLE ' + table + ' ADD COLUMN next_release BIGINT NOT NULL DEFAULT 0');
    await run('CREATE TABLE next_release (id BIGINT PRIMARY KEY)');
    await run('CREATE INDEX logs_next_release ON logs (next_release) WHERE next_release > 0');
  },
}`;

/** The same program with one more migration; where it stands, Node finds the packages beside it. */
export function makeNewerBuild(): { program: string; folder: string } {
  const dist = dirname(dirname(binary));
  const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'tollgate-newer-'));
  cpSync(dist, folder, { recursive: true, filter: (path) => !path.endsWith('.cache') });
  const name = readdirSync(folder).find((one) => /^program-.*\.cjs$/.test(one)) ?? '';
  const file = join(folder, name);
  const text = readFileSync(file, 'latin1');
  const changed = text.replace(
    /(initial,\s*ledgerFunctions,[\w$,\s]*)\]/,
    (_all, list: string) => `${list},${nextMigration}]`,
  );
  if (changed === text) throw new Error('the list of migrations is not found in the build');
  writeFileSync(file, changed, 'latin1');
  return { program: join(folder, 'bin/tollgate.cjs'), folder };
}
