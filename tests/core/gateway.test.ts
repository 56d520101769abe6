import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { engines } from '../support/temporary-database.ts';

describe.each(engines)('a gateway on %s', (engine) => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway(engine);
  });
  afterAll(() => gateway.stop());

  it('relays a chat call and bills it to the unit', async () => {
    const before = await gateway.quotaOf(gateway.userId);
    const response = await gateway.chat();
    expect(response.status).toBe(200);
    const reply = (await response.json()) as { choices: { message: { content: string } }[] };
    expect(reply.choices[0]?.message.content).not.toBe('');
    const row = await gateway.lastLog();
    // 20 prompt and 10 completion tokens at ratio 0.075, completion x 4: 0.075 x (20 + 40) = 4.5, halves up.
    expect(row).toMatchObject({ quota: 5, prompt_tokens: 20, completion_tokens: 10, model_name: 'gpt-4o-mini' });
    expect(await gateway.quotaOf(gateway.userId)).toBe(before - 5);
    expect(row?.request_id).toBe(response.headers.get('x-request-id'));
  });

  it('relays a stream whose end comes after the bill', async () => {
    const response = await gateway.chat({ stream: true });
    const text = await response.text();
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(await gateway.lastLog()).toMatchObject({ quota: 5, request_id: response.headers.get('x-request-id') });
  });

  it('has books that agree', async () => {
    await gateway.verifyBooks();
  });

  it('serves health checks without a key', async () => {
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  });
});
