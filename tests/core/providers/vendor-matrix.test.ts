import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adapterFor } from '../../../core/providers/registry.ts';
import { channelTypes } from '../../../core/schemas/channel-type-list.ts';
import type { MatrixClient } from '../../support/matrix/question.ts';
import { nameOf, vendorFixtures } from '../../support/vendor/all.ts';
import { type VendorClientName, vendorClients } from '../../support/vendor/clients.ts';
import { inOddPackets, playCut, playText, playTool, playVision } from '../../support/vendor/play-chat.ts';
import { playError } from '../../support/vendor/play-error.ts';
import { openAiOf, restPlays } from '../../support/vendor/play-rest.ts';
import { type Stage, setStage } from '../../support/vendor/stage.ts';
import { type VendorFeature, type VendorFixture, vendorFeatures } from '../../support/vendor/vendor-fixture.ts';

let stage: Stage;
let openai: OpenAI;
const clients = new Map<VendorClientName, MatrixClient>();
const clientNames = Object.keys(vendorClients) as VendorClientName[];

beforeAll(async () => {
  stage = await setStage(vendorFixtures);
  openai = openAiOf(stage);
  const { url, key } = stage.gateway;
  for (const name of clientNames) clients.set(name, vendorClients[name].create({ url, key }));
});
afterAll(async () => {
  await stage.gateway.verifyBooks();
  await stage.gateway.stop();
});

function clientOf(name: VendorClientName): MatrixClient {
  const client = clients.get(name);
  if (!client) throw new Error(`there is no client ${name}`);
  return client;
}

const lacks = ({ lacks: without }: VendorFixture, feature: VendorFeature) => without[feature] !== undefined;

describe.each(vendorFixtures.map((fixture, at) => [nameOf(fixture), fixture, at] as const))(
  '%s',
  (_name, fixture, at) => {
    const { chat } = fixture;

    it('lists for every feature the vendor’s response, or why it is missing', () => {
      const isTold: Record<VendorFeature, boolean> = {
        chat: chat !== undefined,
        stream: chat !== undefined,
        tools: chat?.tool !== undefined,
        vision: chat?.vision !== undefined,
        embeddings: fixture.embeddings !== undefined,
        rerank: fixture.rerank !== undefined,
        images: fixture.images !== undefined,
        speech: fixture.speech !== undefined,
        transcription: fixture.transcription !== undefined,
        usage: (chat ?? fixture.embeddings ?? fixture.rerank) !== undefined,
        errors: fixture.errors.length > 0,
        test: (chat ?? fixture.embeddings ?? fixture.rerank) !== undefined,
        models: fixture.models !== undefined,
        balance: fixture.balance !== undefined,
      };
      const wrong = vendorFeatures.filter((feature) => isTold[feature] === lacks(fixture, feature));
      expect(wrong).toEqual([]);
    });

    if (chat) {
      describe.each(clientNames)('%s client', (name) => {
        const play = () => ({ stage, fixture, chat, client: clientOf(name) });
        it('chat', () => playText(play(), false));
        it('stream', () => playText(play(), true));
        // How a vendor's bytes arrive is no matter of the client: each vendor meets one, and each client many vendors.
        if (name === clientNames[at % clientNames.length])
          it('stream, in odd packets', () => playText(play(), true, inOddPackets));
        it('stream, cut inside an event', () => playCut(play()));
        if (!lacks(fixture, 'tools')) {
          it('tools', () => playTool(play(), false));
          it('tools, streamed', () => playTool(play(), true));
        }
        if (!lacks(fixture, 'vision')) it('vision', () => playVision(play()));
      });
    }

    it.each(Object.keys(restPlays).filter((feature) => !lacks(fixture, feature as VendorFeature)))(
      '%s',
      async (feature) => {
        await restPlays[feature as VendorFeature]?.({ stage, fixture, openai });
      },
    );

    it.each(fixture.errors.map((error) => [error.title, error] as const))('errors: %s', (_title, error) =>
      playError({ stage, fixture, client: clientOf('openai') }, error),
    );
  },
);

it('plays every type that is served', () => {
  const played = new Set(vendorFixtures.map(({ type }) => type));
  const served = channelTypes.filter(({ number }) => adapterFor(number)).map(({ number }) => number);
  expect(served.filter((number) => !played.has(number))).toEqual([]);
});
