import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role, systemActor } from '../../../core/schemas/actor.ts';
import {
  type RedemptionCreate,
  redemptionCreateSchema,
  redemptionListSchema,
} from '../../../core/schemas/redemption.ts';
import { createTestInstallation, expectInside, keys, type TestInstallation } from '../../support/terminal.tsx';

let installation: TestInstallation;

beforeAll(async () => {
  installation = await createTestInstallation();
  const [used = ''] = await create({ name: '春节红包', quota: 500_000 });
  const root = { id: 1, name: 'root', role: role.root, address: '' };
  await installation.app.services.redemptions.redeem(root, used);
  await create({ name: 'spring', quota: 1_000_000, count: 12 });
});
afterAll(() => installation.remove());

const create = (fields: Partial<RedemptionCreate>) =>
  installation.app.services.redemptions.create(systemActor, redemptionCreateSchema.parse(fields));
const named = async (keyword: string) =>
  (await installation.app.services.redemptions.list(systemActor, redemptionListSchema.parse({ keyword }))).items;

describe('the list of codes', () => {
  it.each([
    [60, 16, 'en', 'Codes (13)', '✓ used'],
    [80, 24, 'zh', '兑换码 (13)', '✓ 已使用'],
    [140, 40, 'en', 'Codes (13)', '✓ used'],
  ] as const)(
    'fits into %i columns and %i rows (%s), each code masked',
    async (columns, rows, language, title, state) => {
      const [code] = await named('春节红包');
      const terminal = installation.open({ screen: 'redemption', columns, rows, language });
      await terminal.until(title);
      await terminal.press('G');
      await terminal.until(/> +1 +春节红包/);
      await terminal.until(state);
      expect(terminal.frame()).not.toContain(code?.key);
      expectInside(terminal, columns, rows);
      terminal.close();
    },
  );

  it('names who used a code, and shows all of one beside the list, masked, and whole on d', async () => {
    const [code] = await named('春节红包');
    const terminal = installation.open({ screen: 'redemption', columns: 140, rows: 40 });
    await terminal.press(`/status:used${keys.enter}`);
    await terminal.until('Codes (1)');
    await terminal.until(/✓ used .* root .*│/);
    await terminal.until(/│ Used by +root/);
    expect(terminal.frame()).not.toContain(code?.key);
    await terminal.press('d');
    await terminal.until(code?.key ?? 'no code');
    await terminal.until(/Used by +root/);
    terminal.close();
  });

  it('is narrowed by state and name, and names a wrong state', async () => {
    const terminal = installation.open({ screen: 'redemption', columns: 100 });
    await terminal.until('Codes (13)');
    await terminal.press(`/status:used${keys.enter}`);
    await terminal.until('Codes (1)');
    await terminal.press(keys.escape, `/spring${keys.enter}`);
    await terminal.until('Codes (12)');
    await terminal.press(keys.escape, `/status:lost${keys.enter}`);
    await terminal.until(/✗ .*unused, disabled, used, expired/);
    terminal.close();
  });
});

describe('what is done with codes', () => {
  it('makes a batch and shows the codes whole, a line each', async () => {
    const terminal = installation.open({ screen: 'redemption' });
    await terminal.until('Codes (13)');
    await terminal.press('n');
    await terminal.until('New codes');
    await terminal.press('圣诞', keys.tab, '$2', keys.tab, keys.ctrlU, '101', keys.ctrlS);
    await terminal.until(/✗ .*100/);
    await terminal.press(keys.ctrlU, '3', keys.ctrlS);
    const frame = await terminal.until('3 codes "圣诞", $2.00 each');
    const codes = await named('圣诞');
    expect(codes).toHaveLength(3);
    for (const { key, quota } of codes) {
      expect(frame).toMatch(new RegExp(`^ +${key}$`, 'm'));
      expect(quota).toBe(1_000_000);
    }
    await terminal.press(keys.escape);
    await terminal.until('Codes (16)');
    for (const { id } of codes) await installation.app.services.redemptions.remove(systemActor, id);
    terminal.close();
  });

  it('G-164 G-259 makes one code of $0.20 when nothing is typed, named by its worth', async () => {
    const terminal = installation.open({ screen: 'redemption', columns: 100 });
    await terminal.until('Codes (13)');
    await terminal.press('n');
    await terminal.until('New codes');
    await terminal.press(keys.tab);
    await terminal.until('empty for $0.20');
    await terminal.press(keys.ctrlS);
    await terminal.until('1 code "$0.20", $0.20');
    const codes = await named('$0.20');
    await terminal.press(keys.escape);
    await terminal.until('Codes (14)');
    expect(codes).toMatchObject([{ quota: 100_000 }]);
    for (const { id } of codes) await installation.app.services.redemptions.remove(systemActor, id);
    terminal.close();
  });

  it('says under each field what is wrong with it, in Chinese too', async () => {
    const terminal = installation.open({ screen: 'redemption', language: 'zh', columns: 100 });
    await terminal.until('兑换码 (13)');
    await terminal.press('n');
    await terminal.until('新建兑换码');
    // Without a name its worth becomes the name.
    await terminal.press(keys.tab, '0.5', keys.tab, keys.ctrlU, 'some', keys.tab, 'soon', keys.ctrlS);
    await terminal.until('额度“0.5”应为整数');
    await terminal.until('过期时间格式错误');
    expect(terminal.frame().match(/✗/g)).toHaveLength(3);
    terminal.close();
  });

  it('switches with a way back, and never a code that was used', async () => {
    const terminal = installation.open({ screen: 'redemption', columns: 100 });
    await terminal.until('Codes (13)');
    await terminal.press('e');
    await terminal.until(/code \d+ \(spring\) disabled {2}· u undo/);
    await terminal.until('○ disabled');
    await terminal.press('u');
    await terminal.until(/code \d+ \(spring\) enabled/);
    expect((await named('spring')).every(({ status }) => status === 1)).toBe(true);
    await terminal.press(`/status:used${keys.enter}`);
    await terminal.until('Codes (1)');
    for (const key of ['e', 'E']) {
      await terminal.press(key);
      await terminal.until('this redemption code has already been used');
    }
    terminal.close();
  });

  it('edits unused codes', async () => {
    const [code] = await create({ name: 'to edit', quota: 777_777 });
    const terminal = installation.open({ screen: 'redemption', columns: 100 });
    await terminal.press('/to edit', keys.enter);
    await terminal.until('Codes (1)');
    await terminal.press('E');
    await terminal.until('Code ');
    await terminal.press(keys.ctrlU, 'edited', keys.tab, keys.tab, '2020-01-01', keys.ctrlS);
    await terminal.until(/✗/);
    await terminal.press(keys.ctrlU, '30d', keys.ctrlS);
    await terminal.until(/code \d+ changed: edited/);
    const [edited] = await named('edited');
    expect(edited).toMatchObject({ key: code, quota: 777_777 });
    expect(edited?.expired_time).toBeGreaterThan(Date.now() / 1000);
    await terminal.press(keys.escape);
    await terminal.until('Codes (14)');
    await terminal.press('g', keys.enter);
    await terminal.until(code ?? 'no code');
    terminal.close();
    await installation.app.services.redemptions.remove(systemActor, edited?.id ?? 0);
  });

  it('renames a code that has expired and leaves the rest of it as it was', async () => {
    await create({ name: 'too late', quota: 333 });
    const past = "UPDATE redemptions SET expired_time = 1600000000 WHERE name = 'too late'";
    await installation.app.database.sequelize.query(past);
    const terminal = installation.open({ screen: 'redemption', columns: 100 });
    await terminal.press('/too late', keys.enter);
    await terminal.until('Codes (1)');
    await terminal.until('▲ expired');
    await terminal.press('E');
    await terminal.until('Code ');
    await terminal.press(keys.ctrlU, 'renamed', keys.ctrlS);
    await terminal.until(/code \d+ changed: renamed/);
    const [renamed] = await named('renamed');
    expect(renamed).toMatchObject({ quota: 333, expired_time: 1_600_000_000 });
    terminal.close();
    await installation.app.services.redemptions.remove(systemActor, renamed?.id ?? 0);
  });

  it('removes one after a question, and with X all that cannot be used any more', async () => {
    const terminal = installation.open({ screen: 'redemption', columns: 100 });
    await terminal.until('Codes (13)');
    await terminal.press('x');
    await terminal.until(/Delete 1 code: \d+ \(spring\) \(y\/N\)/);
    await terminal.press('y');
    await terminal.until('Codes (12)');
    await terminal.press('X');
    await terminal.until('Delete 1 code that is used, disabled, or expired (y/N)');
    await terminal.press('y');
    await terminal.until('1 code deleted');
    await terminal.until('Codes (11)');
    expect(await named('春节红包')).toHaveLength(0);
    terminal.close();
  });
});
