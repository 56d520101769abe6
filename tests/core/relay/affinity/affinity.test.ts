import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { historyText } from '../../../../cli/print/receipt.ts';
import { createSpeak } from '../../../../cli/text.ts';
import type { ExplanationView } from '../../../../core/schemas/explain.ts';
import { createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { failure, fixture } from '../../../support/upstream-script.ts';
import { attemptsOf, expectCharged } from '../relay-checks.ts';

const model = 'gpt-4o-mini';
const system = 'You know the collected laws of the country by heart. '.repeat(200);
/** As text that no two conversations have in common. */
const question = (index: number) => `Question ${index}: which law is meant?`;

let gateway: TestGateway;
let other: TestGateway;

beforeAll(async () => {
  [gateway, other] = await Promise.all([startGateway('sqlite', { METRICS_TOKEN: 'figures' }), startGateway('sqlite')]);
  for (const one of [gateway, other]) {
    for (const name of ['two', 'three']) await one.addChannel({ name, key: name, models: model });
    one.upstream.always(() => fixture('openai/chat.json'));
  }
});
afterEach(async () => {
  await gateway.setOption('ChannelAffinityMinutes', '10');
  gateway.upstream.always(() => fixture('openai/chat.json'));
});
afterAll(() => Promise.all([gateway?.stop(), other?.stop()]));

/** A turn of a conversation; resolves with the channel that served it. */
async function turn(index: number, turns: number, on = gateway): Promise<number> {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: question(index) },
    ...Array.from({ length: turns }, (_, at) => ({ role: at % 2 ? 'user' : 'assistant', content: `turn ${at}` })),
  ];
  expect((await on.chat({ model, messages })).status).toBe(200);
  return (await on.lastLog())?.channel_id ?? 0;
}

async function conversation(index: number, turns: number): Promise<number[]> {
  const channels: number[] = [];
  for (let at = 0; at < turns; at += 1) channels.push(await turn(index, 2 * at));
  return channels;
}

describe('calls of one conversation', () => {
  it('go to one channel, and those of others to others, the same ones on every machine', async () => {
    const first: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      const channels = await conversation(index, 4);
      expect(new Set(channels).size).toBe(1);
      first.push(channels[0] ?? 0);
    }
    expect(new Set(first).size).toBe(3);
    for (const [index, channel] of first.entries()) expect(await turn(index, 0, other)).toBe(channel);
  });

  it('move together when their channel fails, and stay where they are once it is well again', async () => {
    const [home = 0] = await conversation(100, 1);
    const key = (await gateway.app.database.channels.findByPk(home, { raw: true }))?.name;
    gateway.upstream.always(({ headers }) =>
      headers.authorization?.endsWith(key ?? '') ? failure(500) : fixture('openai/chat.json'),
    );
    const [away = 0, ...later] = await conversation(100, 3);
    expect(away).not.toBe(home);
    gateway.upstream.always(() => fixture('openai/chat.json'));
    expect([...later, ...(await conversation(100, 3))]).toEqual(new Array(5).fill(away));
  });

  it('say on the receipt why they went there, and are counted', async () => {
    await conversation(200, 2);
    const row = await expectCharged(gateway);
    expect(attemptsOf(row)).toMatchObject([{ outcome: 'ok', conversation: 'stayed' }]);
    const [line] = historyText({ other: JSON.stringify(row.other) }, createSpeak('en'));
    expect(line).toContain('its conversation was here');
    const metrics = await (
      await fetch(`${gateway.url}/metrics`, { headers: { authorization: 'Bearer figures' } })
    ).text();
    expect(metrics).toMatch(/tollgate_relay_conversation_calls_total\{turn="stayed"\} [1-9]/);
  });

  it('are explained before they are made', async () => {
    const served = await turn(300, 0);
    const client = createConsoleClient(gateway.url);
    await client.data(client.signIn('root', 'correct horse battery'));
    const body = {
      model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: question(300) },
      ],
    };
    const { data } = await client.post('/api/explain', { model, body });
    const first = (data as ExplanationView).channels.filter(({ turn: place }) => place === 1);
    expect(first).toMatchObject([{ id: served, chance: 1, conversation: 'chosen' }]);
  });

  it('are spread by weight like all others when that is switched off, or when the prompt is short', async () => {
    await gateway.setOption('ChannelAffinityMinutes', '0');
    expect(new Set(await conversation(400, 24)).size).toBeGreaterThan(1);
    await gateway.setOption('ChannelAffinityMinutes', '10');
    const channels = new Set<number>();
    for (let at = 0; at < 24; at += 1) {
      await gateway.chat({ model, messages: [{ role: 'user', content: 'Hi' }] });
      channels.add((await gateway.lastLog())?.channel_id ?? 0);
    }
    expect(channels.size).toBeGreaterThan(1);
  });
});
