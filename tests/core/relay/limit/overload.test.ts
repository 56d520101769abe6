import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createOverload,
  type Overload,
  type OverloadLimits,
  overloadDefaults,
} from '../../../../core/relay/limit/overload.ts';
import { until } from '../../../support/redis.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

/** Nothing else runs meanwhile. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('a server that looks at its load', () => {
  const load = { calls: 0, queueMs: 0 };
  let reported: string[] = [];
  let overload: Overload;

  function watch(limits: Partial<OverloadLimits> = {}): void {
    load.calls = 0;
    load.queueMs = 0;
    reported = [];
    overload = createOverload({
      signals: { callsInFlight: () => load.calls, queueWaitMs: () => load.queueMs },
      // Other tests run on this machine.
      limits: { ...overloadDefaults, calls: 100, loopDelayMs: 60_000, ...limits },
      onChange: (reasons) => reported.push(reasons.join()),
    });
    overload.start();
  }
  afterEach(() => overload.close());

  it('R8 counts calls exactly, and turns away with 1 to 5 seconds at random', () => {
    watch();
    load.calls = 100;
    overload.check();
    expect(overload.isRed()).toBe(true);
    load.calls = 101;
    const waits = new Set<number | undefined>();
    for (let call = 0; call < 200; call += 1) {
      try {
        overload.check();
      } catch (error) {
        const { code, status, retryAfterSeconds } = error as Record<string, unknown>;
        expect({ code, status }).toEqual({ code: 'relay.overloaded', status: 503 });
        waits.add(retryAfterSeconds as number);
      }
    }
    expect([...waits].sort()).toEqual([1, 2, 3, 4, 5]);
    load.calls = 50;
    overload.check();
    expect(overload.isRed()).toBe(false);
  });

  it('R8 turns red when the ledger lets work wait for more than 2 s, and green when it does not any more', async () => {
    watch();
    load.queueMs = 2500;
    await until('it is red', () => overload.isRed());
    expect(() => overload.check()).toThrow();
    load.queueMs = 10;
    await until('it is green', () => !overload.isRed());
    overload.check();
    expect(reported).toEqual(['ledger queue', '']);
  });

  it('F27 turns red when the event loop was blocked, and green by itself', async () => {
    watch({ loopDelayMs: 250 });
    await wait(600);
    block(2000);
    await wait(0);
    await wait(20);
    expect(overload.isRed()).toBe(true);
    await until('it is green', () => !overload.isRed());
    expect(reported).toEqual(['event loop', '']);
  });

  it('R8 turns red when the event loop is late again and again, not for one hiccup', async () => {
    watch({ loopDelayMs: 600 });
    block(700);
    await wait(900);
    expect(reported).toEqual([]);
    for (let turn = 0; turn < 4; turn += 1) {
      block(700);
      await wait(1);
    }
    await until('it was red, and is green', () => reported.join(';') === 'event loop;');
  });

  it('F25 turns red at once when there is hardly any memory left', async () => {
    watch({ heapShare: 0.0001 });
    await wait(50);
    expect(() => overload.check()).toThrow();
    expect(overload.isRed()).toBe(true);
  });
});

describe('a gateway whose event loop was blocked', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway('sqlite', {}, { overloadLimits: { loopDelayMs: 250 } });
  });
  afterAll(() => gateway.stop());

  const statusOf = async (path: string) => (await fetch(`${gateway.url}${path}`)).status;

  it('F27 says that it is not ready and takes no model calls, lives and serves its console, and recovers', async () => {
    await until('it has started', async () => (await statusOf('/readyz')) === 200);
    block(2000);
    expect(await Promise.all(['/readyz', '/healthz', '/api/status'].map(statusOf))).toEqual([503, 200, 200]);
    await until('a call is turned away', async () => {
      block(1500);
      const response = await gateway.chat();
      if (response.status !== 503) return false;
      expect(response.headers.get('retry-after')).toMatch(/^[1-5]$/);
      expect(await response.json()).toMatchObject({ error: { code: 'server_overloaded', type: 'new_api_error' } });
      return true;
    });
    await until('it is ready', async () => (await statusOf('/readyz')) === 200);
    expect((await gateway.chat()).status).toBe(200);
    await gateway.verifyBooks();
  });
});
