import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

describe('settings that calls obey', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.setOption('ModelPrice', '{"fixed-model":0.02}');
    await gateway.addChannel({ name: 'fixed', models: 'fixed-model' });
  });
  afterAll(() => gateway.stop());

  async function chargeOf(body: Record<string, unknown>): Promise<number> {
    const before = await gateway.quotaOf(gateway.userId);
    expect((await gateway.chat(body)).status).toBe(200);
    return before - (await gateway.quotaOf(gateway.userId));
  }
  const says = (content: string) => ({ messages: [{ role: 'user', content }] });

  it('A-061 QuotaPerUnit: a price in dollars costs as many units', async () => {
    expect(await chargeOf({ model: 'fixed-model' })).toBe(10_000);
    await gateway.setOption('QuotaPerUnit', '1000000');
    expect(await chargeOf({ model: 'fixed-model' })).toBe(20_000);
    await gateway.setOption('QuotaPerUnit', '500000');
    await gateway.verifyBooks();
  });

  it('A-081 PreConsumedQuota: the tokens that a call without max_tokens needs a balance for', async () => {
    // Output of gpt-4o-mini is 0.3 units a token.
    const key = await gateway.addToken(await gateway.addUser('poor', 100));
    const refused = await gateway.chat({}, { key });
    expect(refused.status).toBe(403);
    expect(((await refused.json()) as { error: { code: string } }).error.code).toBe('insufficient_user_quota');
    await gateway.setOption('PreConsumedQuota', '100');
    expect((await gateway.chat({}, { key })).status).toBe(200);
    await gateway.setOption('PreConsumedQuota', '500');
    expect((await gateway.chat({ max_tokens: 100 }, { key })).status).toBe(200);
    await gateway.verifyBooks();
  });

  it('A-070 A-071 SensitiveWords, one a line, while both switches are on', async () => {
    const asked = async (content: string) => (await gateway.chat(says(content))).status;
    await gateway.setOption('SensitiveWords', 'red herring\n\n  black swan ');
    expect(await asked('a Black Swan')).toBe(400);
    expect(await asked('a red herring')).toBe(400);
    expect(await asked('a herring')).toBe(200);
    for (const key of ['CheckSensitiveEnabled', 'CheckSensitiveOnPromptEnabled']) {
      await gateway.setOption(key, 'false');
      expect(await asked('a black swan'), key).toBe(200);
      await gateway.setOption(key, 'true');
    }
    expect(await asked('a black swan')).toBe(400);
  });

  it('A-074 DataExportEnabled: hourly sums are written while it is on', async () => {
    const sums = async () => {
      const rows = await gateway.app.database.usageData.findAll({ raw: true });
      return rows.reduce((sum, { count }) => sum + count, 0);
    };
    const before = await sums();
    await chargeOf({});
    expect(await sums()).toBe(before + 1);
    await gateway.setOption('DataExportEnabled', 'false');
    await chargeOf({});
    expect(await sums()).toBe(before + 1);
    await gateway.setOption('DataExportEnabled', 'true');
    await chargeOf({});
    expect(await sums()).toBe(before + 2);
    await gateway.verifyBooks();
  });
});
