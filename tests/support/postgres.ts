import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PostgresCluster {
  /** Connection string of the maintenance database; tests make databases of their own from it. */
  url: string;
  port: number;
  directory: string;
  /** A copy of the whole cluster that follows it, in a folder of its own. */
  startReplica(): Promise<PostgresCluster>;
  /** Stops the server (mode `immediate` = like a crash) and waits until it is gone. */
  stop(mode?: 'fast' | 'immediate'): void;
  start(): Promise<void>;
  remove(): void;
}

export interface ClusterOptions {
  /** Waits for the disk, as a server in production does. Without it a killed server loses nothing either, only a machine that crashes. */
  isDurable?: boolean;
}

/** A PostgreSQL cluster of its own in a temporary folder, on a free port, reachable from loopback only. */
export async function startPostgres(options: ClusterOptions = {}): Promise<PostgresCluster> {
  const directory = createFolder();
  const words = ['-D', join(directory, 'data'), '-U', 'tollgate', '--auth=trust', '-E', 'UTF8', '--no-sync'];
  runAsOwner('initdb', words);
  return startCluster(directory, options);
}

async function startReplica(primaryPort: number): Promise<PostgresCluster> {
  const directory = createFolder();
  const from = `host=127.0.0.1 port=${primaryPort} user=tollgate`;
  runAsOwner('pg_basebackup', [
    '-D',
    join(directory, 'data'),
    '-d',
    from,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '--no-sync',
  ]);
  return startCluster(directory, {});
}

function createFolder(): string {
  const owner = unprivilegedUser();
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-pg-'));
  if (owner) chownSync(directory, owner.uid, owner.gid);
  return directory;
}

const clusterEnvironment = () => ({ ...process.env, LC_ALL: 'C.UTF-8' });

function runAsOwner(name: string, words: string[]): void {
  execFileSync(join(findBinaries(), name), words, {
    ...unprivilegedUser(),
    env: clusterEnvironment(),
    stdio: 'pipe',
  });
}

async function startCluster(directory: string, { isDurable = false }: ClusterOptions): Promise<PostgresCluster> {
  const bin = findBinaries();
  const data = join(directory, 'data');
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: directory,
    max_connections: 300,
    ...(isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  const options = `-p ${port} ${Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')}`;
  const cluster: PostgresCluster = {
    url: `postgres://tollgate@127.0.0.1:${port}/postgres`,
    port,
    directory,
    startReplica: () => startReplica(port),
    stop: (mode) => stopServer(directory, mode),
    start: async () => {
      // Through spawn, because pg_ctl's child keeps inherited pipes open and execFileSync would wait for them.
      await new Promise<void>((resolve, reject) => {
        const child = spawn(
          join(bin, 'pg_ctl'),
          ['-D', data, '-w', '-t', '60', '-l', join(directory, 'log'), '-o', options, 'start'],
          { ...unprivilegedUser(), env: clusterEnvironment(), stdio: 'ignore' },
        );
        child.on('error', reject);
        child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`pg_ctl start: exit ${code}`))));
      });
    },
    remove: () => removePostgres(directory),
  };
  await cluster.start();
  return cluster;
}

/** Ends the server of a cluster that this or another process started, and takes its folder away. */
export function removePostgres(directory: string): void {
  try {
    stopServer(directory, 'immediate');
  } catch {
    // Already stopped by the test.
  }
  rmSync(directory, { recursive: true, force: true });
}

function stopServer(directory: string, mode: 'fast' | 'immediate' = 'fast'): void {
  const owner = unprivilegedUser();
  const words = ['-D', join(directory, 'data'), '-w', '-t', '60', '-m', mode, 'stop'];
  execFileSync(join(findBinaries(), 'pg_ctl'), words, {
    ...(owner && { uid: owner.uid, gid: owner.gid }),
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

export function findBinaries(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(root, version, 'bin')).find((path) => existsSync(join(path, 'initdb')));
  if (!found) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  return found;
}

/** PostgreSQL refuses to run as root; Debian's package brings the user `postgres`. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const number = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
