import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createOutbound, type Outbound } from '../../../../core/integrations/outbound/outbound.ts';
import { callWebhook } from '../../../../core/services/notice/webhook.ts';
import { type FakeUpstream, startFakeUpstream } from '../../../support/fake-upstream.ts';
import { cut, json, type Script } from '../../../support/upstream-script.ts';

describe('a webhook', () => {
  let receiver: FakeUpstream;
  let outbound: Outbound;
  beforeAll(async () => {
    receiver = await startFakeUpstream();
    outbound = createOutbound({ rules: { upstreamPrivate: [], closedEndpoints: [] } });
  });
  afterEach(() => receiver.reset());
  afterAll(async () => {
    await outbound.close();
    await receiver.close();
  });

  function call(script: Script): Promise<void> {
    receiver.respond(script);
    // The receiver of the test is on loopback, where no user may send anything.
    const fetchBytes: Outbound['fetchBytes'] = (address, options) =>
      outbound.fetchBytes(address, { ...options, profile: 'operatorPrivate' });
    return callWebhook(
      { fetchBytes },
      { address: `${receiver.url}/hook`, body: '{}', receiver: 'the webhook of user 1' },
    );
  }

  it.each<[string, Script]>([
    ['a long page', json(200, { page: 'x'.repeat(200_000) })],
    ['a body that is cut off', cut(json(200, { page: 'x'.repeat(20_000) }), 5000)],
  ])('that takes the event and responds with %s is not called again', async (_what, script) => {
    await expect(call(script)).resolves.toBeUndefined();
    expect(receiver.requests).toHaveLength(1);
  });

  it.each([302, 400, 500])('that responds with %i has not taken it', async (status) => {
    await expect(call({ status, headers: { location: `${receiver.url}/other` } })).rejects.toThrow(
      `the webhook of user 1 responded with ${status}`,
    );
    expect(receiver.requests).toHaveLength(1);
  });
});
