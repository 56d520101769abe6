import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { limitCreateSchema } from '../../../../core/schemas/limit.ts';
import type { Log } from '../../../../core/schemas/log.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { failure } from '../../../support/upstream-script.ts';

const password = 'correct horse battery';

describe.each(engines)('a call that fails on %s', (engine) => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let alice: ConsoleClient;
  beforeAll(async () => {
    gateway = await startGateway(engine);
    root = createConsoleClient(gateway.url);
    alice = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', password));
    await alice.data(alice.signIn('alice', password));
  });
  afterAll(() => gateway.stop());

  const english = { 'accept-language': 'en' };
  const rowsOf = async (client: ConsoleClient, path: string): Promise<Log[]> =>
    (await client.data(client.get(path, english))).items;
  /** The row of one call, once it is written. */
  async function rowOf(client: ConsoleClient, path: string, id: string): Promise<Log> {
    const found = () => rowsOf(client, `${path}?request_id=${id}`);
    await expect.poll(async () => (await found()).length).toBe(1);
    const [row] = await found();
    if (!row) throw new Error('the row is gone');
    return row;
  }
  const idOf = (response: Response) => response.headers.get('x-request-id') ?? '';

  it('leaves a row with its reason, found by its request id, that costs nothing', async () => {
    const before = await gateway.quotaOf(gateway.userId);
    const response = await gateway.chat({ model: 'no-such-model' });
    expect(response.ok).toBe(false);
    const row = await rowOf(root, '/api/log/', idOf(response));
    expect(row).toMatchObject({ type: 5, quota: 0, username: 'alice', request_id: idOf(response), model_name: '' });
    expect(row.content).toContain('no-such-model');
    expect(JSON.parse(row.other)).toMatchObject({ status: response.status, outcome: 'refused' });
    const [own] = await rowsOf(alice, `/api/log/self?request_id=${idOf(response)}`);
    expect(own?.content).toBe(row.content);
    expect(await gateway.app.services.logs.get(systemActor, idOf(response))).toMatchObject({
      id: row.id,
    });
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
    await gateway.verifyBooks();
  });

  it('shows the channels tried to admins only, and quotes no prompt', async () => {
    const message = 'invalid value "my secret prompt"';
    gateway.upstream.respond(failure(400, { message, code: 'bad_value' }));
    const response = await gateway.chat();
    expect(response.status).toBe(400);
    const row = await rowOf(root, '/api/log/', idOf(response));
    expect(row).toMatchObject({ type: 5, model_name: 'gpt-4o-mini' });
    expect(row.content).toContain('status 400 (bad_value)');
    expect(JSON.stringify(row)).not.toContain('secret prompt');
    const { admin_info, ...record } = JSON.parse(row.other);
    expect(record).toMatchObject({ status: 400, outcome: 'upstream', code: 'bad_value' });
    expect(admin_info.attempts).toMatchObject([{ channel: row.channel, outcome: 'bad_value' }]);
    const own = await rowOf(alice, '/api/log/self', idOf(response));
    expect(own.other).not.toContain('admin_info');
  });

  it('says of a model without a price what to do, as whole sentences in either language', async () => {
    await gateway.addChannel({ name: 'unpriced', models: 'model-without-price' });
    const response = await gateway.chat({ model: 'model-without-price' });
    expect(response.ok).toBe(false);
    const path = `/api/log/?request_id=${idOf(response)}`;
    await expect.poll(async () => (await rowsOf(root, path)).length).toBe(1);
    expect((await rowsOf(root, path))[0]?.content).toBe(
      'The model model-without-price has no price. Add it to the option ModelRatio or ModelPrice. ' +
        'Hint: an administrator can set a price with: tollgate pricing set',
    );
    const chinese = await root.data(root.get(path, { 'accept-language': 'zh-CN' }));
    expect(chinese.items[0].content).toBe(
      '模型 model-without-price 未定价，请在选项 ModelRatio 或 ModelPrice 中添加。提示：管理员可用 tollgate pricing set 设置价格',
    );
  });

  it('is not counted in what was spent', async () => {
    const stat = () => root.data(root.get('/api/log/stat?type=0'));
    const before = await stat();
    const response = await gateway.chat({ model: 'no-such-model' });
    await rowOf(root, '/api/log/', idOf(response));
    expect((await stat()).quota).toBe(before.quota);
    expect(await rowsOf(root, '/api/log/?type=2')).toEqual([]);
  });

  it('names its model when a limit of its account refused it before its body was read', async () => {
    const { limits } = gateway.app.services;
    const asked = { subject_kind: 'user', subject: gateway.userId, measure: 'requests', period: 'hour', amount: 1 };
    const { id } = await limits.create(systemActor, limitCreateSchema.parse(asked));
    await gateway.addChannel({ type: 5, name: 'drawings', models: 'mj_imagine' });
    await gateway.addChannel({ type: 36, name: 'songs', models: 'suno_music' });
    await gateway.addChannel({ name: 'films', models: 'sora-2' });
    await gateway.gateway.refresh();
    await (await gateway.chat()).text();
    const google = () =>
      fetch(`${gateway.url}/v1beta/models/gpt-4o-mini:generateContent`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
      });
    const cases: [() => Promise<Response>, string][] = [
      [() => gateway.chat(), 'gpt-4o-mini'],
      [google, 'gpt-4o-mini'],
      [() => gateway.chat({ model: 'made-up' }), ''],
      [() => gateway.chat({ messages: [{ role: 'user', content: 'long '.repeat(20_000) }] }), ''],
      [() => gateway.chat({ model: 7 }), ''],
      [() => gateway.call('/mj/submit/imagine', { prompt: 'a cat' }), 'mj_imagine'],
      [() => gateway.call('/suno/submit/music', { prompt: 'la la' }), 'suno_music'],
      [() => gateway.call('/v1/videos', { model: 'sora-2', prompt: 'a cat', seconds: 4 }), 'sora-2'],
      [() => gateway.call('/v1/videos', { model: 'made-up', prompt: 'a cat', seconds: 4 }), ''],
      [() => gateway.call('/mj/submit/imagine', { prompt: 7 }), ''],
    ];
    for (const [call, model] of cases) {
      const response = await call();
      expect(response.status).toBe(429);
      await response.text();
      const row = await rowOf(root, '/api/log/', idOf(response));
      expect(row.model_name).toBe(model);
    }
    await limits.remove(systemActor, id);
    await gateway.gateway.refresh();
    expect((await gateway.chat()).status).toBe(200);
  });
});
