import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

const fileOf = ({ dataDirectory }: Pick<Config, 'dataDirectory'>) => join(dataDirectory, 'server.json');

/**
 * Lets commands on this data folder find the server, whatever its port. Returns the removal, which leaves another server's file.
 * A folder that cannot be written is no reason not to serve: commands then look at the configured port.
 */
export function writeServerFile(config: Pick<Config, 'dataDirectory' | 'host'>, port: number): () => void {
  const file = fileOf(config);
  const draft = `${file}.${process.pid}`;
  const text = JSON.stringify({ pid: process.pid, host: config.host, port, started_at: Date.now() });
  try {
    // Renamed into place, so that no command reads half of it.
    writeFileSync(draft, `${text}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    return () => undefined;
  }
  return () => {
    if (readServerFile(config)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/** The settings with host and port of the server that runs on this data folder; unchanged when there is no such server. */
export function runningConfig<T extends Pick<Config, 'dataDirectory' | 'host' | 'port'>>(config: T): T {
  const server = readServerFile(config);
  return server ? { ...config, host: server.host, port: server.port } : config;
}

/** Another server that says it runs on this data folder. In a container, the former process had the same number. */
export function serverBeside(
  config: Pick<Config, 'dataDirectory'>,
): { pid: number; host: string; port: number } | undefined {
  const server = readServerFile(config);
  return server?.pid === process.pid ? undefined : server;
}

/** Undefined when no server wrote the file, or the one that did is gone: killed before it could remove the file. */
function readServerFile(config: Pick<Config, 'dataDirectory'>): z.output<typeof serverFileSchema> | undefined {
  try {
    const server = serverFileSchema.parse(JSON.parse(readFileSync(fileOf(config), 'utf8')));
    // After a reboot another process may have the number.
    const bootedAt = Date.now() - uptime() * 1000;
    return server.started_at > bootedAt - bootToleranceMs && runs(server.pid) ? server : undefined;
  } catch {
    return undefined; // missing or damaged: as if no server ran
  }
}
