import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../core/config.ts';
import { runs } from '../../core/lib/live-process.ts';

const serverFileSchema = z.object({
  pid: z.number().int().positive(),
  host: z.string().min(1),
  port: z.number().int().min(1).max(65_535),
  /** Unix milliseconds. */
  started_at: z.number(),
});

/** Two clocks read one after the other may disagree about the moment of the boot. */
const bootToleranceMs = 10_000;

type ServerFile = z.output<typeof serverFileSchema>;
type Folder = Pick<Config, 'dataDirectory'>;

/** The file of the first server on a data folder, and those of servers that started while it ran, by port. */
const fileNames = /^server(\.\d+)?\.json$/;

/**
 * Lets commands on this data folder find the server, whatever its port. Returns the removal of its own file: another server's stays.
 * A folder that cannot be written is no reason not to serve: commands then look at the configured port.
 */
export function writeServerFile(config: Folder & Pick<Config, 'host'>, port: number): () => void {
  const file = join(config.dataDirectory, serverBeside(config) ? `server.${port}.json` : 'server.json');
  const draft = `${file}.${process.pid}`;
  const text = `${JSON.stringify({ pid: process.pid, host: config.host, port, started_at: Date.now() })}\n`;
  try {
    // Renamed into place, so that no command reads half of it.
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    return () => undefined;
  }
  return () => {
    if (textOf(file) === text) rmSync(file, { force: true });
  };
}

/**
 * The settings with host and port of the server that runs on this data folder: of several, the one on the configured port, else the
 * latest. Unchanged when there is no such server.
 */
export function runningConfig<T extends Pick<Config, 'dataDirectory' | 'host' | 'port'>>(config: T): T {
  const servers = runningServers(config);
  const server = servers.find(({ port }) => port === config.port) ?? servers[0];
  return server ? { ...config, host: server.host, port: server.port } : config;
}

/** Another server that says it runs on this data folder. In a container, the former process had the same number. */
export function serverBeside(config: Folder): ServerFile | undefined {
  return runningServers(config).find(({ pid }) => pid !== process.pid);
}

/** The latest first. A server that was killed left its file, which does not count. */
function runningServers({ dataDirectory }: Folder): ServerFile[] {
  let names: string[] = [];
  try {
    names = readdirSync(dataDirectory).filter((name) => fileNames.test(name));
  } catch {
    // No folder: no server.
  }
  const servers = names.flatMap((name) => readServerFile(join(dataDirectory, name)) ?? []);
  return servers.sort((one, other) => other.started_at - one.started_at);
}

/** Undefined when the server that wrote the file is gone: killed before it could remove the file. */
function readServerFile(file: string): ServerFile | undefined {
  try {
    const server = serverFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    // After a reboot another process may have the number.
    const bootedAt = Date.now() - uptime() * 1000;
    return server.started_at > bootedAt - bootToleranceMs && runs(server.pid) ? server : undefined;
  } catch {
    return undefined; // missing or damaged: as if no server ran
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // gone, or not ours to read
  }
}
