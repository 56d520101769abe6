import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { stall } from '../../../support/upstream-script.ts';
import { chatHead, openRaw } from '../../relay/raw-client.ts';
import { expectCharged, openHolds, waitFor } from '../../relay/relay-checks.ts';
import { done, says, stops, streamOf, uses } from '../../relay/responses.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway('sqlite');
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

/** A whole call as bytes. */
function callOf(body: object): string {
  const text = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }], ...body });
  return `${chatHead(gateway.key, { 'content-length': text.length })}${text}`;
}

/** More than node keeps for a response whose turn has not come, and not all of it. */
const long = stall('body', streamOf(Array.from({ length: 200 }, () => says('x'.repeat(4000)))), 700_000);

const over = () => waitFor('no call is in flight', async () => gateway.gateway.relay.inFlight() === 0);

describe('calls that are sent one behind the other on one connection', () => {
  it('F20 get their responses in order, streams and plain ones', async () => {
    gateway.upstream.respond(streamOf([says('one'), stops, uses(3, 1), done], { firstByteMs: 200 }));
    const raw = await openRaw(gateway.url);
    raw.socket.write(callOf({ stream: true }) + callOf({}) + callOf({ stream: true }));
    await waitFor('all have come', async () => raw.text().split('[DONE]').length === 3);
    const heads = [...raw.text().matchAll(/HTTP\/1\.1 (\d+) OK\r\ncontent-type: ([\w/-]+)/g)];
    expect(heads.map(([, code, type]) => `${code} ${type}`)).toEqual([
      '200 text/event-stream',
      '200 application/json',
      '200 text/event-stream',
    ]);
    raw.socket.destroy();
    await over();
    await gateway.verifyBooks();
  });

  it('R3 end when their client leaves, also those whose turn has not come', async () => {
    const balance = await gateway.quotaOf(gateway.userId);
    gateway.upstream.respond(stall('headers'), long, stall('headers'));
    const raw = await openRaw(gateway.url);
    raw.socket.write(callOf({}) + callOf({ stream: true }) + callOf({}));
    await gateway.upstream.waitForRequests(3);
    await waitFor('the second one waits for its turn', async () => gateway.upstream.requests[1]?.complete);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(gateway.gateway.relay.inFlight()).toBe(3);
    raw.socket.destroy();
    await waitFor('no call is in flight', async () => gateway.gateway.relay.inFlight() === 0, 5000);
    expect(await openHolds(gateway)).toBe(0);
    expect((await expectCharged(gateway)).other.outcome).toBe('clientGone');
    expect(await gateway.quotaOf(gateway.userId)).toBeLessThan(balance);
    await Promise.all(gateway.upstream.requests.map(({ closed }) => closed));
    expect(gateway.upstream.requests.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });
});
