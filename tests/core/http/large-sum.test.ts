import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatQuota } from '../../../core/billing/quota.ts';
import { hourOf, nowSeconds } from '../../../core/lib/clock.ts';
import { createRollUp } from '../../../core/services/rolled-hour/roll-up.ts';
import { type ConsoleClient, createConsoleClient } from '../../support/console-client.ts';
import { addCalls } from '../../support/hourly-calls.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { engines } from '../../support/temporary-database.ts';

const hour = 3600;
const large = Number.MAX_SAFE_INTEGER;
/** Beyond what 64 bits hold, too. */
const calls = 1200;
const spent = '$21617278211378.38';
const password = 'correct horse battery';

describe.each(engines)('quota beyond what a number holds exactly, on %s', (engine) => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let alice: ConsoleClient;
  let now: number;

  beforeAll(async () => {
    gateway = await startGateway(engine);
    root = createConsoleClient(gateway.url);
    alice = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', password));
    await alice.data(alice.signIn('alice', password));
    now = nowSeconds();
    const one = { user: gateway.userId, channel: 1, quota: large, prompt: 10, completion: 5, other: '{}' };
    // Each hourly sum holds one call.
    const at = (n: number) => hourOf(now) - Math.floor(n / 40) * hour;
    const rows = Array.from({ length: calls }, (_, n) => ({ ...one, model: `m${n % 40}`, at: at(n) }));
    await addCalls(gateway.app.database, rows);
  });
  afterAll(() => gateway.stop());

  it('is added up and told by every report', async () => {
    const range = `start_timestamp=${now - 100 * hour}&end_timestamp=${now + hour}`;
    const asked: [ConsoleClient, string][] = [
      [root, '/api/log/stat?type=0'],
      [root, '/api/log/stat?channel=1'],
      [root, '/api/log/stat?username=alice'],
      [root, `/api/data/users?${range}`],
      [root, `/api/data/report?by=model&${range}`],
      [root, `/api/data/report?by=channel&${range}`],
      [root, `/api/data/report?by=day&${range}`],
      [root, `/api/data/report?by=user&${range}`],
      [root, `/api/overview?${range}`],
      [root, `/api/overview/channel/1?${range}`],
      [root, `/api/overview/user/${gateway.userId}?${range}`],
      [root, `/api/user/${gateway.userId}/summary`],
      [alice, '/api/log/self/stat?type=0'],
      [alice, `/api/data/self/report?by=model&${range}`],
      [alice, `/api/overview/self?${range}`],
    ];
    for (const [client, path] of asked) {
      const data = await client.data(client.get(path));
      const total = Array.isArray(data)
        ? data.reduce((sum, { quota }) => sum + quota, 0)
        : (data.quota ?? data.current?.quota ?? data.spent_in_week);
      expect(formatQuota(total, { inCurrency: true, quotaPerUnit: 500_000 }), path).toBe(spent);
    }
  });

  it('of one hour is read row by row', async () => {
    const rollUp = createRollUp({ database: gateway.app.database, maxMs: 60_000 });
    await rollUp(new AbortController().signal);
    const { quota } = await root.data(root.get('/api/log/stat?channel=1'));
    expect(formatQuota(quota, { inCurrency: true, quotaPerUnit: 500_000 })).toBe(spent);
  });
});
