import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { json, sse } from '../../support/upstream-script.ts';

const model = 'abab6.5s-chat';
const common = { id: 'mm1', created: 1_700_000_000, model };
const first = { ...common, choices: [{ index: 0, delta: { content: 'Hi', role: 'assistant' } }] };
const message = { content: 'Hi', role: 'assistant' };
const whole = {
  ...common,
  choices: [{ finish_reason: 'stop', index: 0, message }],
  object: 'chat.completion',
  usage: { total_tokens: 70 },
  base_resp: { status_code: 0, status_msg: '' },
};

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('SelfUseModeEnabled', 'true');
  await gateway.addChannel({ type: 35, name: 'minimax', models: `${model},speech-02-hd,image-01` });
});
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});
beforeEach(() => gateway.upstream.reset());

async function lastLog() {
  return await gateway.lastLog();
}

describe('a response of MiniMax that tells a total alone', () => {
  it.each([true, false])('is billed as the whole of it (stream: %s)', async (stream) => {
    gateway.upstream.respond(stream ? sse([first, whole]) : json(200, whole));
    const text = await (await gateway.chat({ model, stream, stream_options: { include_usage: true } })).text();
    expect(text.match(/"content":"Hi"/g)).toHaveLength(1);
    expect(text).toContain('"total_tokens":70');
    const { prompt_tokens: prompt = 0, completion_tokens: completion = 0 } = (await lastLog()) ?? {};
    expect(prompt + completion).toBe(70);
    expect(Math.min(prompt, completion)).toBeGreaterThan(0);
  });
});

describe('a response of MiniMax', () => {
  it('that its filter stopped is reported as filtered', async () => {
    gateway.upstream.respond(json(200, { ...whole, output_sensitive: true, output_sensitive_type: 1 }));
    const body = (await (await gateway.chat({ model })).json()) as { choices: { finish_reason: string }[] };
    expect(body.choices[0]?.finish_reason).toBe('content_filter');
  });

  it('of sound comes as the bytes it stands for', async () => {
    const data = { audio: '494433ff00', status: 2 };
    gateway.upstream.respond(json(200, { data, base_resp: whole.base_resp }));
    const response = await gateway.call('/v1/audio/speech', { model: 'speech-02-hd', input: 'Hi', voice: 'v' });
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(Buffer.from(await response.arrayBuffer()).toString('hex')).toBe('494433ff00');
    expect(await lastLog()).toMatchObject({ prompt_tokens: 2 });
  });

  it('of sound that is not sound, in a form it does not have, or in pieces, is an error', async () => {
    const ask = (change = {}) =>
      gateway.call('/v1/audio/speech', { model: 'speech-02-hd', input: 'Hi', voice: 'v', ...change });
    gateway.upstream.always(json(200, { data: { audio: 'zz' }, base_resp: whole.base_resp }));
    expect((await ask()).status).toBe(502);
    expect(await (await ask({ response_format: 'opus' })).text()).toContain(
      'MiniMax does not offer response_format: opus',
    );
    expect((await ask({ stream_format: 'sse' })).status).toBe(400);
  });

  it('of pictures comes in the form that was asked for', async () => {
    gateway.upstream.respond(json(200, { data: { image_base64: ['aGk='] }, base_resp: whole.base_resp }));
    const asked = { model: 'image-01', prompt: 'x', n: 2, size: '1792x1024', response_format: 'b64_json' };
    const response = await gateway.call('/v1/images/generations', asked);
    expect(await response.json()).toMatchObject({ data: [{ b64_json: 'aGk=' }] });
    expect(gateway.upstream.requests[0]?.json).toEqual({
      model: 'image-01',
      prompt: 'x',
      n: 2,
      aspect_ratio: '16:9',
      response_format: 'base64',
    });
  });
});
