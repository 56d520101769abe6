import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelStatus } from '../../../core/schemas/channel-status.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.setOption('ModelRatio', JSON.stringify({ 'PaLM-2': 1, 'gemini-2.5-flash': 1 }));
});
afterAll(() => gateway.stop());

const palm = { type: 11, name: 'palm', key: 'google-key' };
const toGemini = { model_mapping: '{"PaLM-2":"gemini-2.5-flash"}' };

describe('a channel of the retired PaLM API', () => {
  it('cannot be saved, unless its models are those of Gemini', async () => {
    await expect(gateway.addChannel({ ...palm, models: 'PaLM-2' })).rejects.toThrow(/shut down on 2024-08-15.*type 24/);
    await expect(gateway.addChannel({ ...palm, models: 'gemini-2.5-flash,PaLM-2' })).rejects.toThrow(/PaLM-2/);
    const id = await gateway.addChannel({ ...palm, models: 'gemini-2.5-flash,PaLM-2', ...toGemini });
    const { channels } = gateway.app.services;
    const update = (values: object) => channels.update(systemActor, { id, confirmKeepKey: false, ...values });
    await expect(update({ model_mapping: '' })).rejects.toThrow(/PaLM-2/);
    await expect(update({ model_mapping: '', status: channelStatus.disabled })).resolves.toBeDefined();
    await channels.remove(systemActor, [id]);
  });

  it('serves Gemini’s models and refuses every other one with the reason', async () => {
    const id = await gateway.addChannel({ ...palm, models: 'PaLM-2', ...toGemini });
    const response = { candidates: [{ content: { role: 'model', parts: [{ text: 'Hi.' }] }, finishReason: 'STOP' }] };
    gateway.upstream.always({
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(
        JSON.stringify({ ...response, usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 } }),
      ),
    });
    expect(await (await gateway.chat({ model: 'PaLM-2' })).json()).toMatchObject({
      choices: [{ message: { content: 'Hi.' } }],
    });
    expect(gateway.upstream.requests.at(-1)?.path).toBe('/v1beta/models/gemini-2.5-flash:generateContent');
    // A row of an older version of this program.
    await gateway.app.database.channels.update({ model_mapping: '' }, { where: { id } });
    await gateway.gateway.refresh();
    const refused = await gateway.chat({ model: 'PaLM-2' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { code: 'channel_type_retired', message: expect.stringContaining('type 24') },
    });
  });

  it('advertises only what it serves, also one from an older version of this program', async () => {
    const id = await gateway.addChannel({ ...palm, models: 'gemini-2.5-flash,PaLM-2', ...toGemini });
    const listed = async () => {
      gateway.app.services.servedModels.forget();
      const response = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${gateway.key}` } });
      const { data } = (await response.json()) as { data: { id: string }[] };
      const priced = await gateway.app.services.servedModels.read();
      const names = ['PaLM-2', 'gemini-2.5-flash'];
      return names.map((name) => [data.some((model) => model.id === name), priced.has(name)]);
    };
    await gateway.app.database.channels.destroy({ where: { type: 11, name: 'palm', models: 'PaLM-2' } });
    await gateway.gateway.refresh();
    expect(await listed()).toEqual([
      [true, true],
      [true, true],
    ]);
    await gateway.app.database.channels.update({ model_mapping: '' }, { where: { id } });
    await gateway.gateway.refresh();
    expect(await listed()).toEqual([
      [false, false],
      [true, true],
    ]);
  });
});
