import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../core/app.ts';
import { loadConfig } from '../../../core/config.ts';
import { createGateway } from '../../../core/gateway.ts';
import { type ConsoleClient, createConsoleClient } from '../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { engines } from '../../support/temporary-database.ts';

describe.each(engines)('a console in front of two nodes on %s', (engine) => {
  let gateway: TestGateway;
  let second: Awaited<ReturnType<typeof startSecond>>;
  let here: ConsoleClient;
  let there: ConsoleClient;

  beforeAll(async () => {
    gateway = await startGateway(engine);
    second = await startSecond(gateway.environment);
    here = createConsoleClient(gateway.url);
    there = createConsoleClient(second.url);
    await here.signIn('root', 'correct horse battery');
    await there.signIn('root', 'correct horse battery');
  });
  afterAll(async () => {
    await second?.close();
    await gateway?.stop();
  });

  const progressOf = (client: ConsoleClient) => client.data(client.get('/api/channel/test/progress'));

  it('shows the same progress of a test of all channels, whichever node is asked', async () => {
    for (const name of ['one', 'two', 'three']) await gateway.addChannel({ name });
    gateway.upstream.always({ firstByteMs: 300 });
    await here.data(here.get('/api/channel/test'));
    const seen: { running: boolean; tested: number; total: number }[] = [];
    for (let client = there; ; client = client === there ? here : there) {
      const progress = await progressOf(client);
      seen.push(progress);
      if (!progress.running) break;
      await wait(50);
    }
    const total = await gateway.app.database.channels.count();
    expect(seen[0]).toMatchObject({ running: true });
    expect(seen.some(({ running, tested }) => running && tested > 0)).toBe(true);
    // It never goes back, and never says in between that nothing runs.
    expect(seen.map(({ tested }) => tested)).toEqual(seen.map(({ tested }) => tested).sort((a, b) => a - b));
    for (const client of [here, there])
      expect(await progressOf(client)).toMatchObject({ running: false, finished: true, tested: total, total });
    expect(await there.data(there.get('/api/channel/update_balance/progress'))).toMatchObject({ running: false });
  });

  it('says of a run whose process is gone that it did not come to its end', async () => {
    const { sequelize } = gateway.app.database;
    const report = JSON.stringify({ tested: 2, total: 9, failed: [], disabled: 0, enabled: 0, finished: false });
    await sequelize.query(`UPDATE run_progress SET report = :report WHERE name = 'test-all-channels'`, {
      replacements: { report },
    });
    await sequelize.query(`UPDATE job_locks SET owner = 'gone', until = 1 WHERE name = 'test-all-channels'`);
    expect(await progressOf(there)).toMatchObject({ running: false, finished: false, tested: 2, total: 9 });
  });

  it('lets one of several edits of the same version through, and tells the others who was first', async () => {
    const details: { key: string; version: string }[] = await here.data(here.get('/api/option/detail'));
    const version = details.find(({ key }) => key === 'GroupRatio')?.version;
    const values = Array.from({ length: 6 }, (_, index) => JSON.stringify({ default: 1, [`group${index}`]: 2 }));
    const responses = await Promise.all(
      values.map((value, index) =>
        (index % 2 === 0 ? here : there).put('/api/option/', { key: 'GroupRatio', value, version }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const kept = values[responses.findIndex(({ success }) => success)];
    for (const { body } of responses.filter(({ status }) => status === 409))
      expect(body.data.conflicts).toMatchObject([{ key: 'GroupRatio', own: kept, changed_by: 'root' }]);
    const read = async (client: ConsoleClient) => {
      const entries: { key: string; value: string }[] = await client.data(client.get('/api/option/'));
      return entries.find(({ key }) => key === 'GroupRatio')?.value;
    };
    await expect.poll(() => read(here)).toBe(kept);
    await expect.poll(() => read(there)).toBe(kept);
  });
});

async function startSecond(environment: Record<string, string>) {
  const app = await createApp(loadConfig({}, environment));
  const node = await createGateway(app, { criticalCalls: 1_000_000 });
  const port = await node.listen('127.0.0.1', 0);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await node.close();
      await app.close();
    },
  };
}
