import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testCertificates } from '../core/integrations/outbound/test-certificates.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

let cluster: PostgresCluster;
let home: CliHome;

beforeAll(async () => {
  cluster = await startPostgres();
  home = createCliHome();
});
afterAll(() => {
  home?.remove();
  cluster?.remove();
});

/** The server shows this certificate to every connection from now on. */
async function show(certificate: string): Promise<void> {
  const data = join(cluster.directory, 'data');
  const { uid, gid } = statSync(data);
  for (const [name, text] of Object.entries({ 'server.crt': certificate, 'server.key': testCertificates.key })) {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    chownSync(join(data, name), uid, gid);
  }
  const client = new pg.Client(cluster.url);
  await client.connect();
  await client.query('ALTER SYSTEM SET ssl = on');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

const runWith = (words: string, query: string) => home.run(words, { env: { SQL_DSN: `${cluster.url}?${query}` } });

it('says of an expired certificate of PostgreSQL what can be done, without words of the driver', async () => {
  await show(testCertificates.expired);
  await expect.poll(async () => (await runWith('user list', 'sslmode=require')).stderr).toContain('certificate');
  const { code, stderr } = await runWith('user list', 'sslmode=require');
  expect(code).toBe(7);
  const [first, hint, ...more] = stderr.trim().split('\n');
  expect(first).toMatch(/^tollgate: Cannot connect to the database: its certificate is not accepted \(/);
  expect(hint).toContain('sslmode=no-verify');
  expect(more).toEqual([]);
});

it('backs up over TLS when the certificate is not checked', async () => {
  await show(testCertificates.expired);
  await expect.poll(async () => (await runWith('db migrate', 'sslmode=no-verify')).code).toBe(0);
  const { code, stderr } = await runWith('db backup', 'sslmode=no-verify');
  expect(stderr).not.toContain('pg_dump');
  expect(code).toBe(0);
});

it('refuses an address with a TLS mode or file that is not there', async () => {
  const missing = await runWith('user list', 'sslmode=verify-full&sslrootcert=/nowhere/ca.pem');
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('sslrootcert (SQL_DSN) is "/nowhere/ca.pem"');
  const unknown = await runWith('user list', 'sslmode=yes');
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('sslmode (SQL_DSN) is "yes"');
});
