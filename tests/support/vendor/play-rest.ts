import OpenAI, { toFile } from 'openai';
import { expect } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { oneSecondOfSilence } from '../sdk-calls.ts';
import { scriptOf } from './play-chat.ts';
import { aliasOf, type Stage } from './stage.ts';
import type { Exchange, VendorFeature, VendorFixture } from './vendor-fixture.ts';

interface RestPlay {
  stage: Stage;
  fixture: VendorFixture;
  openai: OpenAI;
}

export function openAiOf({ gateway }: Stage): OpenAI {
  return new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
}

/** Everything but chat: asked once, because only one SDK knows how to. */
export const restPlays: Partial<Record<VendorFeature, (play: RestPlay) => Promise<void>>> = {
  async embeddings(play) {
    const { stage, fixture, openai } = play;
    const { model, exchange } = begin(play, 'embeddings');
    const request = { model, input: 'Hi', encoding_format: 'float' as const };
    const { response, row } = await stage.logged(() => openai.embeddings.create(request));
    expect(response.data[0]?.embedding.length).toBeGreaterThan(0);
    expect(row.prompt_tokens).toBe(fixture.embeddings?.prompt);
    end(stage, exchange);
  },
  async rerank(play) {
    const { stage, fixture } = play;
    const { model, exchange } = begin(play, 'rerank');
    const body = { model, query: 'fruit', documents: ['apple', 'banana'] };
    const { response, row } = await stage.logged(() => stage.gateway.call('/v1/rerank', body));
    const read = (await response.json()) as { results?: { index: number; relevance_score: number }[] };
    expect(response.status, JSON.stringify(read)).toBe(200);
    expect(read.results?.map(({ index }) => index)).toEqual([1, 0]);
    expect(read.results?.[0]?.relevance_score).toBeGreaterThan(read.results?.[1]?.relevance_score ?? 1);
    if (fixture.rerank?.prompt !== undefined) expect(row.prompt_tokens).toBe(fixture.rerank.prompt);
    end(stage, exchange);
  },
  async images(play) {
    const { model, exchange } = begin(play, 'images');
    const { data = [] } = await play.openai.images.generate({ model, prompt: 'A fjord', n: 1 });
    expect(data).toHaveLength(1);
    expect(data[0]?.url || data[0]?.b64_json).toBeTruthy();
    end(play.stage, exchange);
  },
  async speech(play) {
    const { model, exchange } = begin(play, 'speech');
    const response = await play.openai.audio.speech.create({ model, input: 'Hi', voice: 'alloy' });
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
    end(play.stage, exchange);
  },
  async transcription(play) {
    const { model, exchange } = begin(play, 'transcription');
    const file = await toFile(oneSecondOfSilence(), 'voice.wav', { type: 'audio/wav' });
    const { text } = await play.openai.audio.transcriptions.create({ model, file });
    expect(text).toBe(play.fixture.transcription?.text);
    end(play.stage, exchange);
  },
  async test({ stage, fixture }) {
    const { chat, embeddings, rerank } = fixture;
    const script = chat ? scriptOf(chat.text, false) : (embeddings ?? rerank)?.response;
    const model = chat?.model ?? (embeddings ?? rerank)?.model;
    if (!script || model === undefined) throw new Error('nothing can be tested');
    stage.play(fixture, script);
    const { channelChecks } = stage.gateway.app.services;
    const result = await channelChecks.test(systemActor, stage.channelId(fixture), aliasOf(fixture, model));
    expect(result).toMatchObject({ ok: true, reason: '' });
  },
  async models({ stage, fixture }) {
    if (!fixture.models) throw new Error('no list is scripted');
    stage.play(fixture, fixture.models.response);
    const { channelModels } = stage.gateway.app.services;
    const found = await channelModels.ofChannel(systemActor, stage.channelId(fixture));
    expect(found).toEqual([...fixture.models.found].sort());
    end(stage, fixture.models);
  },
  async balance({ stage, fixture }) {
    if (!fixture.balance) throw new Error('no balance is scripted');
    stage.play(fixture, fixture.balance.response);
    const { channelBalances } = stage.gateway.app.services;
    const dollars = await channelBalances.updateBalance(systemActor, stage.channelId(fixture));
    expect(dollars).toBeCloseTo(fixture.balance.dollars, 4);
    end(stage, fixture.balance);
  },
};

type Asked = 'embeddings' | 'rerank' | 'images' | 'speech' | 'transcription';

function begin({ stage, fixture }: RestPlay, feature: Asked): { model: string; exchange: Exchange } {
  const exchange: Exchange | undefined = fixture[feature];
  if (!exchange?.model) throw new Error(`no ${feature} are scripted, or without a model`);
  stage.play(fixture, exchange.response);
  return { model: aliasOf(fixture, exchange.model), exchange };
}

function end(stage: Stage, exchange: Exchange): void {
  expect(stage.takenOver()).toBe(0);
  exchange.asked?.(stage.asked());
}
