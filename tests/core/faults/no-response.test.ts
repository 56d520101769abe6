import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBlackHole } from '../../support/black-hole.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

const hole = await openBlackHole();
const why = hole ? '' : ' (left out: this kernel answers for a listener whose queue is full)';

describe.skipIf(!hole)(`an upstream whose host drops every packet${why}`, () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    const base_url = `http://127.0.0.1:${hole?.port}`;
    await gateway.addChannel({ name: 'silent', models: 'only-silent,gpt-4o-mini', priority: 10, base_url });
    await gateway.setOption('ModelRatio', JSON.stringify({ 'gpt-4o-mini': 0.075, 'only-silent': 1 }));
  });
  afterAll(async () => {
    await gateway.stop();
    hole?.close();
  });

  it('F2 is given up after five seconds, and another channel responds', async () => {
    const startedMs = performance.now();
    const response = await gateway.chat();
    const afterMs = performance.now() - startedMs;
    expect(response.status).toBe(200);
    await response.text();
    expect(afterMs).toBeGreaterThan(4000);
    const [row] = await gateway.logs();
    expect(row?.channel_id).toBe(1);
    await gateway.verifyBooks();
  });

  it('F2 holds up no call to other channels, and costs nothing where no other channel has the model', async () => {
    await gateway.addChannel({ name: 'other', models: 'other-model' });
    await gateway.setOption('ModelRatio', JSON.stringify({ 'only-silent': 1, 'other-model': 1 }));
    const silent = Array.from({ length: 30 }, () => gateway.chat({ model: 'only-silent' }));
    for (let calls = 0; calls < 20; calls++) expect((await gateway.chat({ model: 'other-model' })).status).toBe(200);
    const charged = await gateway.logCount();
    for (const response of await Promise.all(silent)) {
      const { error } = (await response.json()) as { error: { message: string } };
      expect(response.status).toBeGreaterThanOrEqual(502);
      expect(error.message).not.toContain('127.0.0.1');
    }
    expect(await gateway.logs()).toHaveLength(charged);
    await gateway.verifyBooks();
  });
});
