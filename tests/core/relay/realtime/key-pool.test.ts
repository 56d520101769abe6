import { expect, it } from 'vitest';
import { startFakeRealtime } from '../../../support/fake-realtime.ts';
import { openRealtime } from '../../../support/realtime-client.ts';
import { startGateway } from '../../../support/start-gateway.ts';

const model = 'gpt-4o-realtime-preview';

it('realtime sessions use the keys of a channel in turn', async () => {
  const upstream = await startFakeRealtime();
  const gateway = await startGateway('sqlite');
  const key = 'realtime-key-number-1\nrealtime-key-number-2';
  await gateway.addChannel({ name: 'pool', models: model, key, key_mode: 'polling', base_url: upstream.url });
  try {
    for (let session = 0; session < 3; session += 1) {
      const client = await openRealtime(gateway.url, { key: gateway.key, model });
      client.socket.close();
    }
    const used = upstream.sessions.map(({ headers }) => headers.authorization?.at(-1));
    expect(used).toEqual(['1', '2', '1']);
  } finally {
    await gateway.stop();
    await upstream.close();
  }
});
