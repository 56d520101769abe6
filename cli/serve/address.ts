import type { Config } from '../../core/config.ts';

/** Where a server with this configuration is reached from its own machine. */
export function serverAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return `http://${shownHost(host)}:${port}`;
}

/** How long a process on this machine is given to respond. */
const responseMs = 2000;

/** Whether it is Tollgate that responds there. */
export async function isServerAt(place: Pick<Config, 'host' | 'port'>): Promise<boolean> {
  try {
    const response = await fetch(`${serverAddress(place)}/healthz`, { signal: AbortSignal.timeout(responseMs) });
    await response.body?.cancel();
    return response.headers.has('x-oneapi-request-id');
  } catch {
    return false; // nothing that speaks HTTP
  }
}

/** An address a person can type: "every address" is not one. */
function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
