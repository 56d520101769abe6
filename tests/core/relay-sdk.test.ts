import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { promiseSdkCalls, sdkModels } from '../support/sdk-calls.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { engines } from '../support/temporary-database.ts';
import { openHolds, waitFor } from './relay/relay-checks.ts';

describe.each(engines)("the official OpenAI SDK's view of a gateway on %s", (engine) => {
  let gateway: TestGateway;
  let limitedKey = '';

  beforeAll(async () => {
    gateway = await startGateway(engine);
    await gateway.addChannel({ name: 'all', models: sdkModels.join(',') });
    limitedKey = await gateway.addToken(gateway.userId, {
      name: 'limited',
      model_limits_enabled: true,
      model_limits: 'gpt-4o-mini',
    });
  });
  afterAll(() => gateway.stop());

  promiseSdkCalls(() => ({ url: gateway.url, upstream: gateway.upstream, key: gateway.key, limitedKey }));

  it('leaves a row for every call that was served, no hold open, and books that agree', async () => {
    await waitFor('the calls that were aborted to be settled', async () => (await openHolds(gateway)) === 0);
    const rows = await gateway.logs();
    expect(new Set(rows.map(({ model_name }) => model_name))).toEqual(new Set(sdkModels));
    expect(rows.every(({ quota }) => quota >= 0)).toBe(true);
    await gateway.verifyBooks();
  });
});
