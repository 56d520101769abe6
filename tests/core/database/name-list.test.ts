import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NameKind, readNames, readOptionText } from '../../../core/database/name-list.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../support/temporary-database.ts';

const limitMs = 30_000;

describe.each(engines)('names of an installation on %s', (engine) => {
  let temporary: TemporaryDatabase;
  beforeAll(async () => {
    temporary = await createTemporaryDatabase(engine);
    const { sequelize } = temporary.database;
    const insert = (sql: string) => sequelize.query(`INSERT INTO ${sql}`);
    await insert(`channels (name, tag) VALUES ('main', 'fast'), ('100%_sure', ''), ('main', 'fast'), ('主渠道', '')`);
    await insert(`abilities ("group", model, channel_id) VALUES ('vip', 'gpt-4o', 1), ('default', 'gpt-4o', 1)`);
    await insert(`tokens (user_id, key_hash, name, deleted_at) VALUES (1, 'a', 'nightly', NULL), (1, 'b', 'gone', 1)`);
    await insert(`options (key, value) VALUES ('GroupRatio', '{"gold":1}')`);
  });
  afterAll(() => temporary.remove());

  const names = (kind: NameKind, prefix: string) => readNames(temporary.target, { kind, prefix, limitMs });

  it('are read by how they begin, once each, and not those of what was removed', async () => {
    expect(await names('channel', '')).toEqual(['100%_sure', 'main', '主渠道']);
    expect(await names('channel', '100%')).toEqual(['100%_sure']);
    expect(await names('channel', '%')).toEqual([]);
    expect(await names('channel', "'; DROP TABLE channels; --")).toEqual([]);
    expect(await names('token', '')).toEqual(['nightly']);
    expect(await names('group', '')).toEqual(['default', 'vip']);
    expect(await names('model', 'gpt')).toEqual(['gpt-4o']);
    expect(await names('tag', '')).toEqual(['fast']);
    for (const kind of ['user', 'redemption'] as const) expect(await names(kind, '')).toEqual([]);
  });

  it('come with the stored text of an option', async () => {
    const read = (key: string) => readOptionText(temporary.target, { key, limitMs });
    expect(await read('GroupRatio')).toBe('{"gold":1}');
    expect(await read('RetryTimes')).toBeUndefined();
  });
});
