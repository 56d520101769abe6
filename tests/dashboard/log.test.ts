import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codedText } from '../../core/text/text.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const hour = 3600;
const now = Math.floor(Date.now() / 1000);

describe('the log page', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    browser = await openConsoleBrowser(gateway.url);
    await gateway.app.database.logs.bulkCreate(rowsOf(gateway.userId));
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('G-017 G-085 a row opens to its bill, line by line, with the formula and the request id to copy', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await open('/log');
    await page.getByRole('button', { name: '“gpt-4o”的详情' }).click();
    const receipt = page.getByRole('region', { name: /的账单$/ });
    await receipt.getByRole('row').first().waitFor();
    expect(await receipt.getByRole('row').allTextContents()).toEqual([
      '提示 token200 × 1200',
      '缓存命中 token1,000 × 0.5500',
      '补全 token300 × 41,200',
      '实际扣费1,900 单位$0.003800',
    ]);
    // G-263: (prompt + completion x ratio) x model ratio x group ratio / units of a dollar.
    await receipt.getByText('(200 + 1000 × 0.5 + 300 × 4) × 1.25 × 0.8 ÷ 500000').waitFor();
    expect(await receipt.getByText('尝试过的渠道').count()).toBe(0);
    await receipt.getByRole('button', { name: '复制请求 ID' }).click();
    await page.getByText('已复制到剪贴板').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('request-of-gpt-4o');
    await receipt.getByRole('button', { name: '复制为 JSON' }).click();
    await expect
      .poll(async () => JSON.parse(await page.evaluate(() => navigator.clipboard.readText())).other?.model_ratio)
      .toBe(1.25);
    // An imported row without a bill is computed from the figures it has.
    await page.getByRole('button', { name: '“old-model”的详情' }).click();
    await page.getByText('(100 + 50 × 2) × 2 × 1 ÷ 500000').waitFor();
    expectNoProblems();
    await close();
  });

  it('shows failed, cut off, slow and expensive requests at one press, and why one failed', async () => {
    const response = await gateway.chat({ model: 'no-such-model' });
    const failedId = response.headers.get('x-request-id') ?? '';
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/log');
    const chip = (name: string) => page.getByRole('group', { name: 'Show only' }).getByRole('button', { name });
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh' }).first().click();
        return page.getByRole('row').filter({ hasText: 'no-such-model' }).count();
      })
      .toBe(1);
    await chip('Errors').click();
    // The head, this one and the limited one.
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    // The reason is below the model, with the rest of the row for it; what is no model is no link.
    const limited = page.getByRole('row').filter({ hasText: 'limited-one' });
    const model = limited.getByRole('link', { name: 'limited-one' });
    expect(await model.getAttribute('href')).toBe('/model/limited-one');
    const [name, reason] = await Promise.all([model.boundingBox(), limited.getByText('Too many.').boundingBox()]);
    expect(reason?.y).toBeGreaterThanOrEqual((name?.y ?? 0) + (name?.height ?? 0) - 2);
    expect(Math.abs((reason?.x ?? 0) - (name?.x ?? 0))).toBeLessThan(2);
    expect(await page.getByRole('link', { name: 'no-such-model' }).count()).toBe(0);
    await page.getByRole('row').filter({ hasText: 'no-such-model' }).getByRole('button').first().click();
    await page.getByText(failedId).waitFor();
    await page.getByText(`${response.status} · relay.unknownModel`).waitFor();
    await inspect('log-errors');
    await chip('Errors').click();
    for (const name of ['Cut off', 'Slow', 'Expensive']) {
      await chip(name).click();
      await expect.poll(() => chip(name).getAttribute('aria-pressed')).toBe('true');
      await expect.poll(() => page.getByRole('row').filter({ hasText: 'no-such-model' }).count()).toBe(0);
      await chip(name).click();
    }
    expectNoProblems();
    await close();
  });

  it('G-086 G-087 admins see channels and users, the channels tried, and who a user is', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/log');
    await page.getByRole('button', { name: '“gpt-4o”的详情' }).click();
    const receipt = page.getByRole('region', { name: /的账单$/ });
    await receipt.getByText('尝试过的渠道').waitFor();
    expect(await receipt.getByRole('listitem').allTextContents()).toEqual([
      '#1 fake429812 毫秒',
      '#1 fake成功950 毫秒首字超时 13.5 秒：3 x 4.5 秒，即 100 次请求的 p99',
    ]);
    // What a receipt names is one press away, and so are the names in the list.
    const linksOf = (within: import('playwright-core').Locator) =>
      within
        .getByRole('definition')
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')]));
    expect(await linksOf(receipt)).toEqual([
      ['gpt-4o', '/model/gpt-4o'],
      ['alice', `/user/${gateway.userId}`],
      ['production', '/token/1'],
      ['#1 fake', '/channel/1'],
      ['default', '/limit?subject_kind=group&subject=default'],
    ]);
    const row = page.getByRole('row').filter({ hasText: 'gpt-4o' }).first();
    expect(await row.getByRole('link', { name: 'alice' }).getAttribute('href')).toBe(`/user/${gateway.userId}`);
    await receipt.getByRole('button', { name: '用户信息' }).click();
    await page.getByRole('dialog', { name: '用户信息' }).getByText('剩余额度').waitFor();
    await inspect('log-user');
    await page.getByRole('dialog').getByRole('button', { name: '关闭' }).click();
    await page.getByRole('combobox', { name: '用户名称' }).fill('nobody');
    await page.getByText('没有符合条件的内容').waitFor();
    await page.getByRole('button', { name: '清除筛选' }).click();
    await page.getByRole('gridcell', { name: 'gpt-4o', exact: true }).waitFor();
    expectNoProblems();
    await close();
    const own = await browser.visit({ as: 'alice' });
    await own.open('/log');
    expect(await own.page.getByRole('columnheader', { name: '渠道' }).count()).toBe(0);
    expect(await own.page.getByRole('combobox', { name: '用户名称' }).count()).toBe(0);
    await own.page.getByRole('button', { name: '“gpt-4o”的详情' }).click();
    const mine = own.page.getByRole('region', { name: /的账单$/ });
    await mine.getByText('request-of-gpt-4o').waitFor();
    expect((await linksOf(mine)).map(([, href]) => href)).toEqual(['/model/gpt-4o', '/token/1']);
    expect(await mine.getByRole('button', { name: '用户信息' }).count()).toBe(0);
    await own.close();
  });

  it('G-088 G-137 G-267 shows three days until asked for more; type, time and model are in the address', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await open('/log');
    await page.getByRole('gridcell', { name: 'gpt-4o', exact: true }).waitFor();
    expect(await page.getByRole('gridcell', { name: 'ancient-model', exact: true }).count()).toBe(0);
    await page.getByRole('combobox', { name: '时间范围' }).selectOption('全部时间');
    await page.getByRole('gridcell', { name: 'ancient-model', exact: true }).waitFor();
    await page.getByRole('combobox', { name: '类型' }).selectOption('充值');
    await page.getByRole('gridcell', { name: '兑换码 #7 充值', exact: true }).waitFor();
    // Amounts are money, in the row as in the receipt.
    await page.getByRole('combobox', { name: '类型' }).selectOption('管理');
    await page.getByRole('gridcell', { name: '管理员调整额度 +$2.00', exact: true }).waitFor();
    await page.getByRole('combobox', { name: '类型' }).selectOption('充值');
    expect(new URL(page.url()).search).toBe('?range=all&type=1');
    await open(`/log?start=${now - 200 * 24 * hour}&end=${now - 90 * 24 * hour}&model_name=ancient%25`);
    await page.getByRole('gridcell', { name: 'ancient-model', exact: true }).waitFor();
    expect(await page.getByLabel('开始时间').inputValue()).toMatch(/^\d{4}-\d\d-\d\dT/);
    await page.getByLabel('结束时间').fill('2001-01-01T00:00:00');
    await page.keyboard.press('Enter');
    await page.getByText('没有符合条件的内容').waitFor();
    // Whatever a link contains, the page stands.
    await open('/log?start=x&end=-1&range=never&type=99&p=0');
    expectNoProblems();
    await close();
  });

  it('G-264 G-265 the duration is green, orange from 101 s and red from 300 s on, the first token green, orange from 3 s on and not told from 10 s on', async () => {
    const timed = await gateway.addUser('timed', 0);
    const [row] = rowsOf(timed).filter(({ model_name }) => model_name === 'gpt-4o');
    const calls = [
      { seconds: 100, firstMs: 2900, tone: 'green', first: '2.9 秒' },
      { seconds: 101, firstMs: 3000, tone: 'orange', first: '3 秒' },
      { seconds: 299, firstMs: 9900, tone: 'orange', first: '9.9 秒' },
      { seconds: 300, firstMs: 10_000, tone: 'red', first: '' },
    ];
    await gateway.app.database.logs.bulkCreate(
      calls.map(({ seconds, firstMs }) => ({
        ...row,
        username: 'timed',
        request_id: `of-${seconds}`,
        use_time: seconds,
        other: JSON.stringify({ frt: firstMs, duration_ms: seconds * 1000 }),
      })),
    );
    const { page, open, close } = await browser.visit({ as: 'timed' });
    await open('/log');
    const hueOf = async (text: string) => {
      const color = await page.getByText(text, { exact: true }).evaluate((badge) => getComputedStyle(badge).color);
      const [red = 0, green = 0, blue = 0] = color.match(/\d+/g)?.map(Number) ?? [];
      if (green > red) return 'green';
      return green - blue < (red - blue) / 6 ? 'red' : 'orange';
    };
    for (const { seconds, tone } of calls) expect(await hueOf(`${seconds} 秒`), `${seconds}`).toBe(tone);
    for (const { tone, first } of calls.slice(0, 3)) expect(await hueOf(first), first).toBe(tone);
    expect(await page.getByText('10 秒', { exact: true }).count()).toBe(0);
    await close();
  });

  it('new rows come by themselves while the live switch is on, and all rows go into a file', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/log');
    await page.getByRole('switch', { name: 'Live' }).click();
    await page.getByRole('gridcell', { name: 'gpt-4o', exact: true }).waitFor();
    await gateway.chat();
    await page.getByRole('gridcell', { name: 'gpt-4o-mini', exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('log.csv');
    expect(readFileSync(await download.path(), 'utf8')).toContain('request-of-gpt-4o');
    expectNoProblems();
    await close();
  });

  it('shows a time of one’s own in full, AM or PM included, and no phone is too narrow for it', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/log?start=1790000000&end=1800000000');
    const [given = 0, needed = 1] = await page
      .locator('input[type=datetime-local]')
      .first()
      .evaluate((time: HTMLInputElement) => {
        const free = time.cloneNode() as HTMLInputElement;
        free.style.width = 'max-content';
        document.body.append(free);
        const widths = [time.offsetWidth, free.offsetWidth];
        free.remove();
        return widths;
      });
    expect(given).toBeGreaterThanOrEqual(needed);
    await page.setViewportSize({ width: 320, height: 900 });
    await open('/log?start=1790000000&end=1800000000');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    // What was added is said with its sum, not only what a request cost.
    await page.getByText('+$20.00', { exact: true }).waitFor();
    // Beside the navigation there is no more room than on a phone.
    await page.setViewportSize({ width: 640, height: 900 });
    await page.getByRole('navigation', { name: 'Main menu' }).waitFor();
    expect(await page.getByRole('grid').count()).toBe(0);
    expectNoProblems();
    await close();
  });

  it('shows the day of a row once that day is over, on a page that stayed open', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({
      as: 'root',
      language: 'en',
      setsClock: true,
    });
    await page.clock.install();
    await open('/log?type=2');
    const time = page
      .getByRole('row')
      .nth(1)
      .getByText(/^(\d\d \w+, )?\d\d:\d\d(:\d\d)?$/);
    expect(await time.textContent()).toMatch(/^\d\d:\d\d:\d\d$/);
    await page.clock.setSystemTime(Date.now() + 24 * hour * 1000);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => time.textContent()).toMatch(/^\d\d \w+, \d\d:\d\d$/);
    expectNoProblems();
    await close();
  });

  it('the keyboard goes through the rows: j and k move, Enter opens and closes', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/log?model_name=%25-model');
    await page.getByRole('gridcell', { name: 'slow-model', exact: true }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await page.keyboard.press('j');
    expect(await focused()).toBe('Details of “slow-model”');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused()).toBe('Details of “old-model”');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /^Receipt/ }).waitFor();
    await page.keyboard.press('k');
    expect(await focused()).toBe('Details of “slow-model”');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /^Receipt/ }).waitFor({ state: 'detached' });
    // In a field they are letters.
    await page.getByRole('combobox', { name: 'Token name' }).press('j');
    expect(await page.getByRole('combobox', { name: 'Token name' }).inputValue()).toBe('j');
    expectNoProblems();
    await close();
  });

  it('the keyboard goes by Tab through the bill of a row that is open, and out of the list', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/log?model_name=%25-model');
    await page.getByRole('gridcell', { name: 'slow-model', exact: true }).waitFor();
    await page.getByLabel('Rows per page').waitFor();
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      return focused();
    };
    const opener = 'Details of “slow-model”';
    // Of a closed row, the button does not keep the keyboard.
    expect(await press('j')).toBe(opener);
    expect(await press('Tab')).toBe('Rows per page');
    await page.getByRole('button', { name: opener }).click();
    const receipt = page.getByRole('region', { name: /^Receipt/ });
    await receipt.waitFor();
    const controls = await receipt.locator('a, button').allTextContents();
    expect(controls).toContain('Copy as JSON');
    for (const control of controls) expect(await press('Tab')).toBe(control);
    // From the last one to the next row, which j and k start from, too.
    expect(await press('Tab')).toContain('old-model');
    expect(await press('Tab')).toBe('Rows per page');
    await receipt.getByRole('button', { name: 'Copy as JSON' }).focus();
    expect(await press('j', 'k')).toBe(opener);
    await receipt.getByRole('button', { name: 'Copy as JSON' }).focus();
    expect(await press('Escape')).toBe(opener);
    expect(await press('Tab', 'Shift+Tab')).toBe(opener);
    // Back over the row to what is above the list.
    expect(await press('Shift+Tab', 'Shift+Tab')).toBe('Refresh');
    expectNoProblems();
    await close();
  });

  it('shows how each request ended, and finds by words; what is chosen stands in the address', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/log');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name }).first();
    await row('gpt-4o').getByText('200 OK').waitFor();
    await row('cut-one').getByText('200 Cut off').waitFor();
    await row('limited-one').getByText('429 Limited').waitFor();
    expect(await page.getByText('tested-one').count()).toBe(0);
    const search = page.getByRole('searchbox', { name: /^Request ID/ });
    await search.fill('user:alice model:limited-one channel:fake');
    await search.press('Enter');
    await page.waitForURL(/username=alice/);
    const query = new URL(page.url()).searchParams;
    expect(['username', 'model_name', 'channel'].map((name) => query.get(name))).toEqual(['alice', 'limited-one', '1']);
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    // Suggested while typing, from the names there are.
    await page.getByRole('combobox', { name: 'Username' }).fill('ali');
    await expect.poll(() => page.locator('datalist option[value=alice]').count()).toBe(1);
    await open('/log?type=9');
    await row('tested-one').getByText('Channel test').waitFor();
    await open('/log');
    await search.fill('request-of-gpt-4o');
    await search.press('Enter');
    await page.getByRole('region', { name: /^Receipt/ }).waitFor();
    expectNoProblems();
    await close();
  });

  it.each([1440, 1024])('cuts nothing and shows the cost at %i pixels', async (width) => {
    const { page, open, close } = await browser.visit({ as: 'root', language: 'en' });
    await page.setViewportSize({ width, height: 900 });
    await open('/log');
    await page.getByRole('row').filter({ hasText: 'claude-sonnet' }).waitFor();
    // On a small window the columns that matter less make room; how long it took and what it cost stay.
    expect(await page.getByRole('columnheader', { name: 'Token', exact: true }).count()).toBe(width === 1440 ? 1 : 0);
    expect(await page.getByText('150 s').count()).toBe(1);
    const cost = await page.getByRole('columnheader', { name: 'Cost' }).boundingBox();
    expect((cost?.x ?? width) + (cost?.width ?? 0)).toBeLessThanOrEqual(width);
    const cut = await page.getByRole('gridcell').evaluateAll((cells) =>
      cells
        .flatMap((cell) => [cell, ...cell.querySelectorAll('*')])
        .filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX === 'hidden')
        .map((part) => part.textContent),
    );
    if (width === 1440) expect(cut).toEqual([]);
    const heights = await page
      .getByRole('row')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    // Those that failed have a line more.
    expect(new Set(heights.slice(1).map(Math.round)).size).toBe(2);
    expect(Math.max(...heights.slice(1)) - Math.min(...heights.slice(1))).toBeLessThanOrEqual(20);
    await close();
  });

  it.each([1440, 1280, 1024])('keeps the cells of a row inside it at %i pixels', async (width) => {
    const { page, open, close } = await browser.visit({ as: 'root', language: 'en' });
    await page.setViewportSize({ width, height: 900 });
    await open('/log');
    const row = page.getByRole('row').filter({ hasText: 'claude-sonnet' });
    await row.waitFor();
    const sticksOut = await row.evaluate((line) => line.scrollWidth - line.clientWidth);
    expect(sticksOut).toBeLessThanOrEqual(1);
    await close();
  });

  it('gives long names of models the room that short names leave', async () => {
    const name = 'claude-sonnet-4-5-20250929';
    const [, row] = rowsOf(gateway.userId);
    await gateway.app.database.logs.create({ ...row, model_name: name, request_id: 'long-name' });
    const { page, open, close } = await browser.visit({ as: 'root', language: 'en' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await open('/log');
    const shown = page.getByRole('gridcell').getByTitle(name, { exact: true });
    await shown.waitFor();
    expect(await shown.evaluate((part) => part.scrollWidth - part.clientWidth)).toBeLessThanOrEqual(1);
    await page.setViewportSize({ width: 800, height: 900 });
    const site = page.getByRole('banner').getByText('Tollgate', { exact: true });
    expect(await site.evaluate((part) => part.scrollWidth - part.clientWidth)).toBeLessThanOrEqual(0);
    await page.getByRole('banner').getByRole('button', { name: 'Site' }).click();
    await page.getByRole('menuitem', { name: 'Pricing' }).click();
    await page.waitForURL('**/pricing');
    await close();
  });

  it('says where pages end in a log of more than ten thousand rows, instead of leading into an error', async () => {
    const { logs } = gateway.app.database;
    const long = Array.from({ length: 10_050 }, (_, index) => ({
      ...{ user_id: gateway.userId, username: 'alice', type: 2, model_name: 'long-log', quota: 1 },
      created_at: now - 40 * 24 * hour - index,
    }));
    for (let first = 0; first < long.length; first += 500) await logs.bulkCreate(long.slice(first, first + 500));
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/log?range=all&model_name=long-log&p=199');
    await page.getByText('9,901–9,950 of 10,000 or more', { exact: true }).waitFor();
    const next = page.getByRole('button', { name: 'Next page' });
    await next.click();
    await page.getByText('Pages end here. Narrow the list to see the rest. 9,951–10,000 of 10,000 or more').waitFor();
    expect(await next.getAttribute('aria-disabled')).toBe('true');
    expectNoProblems();
    await close();
    await logs.destroy({ where: { model_name: 'long-log' } });
  });

  it('says when the log cannot be read, and tries again', async () => {
    const { page, open, close } = await browser.visit({ as: 'alice', language: 'en', expected: /api\/log\/self/ });
    await page.route('**/api/log/self?*', (route) =>
      route.fulfill({ status: 429, json: { success: false, message: 'slow down' } }),
    );
    await open('/log');
    const alert = page.getByRole('alert').filter({ hasText: 'Too many requests. Try again later.' });
    const retry = alert.getByRole('button', { name: 'Retry' });
    // Beside the words where there is room, below them where there is none.
    const isBeside = async () => {
      const [words, button] = await Promise.all([alert.getByText('Loading failed').boundingBox(), retry.boundingBox()]);
      return words && button ? words.y > button.y - 1 && words.y < button.y + button.height : undefined;
    };
    await expect.poll(isBeside).toBe(true);
    await page.setViewportSize({ width: 390, height: 900 });
    await expect.poll(isBeside).toBe(false);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.unroute('**/api/log/self?*');
    await retry.click();
    await page.getByRole('gridcell', { name: 'gpt-4o', exact: true }).waitFor();
    await close();
  });

  it('looks right in every look and is accessible', async () => {
    const visit = await browser.visit({ as: 'root' });
    await visit.inspectAll('/log', 'log', async (page, { language }) => {
      const details = language === 'zh' ? '“gpt-4o”的详情' : 'Details of “gpt-4o”';
      await page.getByRole('button', { name: details }).last().click();
      await page.getByRole('region', { name: language === 'zh' ? /的账单$/ : /^Receipt/ }).waitFor();
    });
    await visit.close();
  });
});

function rowsOf(userId: number) {
  const call = {
    user_id: userId,
    username: 'alice',
    token_id: 1,
    token_name: 'production',
    channel_id: 1,
    group: 'default',
    type: 2,
    content: '',
    created_at: now - 60,
    use_time: 1,
    is_stream: true,
    quota: 1900,
    prompt_tokens: 1200,
    completion_tokens: 300,
    model_name: 'gpt-4o',
  };
  const rates = { modelRatio: 1.25, completionRatio: 4, cacheRatio: 0.5, groupRatio: 0.8, quotaPerUnit: 500_000 };
  const other = {
    model_ratio: 1.25,
    group_ratio: 0.8,
    completion_ratio: 4,
    model_price: -1,
    frt: 400,
    duration_ms: 1430,
    usage_source: 'upstream',
    outcome: 'complete',
    protocol: 'openai-chat',
    bill: { rates: { ...rates, source: 'builtin' }, usage: { prompt: 1200, completion: 300, cachedRead: 1000 } },
    admin_info: {
      use_channel: ['1', '1'],
      attempts: [
        { channel: 1, outcome: '429', ms: 812 },
        {
          channel: 1,
          outcome: 'ok',
          ms: 950,
          first_token: { ms: 13_500, source: 'measured', samples: 100, p99_ms: 4500, factor: 3 },
        },
      ],
    },
  };
  const row = (model: string, changed: object, record: object = other) => ({
    ...call,
    model_name: model,
    request_id: `request-of-${model}`,
    ...changed,
    other: JSON.stringify(record),
  });
  const plain = {
    type: 1,
    model_name: '',
    token_name: '',
    channel_id: 0,
    is_stream: false,
    prompt_tokens: 0,
    completion_tokens: 0,
  };
  return [
    row('ancient-model', { created_at: now - 100 * 24 * hour }),
    row('gpt-4o', {}),
    row('claude-sonnet', { use_time: 150, created_at: now - 120 }, { ...other, frt: 5000, duration_ms: 150_000 }),
    row('slow-model', { use_time: 400, created_at: now - 180 }, { ...other, frt: 20_000, duration_ms: 400_000 }),
    row(
      'old-model',
      { created_at: now - 240, quota: 400, is_stream: false, prompt_tokens: 100, completion_tokens: 50 },
      {
        model_ratio: 2,
        group_ratio: 1,
        completion_ratio: 2,
        model_price: -1,
        frt: -1000,
      },
    ),
    row('cut-one', { content: 'broken' }, { ...other, outcome: 'broken' }),
    row(
      'limited-one',
      { type: 5, quota: 0, content: 'Too many.' },
      { status: 429, outcome: 'limited', code: 'relay.rateLimited' },
    ),
    row('tested-one', { type: 9, quota: 0, user_id: 1, username: 'root', request_id: null }, { channel_test: true }),
    row(
      'redemption',
      { ...plain, quota: 500_000, content: codedText('notice', 'log.redeemed', { id: 7 }), created_at: now - 300 },
      {},
    ),
    row(
      'addition',
      {
        ...plain,
        type: 3,
        quota: 1_000_000,
        content: codedText('notice', 'log.adjusted', { amount: '+1000000' }),
        created_at: now - 420,
      },
      {},
    ),
    row(
      'note',
      {
        ...plain,
        type: 3,
        quota: 0,
        content: codedText('notice', 'log.adjustedNote', { amount: '+10000000', note: 'test' }),
        created_at: now - 360,
      },
      {},
    ),
  ];
}
