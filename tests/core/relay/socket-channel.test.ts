import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { json, socketMessages } from '../../support/upstream-script.ts';

const model = 'SparkDesk';
const key = 'abcd1234|YXBpc2VjcmV0MTIz|0f1e2d3c4b5a69788796a5b4c3d2e1f0';

function message(content: string, status: number, more: Record<string, unknown> = {}) {
  const choices = { status, seq: 0, text: [{ content, role: 'assistant', index: 0 }] };
  return { header: { code: 0, message: 'Success', sid: 'cht1', status }, payload: { choices, ...more } };
}
const usage = { text: { question_tokens: 1, prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 } };
const whole = [message('He', 0), message('llo', 2, { usage })];

let gateway: TestGateway;
let channelId: number;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('SelfUseModeEnabled', 'true');
  channelId = await gateway.addChannel({ type: 18, name: 'spark', models: model, key, other: 'v3.5' });
});
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});
beforeEach(() => gateway.upstream.reset());

const ask = (body = {}, options = {}) => gateway.chat({ model, ...body }, options);
const lastLog = async () => await gateway.lastLog();

describe('a channel that is spoken to over a WebSocket', () => {
  it('responds whole and in pieces, with a connection for each call', async () => {
    gateway.upstream.always(socketMessages(whole, 'stall'));
    expect(await (await ask()).json()).toMatchObject({
      choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 4, completion_tokens: 2 },
    });
    const text = await (await ask({ stream: true })).text();
    expect(text).toMatch(/"content":"He".*"content":"llo".*\[DONE\]/s);
    expect(gateway.upstream.requests).toHaveLength(2);
    expect(gateway.upstream.requests.every(({ headers }) => headers.upgrade === 'websocket')).toBe(true);
    await expect.poll(() => gateway.upstream.openSockets()).toBe(0);
  });

  it('is tested as it is called', async () => {
    const { channelChecks } = gateway.app.services;
    gateway.upstream.respond(socketMessages(whole, 'stall'));
    expect(await channelChecks.test(systemActor, channelId, model)).toMatchObject({ ok: true });
    gateway.upstream.respond(json(403, { message: 'HMAC signature does not match' }));
    const failed = await channelChecks.test(systemActor, channelId, model);
    expect(failed).toMatchObject({ ok: false, reason: 'HMAC signature does not match' });
    gateway.upstream.respond(socketMessages([message('He', 0)]));
    expect(await channelChecks.test(systemActor, channelId, model)).toMatchObject({ ok: false });
  });

  it.each([
    ['closes the socket in good order', socketMessages([message('He', 0)])],
    ['cuts the connection', socketMessages([message('He', 0)], 'cut')],
    ['closes it with a code of trouble', socketMessages([message('He', 0)], 1011)],
    [
      'says that it failed',
      socketMessages([message('He', 0), { header: { code: 10_012, message: 'engine' } }], 'stall'),
    ],
    ['sends a binary message', socketMessages([message('He', 0), Buffer.from('x')], 'stall')],
    ['sends what is not JSON', socketMessages([message('He', 0), 'nonsense'], 'stall')],
  ])('that %s in the middle of its response has not finished, and what came is paid', async (_what, response) => {
    gateway.upstream.respond(response);
    const text = await (await ask({ stream: true })).text();
    expect(text).toContain('"content":"He"');
    expect(text).toContain('"error":');
    expect(text).not.toContain('[DONE]');
    expect(await lastLog()).toMatchObject({ completion_tokens: 1 });
    await expect.poll(() => gateway.upstream.openSockets()).toBe(0);
  });

  it('is left as soon as its client leaves', async () => {
    gateway.upstream.respond(socketMessages([message('He', 0)], 'stall'));
    const cancel = new AbortController();
    const response = await ask({ stream: true }, { signal: cancel.signal });
    await response.body?.getReader().read();
    cancel.abort();
    await gateway.upstream.requests[0]?.closed;
    expect(gateway.upstream.requests[0]?.aborted).toBe(true);
  });
});
