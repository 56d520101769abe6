import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';

describe('the token page', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startGateway('sqlite', { GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false' });
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('looks right in every look and is accessible', async () => {
    await gateway.addToken(gateway.userId, { name: '正式环境', remain_quota: 25_000_000, unlimited_quota: false });
    const visit = await browser.visit({ as: 'alice' });
    await visit.inspectAll('/token', 'token');
    expect(await visit.page.title()).toContain('Tokens');
    await visit.inspectAll('/token', 'token-editor', async (page, { language }) => {
      await page
        .getByRole('button', { name: language === 'zh' ? '添加令牌' : 'Add token' })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    });
    await visit.close();
  });
});
