import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'vitest';
import { startGateway } from '../../support/start-gateway.ts';

describe('a server that stops', () => {
  it('is not held up by a client that connected and says nothing', async () => {
    const gateway = await startGateway();
    const silent = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    await once(silent, 'connect');
    // The server has accepted it by the time it serves a later client.
    await fetch(`${gateway.url}/healthz`);
    const closed = once(silent, 'close');
    await gateway.stop();
    await closed;
  });
});
