import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { openRaw } from '../../relay/raw-client.ts';
import { expectCharged } from '../../relay/relay-checks.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway('sqlite');
});
afterAll(() => gateway.stop());

describe('clients that only hold connections', () => {
  it('F19 slow headers are given up after some 10 s, and others are served beside 800 idle sockets', async () => {
    const idle = await Promise.all(Array.from({ length: 800 }, () => openRaw(gateway.url)));
    const slow = await openRaw(gateway.url);
    slow.socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-slow: ');
    const drip = setInterval(() => slow.socket.write('a'), 200);
    for (let call = 0; call < 5; call += 1) expect((await gateway.chat()).status).toBe(200);
    await expectCharged(gateway, { prompt: 20 });
    await slow.closed;
    clearInterval(drip);
    expect(slow.text()).toMatch(/^HTTP\/1\.1 408 /);
    expect((await gateway.chat()).status).toBe(200);
    for (const { socket } of idle) socket.destroy();
  });
});
