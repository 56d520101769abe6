import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { json } from '../../../support/upstream-script.ts';

const keys = ['pool-key-number-one', 'pool-key-number-two'];

describe.each(engines)('what a key of several has made on %s', (engine) => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway(engine);
  });
  afterEach(() => gateway.stop());

  const asked = () => gateway.upstream.requests.map(({ headers }) => headers.authorization);

  it('a job is followed with the key that it was begun with, even when that is off', async () => {
    const input = { type: 36, name: 'songs', models: 'suno_music', key: keys.join('\n'), key_mode: 'polling' };
    const id = await gateway.addChannel(input);
    for (const job of ['job-a', 'job-b']) {
      gateway.upstream.respond(json(200, { code: 'success', message: '', data: job }));
      expect((await gateway.call('/suno/submit/music', { prompt: 'la', title: 'T' })).status).toBe(200);
    }
    expect(asked()).toEqual(['Bearer pool-key-number-one', 'Bearer pool-key-number-two']);
    await gateway.app.services.channels.setKeyStatus(systemActor, id, [1], 2);
    gateway.upstream.requests.length = 0;
    gateway.upstream.route('/suno/fetch', json(200, { code: 'success', message: '', data: [] }));
    await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
    await gateway.app.services.taskProgress.poll();
    const polls = gateway.upstream.requests.map(({ headers, json: body }) => [
      headers.authorization,
      (body as { ids: string[] }).ids,
    ]);
    expect(polls.sort()).toEqual([
      ['Bearer pool-key-number-one', ['job-a']],
      ['Bearer pool-key-number-two', ['job-b']],
    ]);
    await gateway.verifyBooks();
  });

  it('a stored response is gone on from with the key that it was made with', async () => {
    await gateway.addChannel({ name: 'pool', models: 'gpt-r', key: keys.join('\n'), key_mode: 'polling' });
    await gateway.setOption('ModelRatio', '{"gpt-r":1}');
    const reply = (id: string) =>
      json(200, {
        id,
        object: 'response',
        status: 'completed',
        model: 'gpt-r',
        output: [],
        usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
      });
    const create = async (id: string, more: object = {}) => {
      gateway.upstream.respond(reply(id));
      const response = await gateway.call('/v1/responses', { model: 'gpt-r', input: 'hi', ...more });
      expect(response.status, await response.text()).toBe(200);
    };
    await create('resp_a');
    await create('resp_b', { previous_response_id: 'resp_a' });
    await create('resp_c', { previous_response_id: 'resp_a' });
    expect(asked()).toEqual(Array.from({ length: 3 }, () => 'Bearer pool-key-number-one'));
    gateway.upstream.respond(json(200, { id: 'resp_c', object: 'response', status: 'completed', output: [] }));
    const read = await fetch(`${gateway.url}/v1/responses/resp_c`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    expect(read.status).toBe(200);
    expect(asked().at(-1)).toBe('Bearer pool-key-number-one');
  });

  it('the balance is the sum of what the keys have left, and an empty key goes off alone', async () => {
    const id = await gateway.addChannel({
      type: 40,
      name: 'sum',
      models: 'm',
      key: keys.join('\n'),
      key_mode: 'random',
    });
    gateway.upstream.always(({ headers }) =>
      json(200, {
        code: 20000,
        status: true,
        data: { totalBalance: headers.authorization?.endsWith('one') ? '0' : '7' },
      }),
    );
    await gateway.app.services.channelBalances.updateBalances(systemActor);
    const channel = await gateway.app.services.channels.get(systemActor, id);
    expect(channel.balance).toBeGreaterThan(0);
    expect(channel).toMatchObject({ status: 1, key_count: 2, key_on_count: 1 });
    expect(await gateway.app.services.channels.listKeys(systemActor, id)).toMatchObject([{ status: 3 }, { status: 1 }]);
  });
});
