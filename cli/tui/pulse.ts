import type { App } from '../../core/app.ts';
import { nowSeconds } from '../../core/lib/clock.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { logStatSchema } from '../../core/schemas/log.ts';
import { serverAddress } from '../serve/address.ts';
import { runningConfig } from '../serve/server-file.ts';

/** How the installation is doing at this moment. */
export interface Pulse {
  requestsPerMinute: number;
  tokensPerMinute: number;
  /** Undefined while no server of ours responds on this machine. */
  server: ServerPulse | undefined;
  /** One listens there, and does not respond: it is overloaded, or hangs. */
  isSilent: boolean;
}

export interface ServerPulse {
  upSeconds: number;
  calls: number;
  /** Calls that failed on our side or the upstream's, since the server started. */
  errors: number;
}

/** A call the caller gave up, or had no right to, is not an error of the installation. */
const errorOutcomes = ['upstream', 'unavailable', 'error', 'shed'];
const patienceMs = 2000;

export async function readPulse(app: App): Promise<Pulse> {
  const lastMinute = logStatSchema.parse({ start_timestamp: nowSeconds() - 60 });
  let isSilent = false;
  const [{ rpm, tpm }, server] = await Promise.all([
    app.services.logs.stat(systemActor, lastMinute),
    // A server that is absent or foreign is a state, not a failure.
    readServer(app).catch((error) => {
      isSilent = error instanceof Error && error.name === 'TimeoutError';
      return undefined;
    }),
  ]);
  return { requestsPerMinute: rpm, tokensPerMinute: tpm, server, isSilent };
}

async function readServer({ config }: App): Promise<ServerPulse> {
  const address = serverAddress(runningConfig(config));
  const { metricsToken } = config;
  const headers: Record<string, string> = metricsToken ? { authorization: `Bearer ${metricsToken}` } : {};
  const read = async (path: string) => {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(`${address}${path}`, { headers, signal });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.text();
  };
  const [status, metrics] = await Promise.all([read('/api/status'), read('/metrics')]);
  const { start_time } = (JSON.parse(status) as { data: { start_time: number } }).data;
  return { upSeconds: Math.max(0, nowSeconds() - start_time), ...countCalls(metrics) };
}

function countCalls(metrics: string): Pick<ServerPulse, 'calls' | 'errors'> {
  let calls = 0;
  let errors = 0;
  for (const [, labels = '', count] of metrics.matchAll(/^tollgate_relay_requests_total\{(.*)\} (\d+)/gm)) {
    calls += Number(count);
    const outcome = /outcome="(\w+)"/.exec(labels)?.[1] ?? '';
    if (errorOutcomes.includes(outcome)) errors += Number(count);
  }
  return { calls, errors };
}
