import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, role, systemActor } from '../../../core/schemas/actor.ts';
import { searchQuery } from '../../../core/schemas/search.ts';
import { failedRequestId } from '../../../core/services/log/failure.ts';
import { createSearchService, type SearchService } from '../../../core/services/search.ts';
import { createTestServices, type TestServices } from '../../support/services.ts';
import { engines } from '../../support/temporary-database.ts';

describe.each(engines)('search on %s', (engine) => {
  let services: TestServices;
  let search: SearchService;
  let alice: Actor;
  let queries: { sql: string; replacements: Record<string, unknown> }[] = [];

  beforeAll(async () => {
    services = await createTestServices(engine);
    await services.createUser('root');
    for (const name of ['alice', 'Alina', 'bob']) await services.createUser(name);
    const { database } = services;
    const idOf = async (username: string) => (await database.users.findOne({ where: { username } }))?.id ?? 0;
    alice = { id: await idOf('alice'), name: 'alice', role: role.user, address: '' };
    const token = { key_encrypted: '', status: 1 };
    await database.tokens.bulkCreate([
      { ...token, user_id: alice.id, name: 'Production', key_hash: 'one' },
      { ...token, user_id: await idOf('bob'), name: 'production of bob', key_hash: 'two' },
      { ...token, user_id: alice.id, name: 'production, gone', key_hash: 'three', deleted_at: 1 },
    ]);
    await database.channels.bulkCreate([{ name: 'openai-main' }, { name: 'aws 100%' }]);
    const call = { created_at: services.now(), type: 2, model_name: 'gpt-4o' };
    await database.logs.bulkCreate([
      { ...call, request_id: 'request-of-alice', user_id: alice.id },
      { ...call, request_id: failedRequestId('request-of-bob'), type: 5, user_id: await idOf('bob') },
    ]);
    const names = async () => ['gpt-4o', 'claude-gpt', 'o1'];
    search = createSearchService({
      database: {
        ...database,
        select(sql, replacements = {}, transaction) {
          queries.push({ sql, replacements });
          return database.select(sql, replacements, transaction);
        },
      },
      models: { enabled: names, openTo: async () => ['gpt-4o'] },
    });
  });
  afterAll(() => services.remove());

  const found = async (actor: Actor, q: string, kind?: string) =>
    (await search.find(actor, searchQuery.parse({ q, kind }))).map((hit) =>
      `${hit.kind} ${hit.name} ${hit.detail}`.trim(),
    );

  it('finds each kind of thing for admins', async () => {
    expect(await found(systemActor, 'AL')).toEqual(['user alice', 'user Alina']);
    expect(await found(systemActor, 'prod')).toEqual(['token Production alice', 'token production of bob bob']);
    expect(await found(systemActor, 'MAIN')).toEqual(['channel openai-main']);
    expect(await found(systemActor, '100%')).toEqual(['channel aws 100%']);
    expect(await found(systemActor, 'gpt')).toEqual(['model gpt-4o', 'model claude-gpt']);
    expect(await found(systemActor, `${alice.id}`, 'user')).toEqual(['user alice']);
    expect(await found(systemActor, 'request-of-bob')).toEqual(['request request-of-bob gpt-4o']);
    expect(await found(systemActor, 'al', 'model')).toEqual([]);
  });

  it('S3 finds for admins no account, and no token of an account, that they may not open', async () => {
    const { users, tokens } = services.database;
    const [one, two, root] = await Promise.all(
      ['bob', 'Alina', 'root'].map((username) => users.findOne({ where: { username } })),
    );
    await users.update({ role: role.admin }, { where: { id: [one?.id ?? 0, two?.id ?? 0] } });
    await users.update({ role: role.root }, { where: { id: root?.id ?? 0 } });
    const secret = { key_encrypted: '', status: 1, user_id: root?.id ?? 0, name: 'product of root', key_hash: 'four' };
    await tokens.create(secret);
    const bob: Actor = { id: one?.id ?? 0, name: 'bob', role: role.admin, address: '' };
    expect(await found(bob, 'al')).toEqual(['user alice']);
    for (const word of ['root', `#${root?.id}`, 'Alina', `#${two?.id}`])
      expect(await found(bob, word, 'user')).toEqual([]);
    expect(await found(bob, 'bob', 'user')).toEqual(['user bob']);
    expect(await found(bob, 'prod')).toEqual(['token Production alice', 'token production of bob bob']);
    expect(await found({ ...bob, id: root?.id ?? 0, role: role.root }, 'prod')).toHaveLength(3);
    await tokens.destroy({ where: { key_hash: 'four' } });
    await users.update({ role: role.user }, { where: {} });
  });

  it('finds for users only what is theirs', async () => {
    expect(await found(alice, 'a')).toEqual([]);
    expect(await found(alice, 'duct')).toEqual(['token Production alice']);
    expect(await found(alice, 'gpt')).toEqual(['model gpt-4o']);
    expect(await found(alice, 'request-of-alice')).toEqual(['request request-of-alice gpt-4o']);
    expect(await found(alice, 'request-of-bob')).toEqual([]);
    expect(await found(alice, 'openai', 'channel')).toEqual([]);
  });

  it('finds users and tokens through an index', async () => {
    queries = [];
    await search.find(systemActor, searchQuery.parse({ q: 'ali' }));
    expect(queries).toHaveLength(2);
    for (const { sql, replacements } of queries) {
      const plan = await services.database.transaction(async (transaction) => {
        // Tables of three rows are read from end to end otherwise.
        if (engine === 'postgres')
          await services.database.select("SELECT set_config('enable_seqscan', 'off', true)", {}, transaction);
        const explain = engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
        return services.database.select<Record<string, string>>(`${explain} ${sql}`, replacements, transaction);
      });
      const text = plan.map((step) => step.detail ?? step['QUERY PLAN']).join('\n');
      expect(text).toMatch(/(users|tokens)_beginning|users.*username_key>\?/);
    }
  });
});
