import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxModelNameLength } from '../../../../core/schemas/channel-field.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';

const password = 'correct horse battery';
const profile = 'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/';
const model = profile.padEnd(maxModelNameLength, 'é');

describe.each(engines)('names as long as they may be on %s', (engine) => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let alice: ConsoleClient;
  const read = (console: ConsoleClient, path: string) => console.data(console.get(path));

  beforeAll(async () => {
    gateway = await startGateway(engine);
    [root, alice] = [1, 2].map(() => createConsoleClient(gateway.url)) as [ConsoleClient, ConsoleClient];
    await root.data(root.signIn('root', password));
    await alice.data(alice.signIn('alice', password));
  });
  afterAll(() => gateway.stop());

  it('of a model find its requests, its page, its prices and its channels', async () => {
    const id = await gateway.addChannel({ name: 'long', models: model });
    await gateway.setOption('ModelRatio', JSON.stringify({ [model]: 1 }));
    expect((await gateway.chat({ model })).status).toBe(200);
    const name = encodeURIComponent(model);
    expect((await read(root, `/api/log/?type=2&model_name=${name}`)).items).toHaveLength(1);
    expect((await read(alice, `/api/log/self?type=2&model_name=${name}`)).items).toHaveLength(1);
    for (const reader of [root, alice]) expect((await read(reader, `/api/overview/model/${name}`)).name).toBe(model);
    expect((await read(root, `/api/pricing/history?model=${name}`)).items).toHaveLength(1);
    const found = await read(root, `/api/channel/search?model=${name}`);
    expect(found.map((channel: { id: number }) => channel.id)).toEqual([id]);
  });

  it('of a token that was taken over from another gateway open its page', async () => {
    const { tokens } = gateway.app.database;
    const token = await tokens.findOne({ where: { user_id: gateway.userId }, raw: true });
    await tokens.update({ name: 'n'.repeat(200) }, { where: { id: token?.id ?? 0 } });
    expect((await read(alice, `/api/overview/token/${token?.id}`)).name).toHaveLength(200);
  });
});
