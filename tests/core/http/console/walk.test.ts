import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

describe('a morning at the console, with the limits that are shipped', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let calls = 0;

  beforeAll(async () => {
    gateway = await startGateway('sqlite', { GLOBAL_API_RATE_LIMIT_ENABLE: 'true' }, { criticalCalls: 20 });
    root = createConsoleClient(gateway.url);
  });
  afterAll(() => gateway?.stop());

  /** Every call has to be served: none is refused for being one too many. */
  async function done(pending: Promise<{ status: number; success: boolean; message: string }>): Promise<void> {
    calls += 1;
    const { status, success, message } = await pending;
    expect({ call: calls, status, success, message }).toEqual({ call: calls, status: 200, success: true, message });
  }

  /** What the pages read when they are opened, in the order of the menu. */
  const pages = [
    ['/api/token/?p=0&size=10', '/api/user/self', '/api/user/self/groups', '/api/user/models'],
    ['/api/data/self/?start_timestamp=0&end_timestamp=86400', '/api/log/self/?p=1&page_size=10', '/api/log/self/stat'],
    ['/api/channel/?p=0&page_size=10', '/api/group/', '/api/channel/models', '/api/channel/test/progress'],
    ['/api/user/?p=0&page_size=10', '/api/redemption/?p=0&page_size=10', '/api/option/', '/api/audit/?p=1'],
  ];

  it('serves an operator who opens every page several times, adds, changes, tries and removes', async () => {
    calls += 1;
    expect((await root.signIn('root', 'correct horse battery')).success).toBe(true);
    for (let round = 0; round < 4; round += 1) {
      await done(root.get('/api/status'));
      for (const path of pages.flat()) await done(root.get(path));
    }
    for (let index = 0; index < 11; index += 1) {
      const name = `channel-${index}`;
      const channel = {
        type: 1,
        key: 'upstream-key',
        models: 'gpt-4o-mini',
        base_url: gateway.upstream.url,
        group: 'default',
      };
      await done(root.post('/api/channel/', { ...channel, name }));
      const [{ id }] = await root.data(root.get(`/api/channel/search?keyword=${name}`));
      await done(root.put('/api/channel/', { id, priority: index }));
      await done(root.get(`/api/channel/test/${id}`));
      await done(root.post('/api/token/', { name: `token-${index}`, remain_quota: 1000, unlimited_quota: false }));
      await done(root.post('/api/user/', { username: `user-${index}`, password: 'correct horse battery' }));
      await done(root.put('/api/option/', { key: 'RetryTimes', value: String(index % 5) }));
      await done(root.delete(`/api/channel/${id}`));
    }
    for (const path of pages.flat()) await done(root.get(path));
    expect(calls).toBeGreaterThan(150);
    await gateway.verifyBooks();
  });
});
