import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { failure, json } from '../../support/upstream-script.ts';
import { expectCharged } from './relay-checks.ts';

const speaker = 'gemini-2.5-flash-preview-tts';

/** Four samples of 16 bits. */
const pcm = Buffer.from('0001fffe7f008001', 'hex');
const spoken = {
  candidates: [
    {
      content: {
        role: 'model',
        parts: [{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: pcm.toString('base64') } }],
      },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: {
    promptTokenCount: 4,
    candidatesTokenCount: 60,
    totalTokenCount: 64,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 4 }],
    candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 60 }],
  },
  modelVersion: speaker,
};

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('ModelRatio', JSON.stringify({ [speaker]: 0.25 }));
  await gateway.setOption('CompletionRatio', JSON.stringify({ [speaker]: 20 }));
  await gateway.addChannel({ type: 24, name: 'google', models: `${speaker},gemini-2.5-flash` });
});
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});
beforeEach(() => gateway.upstream.reset());

const speak = (change: object = {}) =>
  gateway.call('/v1/audio/speech', { model: speaker, input: 'Hello there', voice: 'Kore', ...change });

describe('speech of Gemini', () => {
  it('is asked for in Google’s words', async () => {
    gateway.upstream.respond(json(200, spoken));
    await (await speak({ response_format: 'pcm', instructions: 'Say warmly', speed: 1 })).arrayBuffer();
    const [request] = gateway.upstream.requests;
    expect(request?.path).toBe(`/v1beta/models/${speaker}:generateContent`);
    expect(request?.json).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Say warmly:\nHello there' }] }],
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      },
    });
  });

  it('comes as the samples themselves', async () => {
    gateway.upstream.respond(json(200, spoken));
    const response = await speak({ response_format: 'pcm' });
    expect(response.headers.get('content-type')).toBe('audio/pcm');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(pcm);
  });

  it.each([{}, { response_format: 'wav' }])('comes as a WAV file for %j', async (change) => {
    gateway.upstream.respond(json(200, spoken));
    const response = await speak(change);
    expect(response.headers.get('content-type')).toBe('audio/wav');
    const file = Buffer.from(await response.arrayBuffer());
    expect([file.toString('latin1', 0, 4), file.toString('latin1', 8, 16)]).toEqual(['RIFF', 'WAVEfmt ']);
    // Size, samples a second, bytes a second, bits, bytes of sound.
    const numbers = [file.readUInt32LE(4), file.readUInt32LE(24), file.readUInt32LE(28)];
    expect([...numbers, file.readUInt16LE(34), file.readUInt32LE(40)]).toEqual([44, 24_000, 48_000, 16, 8]);
    expect(file.subarray(44)).toEqual(pcm);
  });

  it('is billed by the tokens that Google reports', async () => {
    gateway.upstream.respond(json(200, spoken));
    await (await speak()).arrayBuffer();
    const row = await expectCharged(gateway, { prompt: 4, completion: 60, audioOutput: 60 });
    // (4 + 60 x 20) x 0.25
    expect(row.quota).toBe(301);
    expect(row.other.usage_source).toBe('upstream');
  });

  it('is billed as sound when Google does not say what its tokens are', async () => {
    const usageMetadata = { promptTokenCount: 4, candidatesTokenCount: 60, totalTokenCount: 64 };
    gateway.upstream.respond(json(200, { ...spoken, usageMetadata }));
    await (await speak()).arrayBuffer();
    expect((await expectCharged(gateway, { audioOutput: 60 })).quota).toBe(301);
  });

  it('is not begun for a balance that covers the text alone', async () => {
    const poor = await gateway.addUser('poor', 200);
    const key = await gateway.addToken(poor);
    const input = 'a'.repeat(400);
    // The text alone is 400 x 0.25 = 100; its sound about 1000 x 20 x 0.25.
    const response = await gateway.call('/v1/audio/speech', { model: speaker, input, voice: 'Kore' }, { key });
    expect(response.status).toBe(403);
    expect(await gateway.quotaOf(poor)).toBe(200);
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  it.each([
    [{ response_format: 'opus' }, 'Google Gemini does not offer response_format "opus". Use one of: wav, pcm.'],
    [{ response_format: 'mp3' }, 'Use one of: wav, pcm.'],
    [{ stream_format: 'sse' }, 'does not offer stream_format'],
    [{ speed: 1.5 }, 'does not offer speed'],
    [{ model: 'gemini-2.5-flash' }, '/v1/audio/speech (gemini-2.5-flash)'],
  ])('is refused for %j', async (change, says) => {
    const response = await speak(change);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(says.replaceAll('"', '\\"'));
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  it('that is not sound, or was blocked, is an error that costs nothing', async () => {
    const before = await gateway.quotaOf(gateway.userId);
    const empty = { candidates: [{ content: { parts: [{ text: 'Hm' }] }, finishReason: 'OTHER' }] };
    gateway.upstream.always(json(200, empty));
    expect((await speak()).status).toBe(502);
    gateway.upstream.always(json(200, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }));
    const blocked = await speak();
    expect(blocked.status).toBe(400);
    expect(await blocked.text()).toContain('PROHIBITED_CONTENT');
    gateway.upstream.always(failure(429));
    expect((await speak()).status).toBe(429);
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
  });
});
