import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openExplain } from '../../../../cli/explain/access.ts';
import { explainedCall } from '../../../../core/http/relay/explained-call.ts';
import { explanationView } from '../../../../core/relay/explain/explanation-view.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { type ExplanationView, explainSchema } from '../../../../core/schemas/explain.ts';
import { limitCreateSchema } from '../../../../core/schemas/limit.ts';
import { createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('what explain says of limits on %s', (engine) => {
  let gateway: TestGateway;
  let tokenId: number;
  beforeAll(async () => {
    gateway = await startGateway(engine, {}, { limitMs: 50 });
    tokenId = (await gateway.app.database.tokens.max('id')) as number;
  });
  afterAll(() => gateway?.stop());

  const limit = async (input: Record<string, unknown>) => {
    const { id } = await gateway.app.services.limits.create(systemActor, limitCreateSchema.parse(input));
    await gateway.gateway.refresh();
    return id;
  };

  it('names the limits that apply, what is left of each, and the one that would refuse, on the server and elsewhere', async () => {
    const requests = await limit({ subject_kind: 'token', subject: tokenId, measure: 'requests', amount: 2 });
    const tokens = await limit({ subject_kind: 'model', subject: 'gpt-4o-mini', measure: 'tokens', amount: 90_000 });
    const budget = await limit({ subject_kind: 'user', measure: 'budget', period: 'month', amount: 1_000_000 });
    await limit({ subject_kind: 'model', subject: 'other', measure: 'requests', amount: 1 });
    const before = await gateway.quotaOf(gateway.userId);
    expect((await gateway.chat()).status).toBe(200);
    const paid = before - (await gateway.quotaOf(gateway.userId));
    const root = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', 'correct horse battery'));
    const input = { model: 'gpt-4o-mini', token_id: tokenId };
    const asServer = (): Promise<ExplanationView> => root.data(root.post('/api/explain', input));
    // On PostgreSQL without Redis, what is counted is shared every so often.
    const usedIs = (used: number) => expect.poll(async () => (await asServer()).limits[0]?.used).toBe(used);
    await usedIs(1);
    const first = await asServer();
    expect(first.limits).toMatchObject([
      { id: requests, measure: 'requests', used: 1, remaining: 1, needed: 1, refuses: false, resets_at: 0 },
      { id: tokens, measure: 'tokens', used: 30, refuses: false },
      { id: budget, measure: 'budget', used: paid, held: 0, remaining: 1_000_000 - paid, refuses: false },
    ]);
    expect(first.limits[2]?.resets_at).toBeGreaterThan(Date.now() / 1000);
    expect(first.served).toBe(true);
    expect((await gateway.chat()).status).toBe(200);
    await usedIs(2);
    const refused = await asServer();
    expect(refused.limits[0]).toMatchObject({ used: 2, remaining: 0, refuses: true });
    expect(refused).toMatchObject({ served: false, refusals: [{ code: 'limit.rateNow' }] });
    const run = await openExplain(gateway.app);
    const explanation = await run(await explainedCall(explainSchema.parse(input)));
    const elsewhere = explanationView(explanation, 'en');
    expect(elsewhere.limits.map(({ used }) => used)).toEqual(refused.limits.map(({ used }) => used));
    expect(elsewhere.refusals[0]?.message).toContain('may use 2 requests per minute and has used 2');
    expect(explanationView(explanation, 'zh').refusals[0]?.message).toContain('每分钟最多使用 2 次请求');
    await gateway.app.services.limits.update(systemActor, { id: budget, amount: 1 });
    await gateway.gateway.refresh();
    expect((await asServer()).refusals.map(({ code }) => code)).toEqual(['limit.rateNow', 'limit.callTooCostly']);
  });
});
