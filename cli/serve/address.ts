import type { Config } from '../../core/config.ts';

/** Where a server with this configuration is reached from its own machine. */
export function serverAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return `http://${shownHost(host)}:${port}`;
}

/** An address a person can type: "every address" is not one. */
function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
