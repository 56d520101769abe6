import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findBinaries, freePort, type PostgresCluster, removePostgres, unprivilegedUser } from './postgres.ts';
import { until } from './redis.ts';

export interface Standby {
  port: number;
  /** Makes it a cluster of its own that takes writes; resolves when it does. */
  promote(): Promise<void>;
  remove(): void;
}

/** A second cluster made from a base backup, which follows the first one; from now on each commit waits for both. */
export async function startStandby(primary: PostgresCluster): Promise<Standby> {
  const bin = findBinaries();
  const owner = unprivilegedUser();
  const identity = owner ? { uid: owner.uid, gid: owner.gid } : {};
  const environment = { ...process.env, LC_ALL: 'C.UTF-8' };
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-standby-'));
  if (owner) chownSync(directory, owner.uid, owner.gid);
  const data = join(directory, 'data');
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'tollgate'];
  const words = ['-D', data, ...from, '-R', '--checkpoint=fast', '--no-sync'];
  execFileSync(join(bin, 'pg_basebackup'), words, { ...identity, env: environment, stdio: 'pipe' });
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${directory} -c max_connections=300 -c fsync=off`;
  const control = (...command: string[]) =>
    new Promise<void>((resolve, reject) => {
      const all = ['-D', data, '-w', '-t', '60', '-l', join(directory, 'log'), ...command];
      const child = spawn(join(bin, 'pg_ctl'), all, { ...identity, env: environment, stdio: 'ignore' });
      child.on('error', reject);
      child.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`pg_ctl ${command.at(-1)}: exit ${code}`)),
      );
    });
  await control('-o', options, 'start');
  await onPrimary(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await onPrimary(primary, 'SELECT pg_reload_conf()');
  await until('the standby follows', async () => {
    const { rows } = await onPrimary(primary, 'SELECT sync_state FROM pg_stat_replication');
    return rows[0]?.sync_state === 'sync';
  });
  return { port, promote: () => control('promote'), remove: () => removePostgres(directory) };
}

async function onPrimary({ url }: PostgresCluster, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
