import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../../core/database/connect.ts';
import { createStoredResponseService, type StoredResponseService } from '../../../core/services/stored-response.ts';
import { createTemporaryDatabase, type TemporaryDatabase } from '../../support/temporary-database.ts';

describe.each(['sqlite', 'postgres'] as const)('a response that an upstream keeps (%s)', (engine) => {
  let bed: TemporaryDatabase;
  let stored: StoredResponseService;
  let offset = 0;
  beforeAll(async () => {
    bed = await createTemporaryDatabase(engine);
    stored = createStoredResponseService({ database: bed.database, now: () => 1_800_000_000 + offset });
  });
  afterAll(() => bed.remove());

  it('is found by its owner alone', async () => {
    await stored.remember({ id: 'resp_1', userId: 7, channelId: 3, model: 'gpt-x' });
    expect(await stored.ownerOf('resp_1', 7)).toEqual({ channelId: 3, channelKey: 0, model: 'gpt-x' });
    expect(await stored.ownerOf('resp_1', 8)).toBeUndefined();
    expect(await stored.ownerOf('resp_2', 7)).toBeUndefined();
  });

  it('may have the id of another user’s, and the last one of its own counts', async () => {
    await stored.remember({ id: 'resp_1', userId: 8, channelId: 4, model: 'gpt-y' });
    await stored.remember({ id: 'resp_1', userId: 8, channelId: 5, model: 'gpt-z' });
    expect(await stored.ownerOf('resp_1', 8)).toEqual({ channelId: 5, channelKey: 0, model: 'gpt-z' });
    expect(await stored.ownerOf('resp_1', 7)).toEqual({ channelId: 3, channelKey: 0, model: 'gpt-x' });
  });

  it('is gone when its owner deletes it', async () => {
    await stored.forget('resp_1', 8);
    expect(await stored.ownerOf('resp_1', 8)).toBeUndefined();
    expect(await stored.ownerOf('resp_1', 7)).toBeDefined();
  });

  it('is gone after 30 days', async () => {
    offset = 30 * 86_400 - 1;
    await stored.removeOld();
    expect(await stored.ownerOf('resp_1', 7)).toBeDefined();
    offset += 1;
    expect(await stored.ownerOf('resp_1', 7)).toBeUndefined();
    await stored.removeOld();
    const [count] = await bed.database.select<{ rows: number }>('SELECT count(*) AS rows FROM stored_responses');
    expect(Number(count?.rows)).toBe(0);
  });

  it('goes a few at a time where there are many, so that calls are booked meanwhile', async () => {
    const { database, target } = bed;
    const many = 40_000;
    const rows = {
      sqlite: `json_each('[${Array(many).fill(0)}]')`,
      postgres: `generate_series(1, ${many}) AS made(key)`,
    };
    await database.sequelize.query(
      `INSERT INTO stored_responses (user_id, id, channel_id, model, created_at) SELECT 9, 'old ' || key, 3, 'm', 1 FROM ${rows[engine]}`,
    );
    let isRemoving = true;
    let written = 0;
    const other = await connect(target, 1);
    const removal = stored.removeOld().finally(() => {
      isRemoving = false;
    });
    while (isRemoving) {
      await other.options.upsert({ key: 'SystemName', value: String(written) });
      written++;
    }
    await removal;
    await other.close();
    expect(await database.storedResponses.count()).toBe(0);
    expect(written).toBeGreaterThan(10);
  });

  it('with a foreign id is not kept', async () => {
    await stored.remember({ id: 'r'.repeat(300), userId: 7, channelId: 3, model: 'gpt-x' });
    expect(await stored.ownerOf('r'.repeat(300), 7)).toBeUndefined();
  });
});
