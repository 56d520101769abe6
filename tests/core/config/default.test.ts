import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../core/config.ts';
import { relayLimits } from '../../../core/relay/relay-settings.ts';

const untouched = (environment: Record<string, string> = {}) =>
  loadConfig({ dataDir: join(tmpdir(), 'tollgate-untouched') }, environment);

describe('an installation without settings of its own', () => {
  it('has the limits and switches of the reference', () => {
    expect(untouched()).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      workers: 1,
      database: { engine: 'sqlite' },
      generateDefaultToken: false,
      trustedProxies: [],
      upstreamPrivate: [],
      relayBodyLimitBytes: 32 * 1024 * 1024,
      apiRateLimit: { calls: 180, seconds: 180 },
      webRateLimit: { calls: 60, seconds: 180 },
      pollingIntervalMs: 0,
      channelTestMinutes: 0,
      channelUpdateMinutes: 0,
      noticeLimit: { count: 2, minutes: 10 },
      isSlave: false,
      forceStreamOption: true,
      telemetry: undefined,
    });
  });

  it('takes private hosts as names, addresses and networks, an IPv6 address in brackets too', () => {
    const hosts = ['ollama:11434', '10.0.0.5:3000', '10.0.0.0/8', 'fd00::1', '[fd00::1]', '[fd00::1]:8080'];
    expect(untouched({ UPSTREAM_PRIVATE: hosts.join(', ') }).upstreamPrivate).toEqual(hosts);
  });

  it('R4 R7 gives a call and a stop the times that are promised', () => {
    const minute = 60_000;
    expect(untouched().drainTimeoutMs).toBe(25_000);
    expect(relayLimits(untouched())).toMatchObject({
      headersMs: minute,
      slowHeadersMs: 10 * minute,
      idleMs: minute,
      progressMs: 5 * minute,
      totalMs: 60 * minute,
      writeMs: 2 * minute,
    });
    const changed = untouched({ STREAMING_TIMEOUT: '7', RELAY_TIMEOUT: '0', DRAIN_TIMEOUT: '3' });
    expect(relayLimits(changed)).toMatchObject({ idleMs: 7_000, progressMs: 35_000, totalMs: 0 });
    expect(changed.drainTimeoutMs).toBe(3_000);
  });
});
