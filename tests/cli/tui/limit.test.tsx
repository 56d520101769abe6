import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { limitCreateSchema, limitListSchema } from '../../../core/schemas/limit.ts';
import { tokenCreateSchema } from '../../../core/schemas/token.ts';
import { createTestInstallation, expectInside, keys, type TestInstallation } from '../../support/terminal.tsx';

let installation: TestInstallation;
let token: number;

beforeAll(async () => {
  installation = await createTestInstallation();
  const { tokens, limits } = installation.app.services;
  token = (await tokens.create(systemActor, tokenCreateSchema.parse({ name: 'ci' }), { userId: 1 })).id;
  const create = (input: Record<string, unknown>) => limits.create(systemActor, limitCreateSchema.parse(input));
  const budget = { measure: 'budget', period: 'month', amount: 5_000_000 };
  const { id } = await create({ subject_kind: 'token', subject: token, ...budget });
  await create({ subject_kind: 'user', measure: 'requests', amount: 60 });
  const now = new Date();
  await installation.app.database.limitUsage.create({
    limit_id: id,
    subject: String(token),
    window_start: Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) / 1000,
    used: 4_500_000,
  });
});
afterAll(() => installation.remove());

const listed = async () =>
  (await installation.app.services.limits.list(systemActor, limitListSchema.parse({ subject_kind: 'token' }))).items;

describe('limits of a token and a user', () => {
  it('stand among its details, with a bar and a sign of how much is used', async () => {
    const terminal = installation.open({ screen: 'token', columns: 100, rows: 40 });
    await terminal.until('Tokens (1)');
    await terminal.press('d');
    await terminal.until('$10.00 per month');
    await terminal.until(/█{18}░{2} 90% ▲ +\$9\.00 used, \$1\.00 left/);
    expectInside(terminal, 100, 40);
    terminal.close();
  });

  it('are those for each of the kind, too', async () => {
    const terminal = installation.open({ screen: 'user', columns: 100, rows: 40, language: 'zh' });
    await terminal.until('root');
    await terminal.press('d');
    await terminal.until('每分钟 60 次请求, 默认');
    terminal.close();
  });

  it('are added, changed, switched and deleted on a list of their own', async () => {
    const terminal = installation.open({ screen: 'token', columns: 100 });
    await terminal.until('Tokens (1)');
    await terminal.press('L');
    await terminal.until(/\$10\.00 per month .*90% ▲/);
    await terminal.press('n');
    await terminal.until('New limit');
    await terminal.press(keys.ctrlU, 'requests', keys.tab, keys.tab, '0', keys.ctrlS);
    await terminal.until(/for requests, one of minute, hour|a positive whole number/);
    await terminal.press(keys.ctrlU, '90', keys.shiftTab, keys.ctrlU, 'hour', keys.ctrlS);
    await terminal.until(/> +\d+ +90 requests per hour/);
    expect(await listed()).toMatchObject([{ measure: 'requests', period: 'hour', amount: 90 }, { measure: 'budget' }]);
    await terminal.press('g', 'E');
    await terminal.until('At most');
    await terminal.press(keys.ctrlU, '$20', keys.ctrlS);
    await terminal.until('$20.00 per month');
    await terminal.press('e');
    await terminal.until('disabled');
    expect((await listed())[1]).toMatchObject({ amount: 10_000_000, enabled: false });
    await terminal.press('x');
    await terminal.until('Delete 1 limit');
    await terminal.press('y');
    await expect.poll(async () => (await listed()).length).toBe(1);
    terminal.close();
  });
});
