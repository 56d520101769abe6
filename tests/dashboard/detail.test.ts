import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const hour = 3600;
const models = ['gpt-4o', 'claude-sonnet', 'gemini-pro', 'gpt-4o-mini', 'deepseek', 'qwen', 'kimi', 'glm', 'grok'];

describe('the usage page', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    browser = await openConsoleBrowser(gateway.url);
    await addUsage(gateway);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('G-018 G-175 shows users their own usage, how long their balance lasts, and the figures as a table', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/detail');
    // 9 models x 7 days x 36,000 quota are 4.54 dollars; 20 dollars last 30 days at this pace.
    await page.getByText('$4.54', { exact: true }).first().waitFor();
    await page.getByText('Will last about 30 days at the rate of the last 7 days').waitFor();
    expect(await page.getByRole('group', { name: 'Spend by user' }).count()).toBe(0);
    const share = page.getByRole('group', { name: 'Share of spend' });
    // Seven models by name, and the others.
    await expect.poll(() => share.getByRole('listitem').count()).toBe(8);
    await page.setViewportSize({ width: 700, height: 900 });
    // More hours than fit: the latest are in sight.
    const bars = page.locator('section[aria-label="Spend by model"]');
    await expect
      .poll(() => bars.evaluate((part) => part.scrollLeft + part.clientWidth - part.scrollWidth), { timeout: 20_000 })
      .toBeGreaterThanOrEqual(-1);
    expect(await bars.evaluate((part) => part.scrollLeft)).toBeGreaterThan(0);
    // Their scale stays in sight.
    const edge = await bars.evaluate((part) => part.getBoundingClientRect().left);
    const scale = bars.locator('svg[aria-hidden=true] .tick text').first();
    expect(await scale.textContent()).toMatch(/^\$/);
    expect(await scale.evaluate((text) => text.getBoundingClientRect().left)).toBeLessThan(edge + 64);
    expect(await scale.evaluate((text) => text.getBoundingClientRect().left)).toBeGreaterThanOrEqual(edge);
    await page.setViewportSize({ width: 1440, height: 900 });
    await share.getByRole('button', { name: 'Show “Share of spend” as a table' }).click();
    expect(await share.getByRole('row').count()).toBe(9); // the head, seven models, the others
    await share.getByRole('row', { name: 'Others' }).getByText('22.2%').waitFor();
    await share.getByRole('link', { name: 'gpt-4o', exact: true }).click();
    await page.waitForURL(/\/log\?.*model_name=gpt-4o/);
    expectNoProblems();
    await close();
  });

  it('a click on a bar leads to the log rows of its model and time', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await open('/detail?unit=day');
    const bars = page
      .getByRole('group', { name: '各模型消耗' })
      .locator('path[role=img], rect[role=img], [role=option]');
    await bars.first().waitFor();
    await bars.first().click();
    await page.waitForURL(/\/log\?/);
    const query = new URL(page.url()).searchParams;
    expect(query.get('type')).toBe('2');
    expect(models).toContain(query.get('model_name'));
    expect(Number(query.get('end')) - Number(query.get('start'))).toBe(24 * hour - 1);
    expectNoProblems();
    await close();
  });

  it('admins see all users or one user, and who spent most', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/detail');
    await page.getByText('$9.07', { exact: true }).first().waitFor();
    const users = page.getByRole('group', { name: '各用户消耗' });
    await expect.poll(() => users.getByRole('link').allTextContents()).toEqual(['alice', 'bob']);
    await page.getByRole('searchbox', { name: '用户名称' }).fill('bob');
    await page.getByText('$4.54', { exact: true }).first().waitFor();
    await page.waitForURL(/username=bob/);
    await page.getByRole('combobox', { name: '时间粒度' }).selectOption('按小时');
    expect(new URL(page.url()).search).toBe('?username=bob&unit=hour');
    await page.getByRole('searchbox', { name: '用户名称' }).fill('nobody');
    await page.getByText('这段时间内没有用量。').first().waitFor();
    expectNoProblems();
    await close();
  });

  it('compares every sum with the time before, for admins and users, in ranges of any length', async () => {
    const admin = await browser.visit({ as: 'root', language: 'en' });
    await admin.open('/detail?range=three');
    await admin.page.getByText('vs. previous 3 days').first().waitFor();
    // As much on each of the days.
    await expect.poll(() => admin.page.getByText('= 0%').count()).toBe(3);
    await admin.page.getByRole('combobox', { name: 'Time range' }).selectOption('Last 7 days');
    await expect.poll(() => admin.page.getByText('▲ new').count()).toBe(3);
    admin.expectNoProblems();
    await admin.close();
    const user = await browser.visit({ as: 'alice', language: 'en' });
    await user.open('/detail');
    for (const [range, compared] of [
      ['Last 90 days', 'vs. previous 90 days'],
      ['This month', 'vs. last month by now'],
      ['This week', 'vs. last week by now'],
      ['Today', 'vs. yesterday by now'],
    ] as const) {
      await user.page.getByRole('combobox', { name: 'Time range' }).selectOption(range);
      await expect.poll(() => user.page.getByText(compared).count()).toBe(3);
    }
    user.expectNoProblems();
    await user.close();
  });

  it('shows what prompt caches saved, by model, channel and user for admins and by model for users', async () => {
    const admin = await browser.visit({ as: 'root', language: 'en' });
    await admin.open('/detail');
    const card = admin.page.getByRole('group', { name: 'Prompt caches' });
    // Of 2 x 4,000 prompt tokens 2 x 3,000; at 5 quota units each 0.9 is saved: 13,500 each.
    await card.getByText("75% of the prompt tokens came from the providers' caches and saved $0.054.").waitFor();
    await card.getByRole('link', { name: 'gpt-4o', exact: true }).waitFor();
    await card.getByRole('tab', { name: 'Users' }).click();
    await card.getByText('75% cached · saved $0.027').first().waitFor();
    await expect.poll(() => card.getByRole('link').allTextContents()).toEqual(['alice', 'bob']);
    await card.getByRole('tab', { name: 'Channels' }).click();
    await card.getByRole('link', { name: '#7' }).click();
    await admin.page.waitForURL(/\/channel\/7/);
    await admin.close();
    const user = await browser.visit({ as: 'alice', language: 'en' });
    await user.open('/detail');
    const own = user.page.getByRole('group', { name: 'Prompt caches' });
    await own.getByText('75% cached · saved $0.027').waitFor();
    expect(await own.getByRole('tab').count()).toBe(0);
    user.expectNoProblems();
    await user.close();
  });

  it('says why a range cannot be read, and tries again', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    const refusal = JSON.stringify({ success: false, message: 'no' });
    await page.route('**/api/overview/self?*', (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body: refusal }),
    );
    await open('/detail');
    const alert = page.getByRole('alert');
    await alert.getByText('加载失败').waitFor();
    await page.unroute('**/api/overview/self?*');
    await alert.getByRole('button').first().click();
    await alert.waitFor({ state: 'detached' });
    expectNoProblems();
    await close();
  });

  it('looks right in every look and is accessible', async () => {
    const visit = await browser.visit({ as: 'root' });
    await visit.inspectAll('/detail?unit=day', 'detail', async (page, { language, width }) => {
      // The first picture of a card is that of its button.
      const share = page.getByRole('group', { name: language === 'zh' ? '消耗占比' : 'Share of spend' });
      await share.locator('svg').nth(1).waitFor();
      if (width < 600)
        await page
          .getByRole('group')
          .first()
          .evaluate((card) => card.scrollIntoView());
    });
    await visit.page.setViewportSize({ width: 1440, height: 2000 });
    await visit.inspect('detail-whole');
    await visit.close();
  });
});

const cachedUse = { cache_tokens: 3000, cache_ratio: 0.1, model_ratio: 5, group_ratio: 1 };

async function addUsage({ app, addUser, userId }: TestGateway): Promise<void> {
  const bob = await addUser('bob', 0);
  const now = Math.floor(Date.now() / 1000);
  // Within the last seven days of any clock: today's is this hour.
  const rows = [userId, bob].flatMap((user) =>
    Array.from({ length: 7 }, (_, day) =>
      models.map((model) => {
        const at = Math.floor((now - Math.min(day * 24, 6 * 24) * hour) / hour) * hour;
        return `(${user}, '${model}', ${at}, '${user === bob ? 'bob' : 'alice'}', 1500, 12, 36000)`;
      }),
    ).flat(),
  );
  await app.database.sequelize.query(
    `INSERT INTO usage_data (user_id, model_name, created_at, username, token_used, count, quota) VALUES ${rows.join(', ')}`,
  );
  await app.database.logs.bulkCreate(
    [
      { user_id: userId, username: 'alice' },
      { user_id: bob, username: 'bob' },
    ].map((user) => ({
      ...user,
      ...{ type: 2, created_at: now - hour, model_name: 'gpt-4o', channel_id: 7, quota: 36_000, content: '' },
      ...{ prompt_tokens: 4000, completion_tokens: 100, other: JSON.stringify(cachedUse) },
    })),
  );
}
