import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type PostgresCluster, removePostgres, startPostgres } from './postgres.ts';
import { compiledFolder, runFolder, runFolderVariable } from './run-folder.ts';

const pollMs = 50;

interface Shared {
  url: string;
  directory: string;
}

/** Vitest's global set-up: one folder a run; its teardown ends the cluster if a test has started one. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-shared-'));
  process.env[runFolderVariable] = folder;
  return () => {
    const started = readIfThere(folder);
    if (started) removePostgres(started.directory);
    rmSync(compiledFolder(), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  };
}

/** The address of the cluster that all test processes of the run share; the first one that needs it starts it. */
export async function sharedPostgres(): Promise<string> {
  const folder = runFolder();
  if (isFirst(folder)) {
    const cluster = await startPostgres();
    // In one step: a reader never sees half of it.
    writeFileSync(join(folder, 'cluster.part'), JSON.stringify(sharedOf(cluster)));
    renameSync(join(folder, 'cluster.part'), join(folder, 'cluster.json'));
  }
  for (;;) {
    const started = readIfThere(folder);
    if (started) return started.url;
    await pause(pollMs);
  }
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'starting'));
    return true;
  } catch {
    return false;
  }
}

const sharedOf = ({ url, directory }: PostgresCluster): Shared => ({ url, directory });

function readIfThere(folder: string): Shared | undefined {
  const file = join(folder, 'cluster.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Shared) : undefined;
}
