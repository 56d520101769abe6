import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

let gateway: TestGateway;
let browser: ConsoleBrowser;

beforeAll(async () => {
  gateway = await startConsoleGateway();
  await gateway.addChannel({ models: 'claude-sonnet-4-5,dall-e-3,gpt-4o', groups: ['default', 'vip'] });
  await gateway.addChannel({ models: 'nobody-priced-this' });
  await gateway.setOption('GroupRatio', '{"default":1,"vip":2,"svip":6}');
  await gateway.setOption('UserUsableGroups', '{"default":"默认分组","vip":"VIP 分组","svip":"SVIP 分组"}');
  await gateway.setOption('ModelPrice', '{"dall-e-3":0.05}');
  await gateway.app.services.ledgerProofs.verify(systemActor);
  browser = await openConsoleBrowser(gateway.url);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

describe('a page whose scripts are slow to come', () => {
  it('shows a bar that moves until it is there', async () => {
    const { page, expectNoProblems, close } = await browser.visit({ language: 'en' });
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    let deliver = () => {};
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    await page.route('**/assets/*.js', (route) => delivered.then(() => route.continue()));
    await page.goto('/login', { waitUntil: 'commit' });
    const bars = () => page.locator('#root').evaluate((root) => root.getAnimations().length);
    await expect.poll(bars).toBe(1);
    deliver();
    await page.locator('h1').waitFor();
    expect(await bars()).toBe(0);
    expectNoProblems();
    await close();
  });
});

describe('a demo site', () => {
  it('says on every page that it is one', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ language: 'en' });
    const banner = page.getByRole('complementary').getByText('This site is a demo.');
    await gateway.setOption('DemoSiteEnabled', 'false');
    await open('/pricing');
    expect(await banner.count()).toBe(0);
    await gateway.setOption('DemoSiteEnabled', 'true');
    for (const path of ['/', '/pricing', '/login']) {
      await open(path);
      await banner.waitFor();
    }
    expectNoProblems();
    await inspect('demo-site');
    await gateway.setOption('DemoSiteEnabled', 'false');
    await close();
  });
});

describe('the pricing page', () => {
  it('names the group of the prices as the button above does, whatever its description is', async () => {
    const { page, open, close } = await browser.visit({ language: 'en' });
    await open('/pricing');
    await page.getByText('Prices for the group “default” with ratio 1.').waitFor();
    await close();
  });

  it('G-021 G-092 looks right in every look, signed out, and is accessible', async () => {
    const visit = await browser.visit();
    await visit.inspectAll('/pricing', 'pricing');
    expect(await visit.page.title()).toContain('Pricing');
    await visit.close();
  });

  it('G-093 A-243 shows billing, ratios, prices and groups of each model, at the ratio of the chosen group', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit();
    await open('/pricing');
    const line = (model: string) => page.getByRole('row').filter({ hasText: model });
    const mini = await line('gpt-4o-mini').textContent();
    // Model ratio 0.075, completion ratio 4: 0.15 and 0.60 dollars per million tokens.
    for (const text of ['按量计费', '$0.15', '$0.075', '$0.60', '模型倍率 0.075', '补全倍率 4', 'default']) {
      expect(mini).toContain(text);
    }
    // Where a price comes from is for administrators.
    expect(mini).not.toContain('内置价格');
    // What came from the cache costs half of the prompt.
    await page.getByRole('button', { name: '“gpt-4o-mini”的详情' }).click();
    await page.getByText('缓存命中').waitFor();
    await page.getByText('$0.075 / 1M', { exact: true }).waitFor();
    await page.getByRole('button', { name: '“gpt-4o-mini”的详情' }).click();
    const picture = await line('dall-e-3').textContent();
    for (const text of ['按次计费', '$0.05 / 次', 'vip']) expect(picture).toContain(text);
    expect(await line('nobody-priced-this').textContent()).toContain('尚未设置价格');

    await page.getByRole('button', { name: '每 1K token' }).click();
    expect(await line('gpt-4o-mini').textContent()).toContain('$0.00015');
    await page
      .getByRole('button', { name: /vip 2×/ })
      .first()
      .click();
    await expect.poll(() => line('gpt-4o-mini').count()).toBe(0);
    // 1.25 x 2 dollars x the group's 2, for a thousand tokens.
    expect(await line('gpt-4o').textContent()).toContain('$0.005');
    expect(new URL(page.url()).search).toBe('?group=vip');
    expectNoProblems();
    await inspect('pricing-group');
    await close();
  });

  it('finds models by name and kind of billing, says when nothing matches, and copies a name', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ language: 'en' });
    await open('/pricing');
    await page.getByPlaceholder('Search model names').fill('CLAUDE');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: 'Copy model name' }).click();
    await page.getByText('Copied: claude-sonnet-4-5').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('claude-sonnet-4-5');
    await open('/pricing?keyword=nothing-like-this');
    await page.getByText('No matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('dall-e-3').waitFor();
    await open('/pricing?kind=1');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expectNoProblems();
    await close();
  });
});

describe('the home page', () => {
  it('G-007 G-038 looks right in every look and shows how to make a first call', async () => {
    const visit = await browser.visit();
    await visit.inspectAll('/', 'home');
    await visit.open('/');
    const { page } = visit;
    expect(await page.getByRole('link', { name: 'Get an API key' }).getAttribute('href')).toBe('/register');
    await page.getByRole('button', { name: 'Copy base URL' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${gateway.url}/v1`);
    for (const [tab, words] of [
      ['Python', 'from openai import OpenAI'],
      ['Node.js', "import OpenAI from 'openai'"],
      ['curl', 'curl http'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await page.locator('pre').textContent()).toContain(words);
    }
    for (const [tab, words] of [
      ['Anthropic', `curl ${gateway.url}/v1/messages`],
      ['Gemini', `curl ${gateway.url}/v1beta/models/`],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await page.locator('pre').textContent()).toContain(words);
    }
    await page.getByRole('link', { name: 'See prices' }).click();
    await page.waitForURL(/\/pricing$/);
    visit.expectNoProblems();
    await visit.close();
  });

  it('shows visitors what is served at which price, and a receipt that is proved by the ledger', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ language: 'en' });
    await open('/');
    const receipt = page.getByRole('region', { name: 'What a request costs' });
    await receipt.getByText('claude-sonnet-4-5, an example').waitFor();
    // 3 and 15 dollars per million; of 3200 tokens 2400 came from the cache, at a tenth: 0.0024 + 0.00072 + 0.0096.
    expect(await receipt.getByRole('row', { name: 'Total' }).textContent()).toContain('$0.0127200');
    await receipt.getByText(/^Ledger proved (just now|\d+ min)/).waitFor();
    const models = page.getByRole('table', { name: 'Models and prices' });
    await models.getByRole('row').filter({ hasText: 'gpt-4o-mini' }).getByText('$0.60').waitFor();
    await page.getByRole('searchbox', { name: 'Search models' }).fill('DALL');
    await expect.poll(() => models.getByRole('row').count()).toBe(2);
    await models.getByText('$0.05 per request').waitFor();
    await page.getByRole('searchbox', { name: 'Search models' }).fill('no such model');
    await page.getByText('No model matches.').waitFor();
    expectNoProblems();
    await close();
  });

  it('shows root what is left to do, until all is done or it is dismissed', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/');
    const card = page.getByRole('region', { name: 'Get started' });
    await card.getByText('2 of 4 done').waitFor();
    expect(await card.getByRole('link').allTextContents()).toEqual(['Create an API key', 'Send a request']);
    await inspect('home-get-started');
    await card.getByRole('button', { name: 'Do not show again' }).click();
    await expect.poll(() => card.count()).toBe(0);
    await open('/');
    expect(await card.count()).toBe(0);
    expectNoProblems();
    await close();
  });
});

describe('the address of the server', () => {
  it('is the one in the browser’s bar until root sets another, wherever it is shown or copied', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    const inText = (text: string) => page.locator('main').getByText(text, { exact: true }).first().waitFor();
    const everywhere = async (address: string) => {
      await open('/home');
      expect(await page.locator('pre').first().textContent()).toContain(`${address}/v1/`);
      await open('/about');
      await inText(address);
      await open('/topup');
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Invitation link' }).inputValue())
        .toContain(`${address}/register?aff=`);
      await open('/setting?tab=system');
      await page.getByText(`The callback address is ${address}/oauth/github.`).waitFor();
    };
    await everywhere(gateway.url);
    const field = page.locator('input[name=ServerAddress]');
    const save = page.getByRole('button', { name: 'Save 1 change' });
    expect(await field.inputValue()).toBe('');
    expect(await field.getAttribute('placeholder')).toBe(gateway.url);
    await field.fill('https://gate.example.com');
    await save.click();
    await page.getByText('Settings saved').or(page.locator('.fui-Toast')).first().waitFor();
    await everywhere('https://gate.example.com');
    await field.fill('');
    await save.click();
    await expect.poll(() => gateway.app.services.options.get('ServerAddress')).toBe('');
    await everywhere(gateway.url);
    expectNoProblems();
    await close();
  });
});

describe('what the operator writes', () => {
  it('A-122 A-125 A-126 A-127 G-040 S16 B94 is shown as notice, home, about and footer, without anything that runs', async () => {
    const away = 'https://evil.example/';
    const harmful = [
      '<script>window.broken = 1</script><img src="x" onerror="window.broken = 1"><a href="javascript:1">x</a>',
      '<svg onload="window.broken = 1"></svg><iframe srcdoc="<script>parent.broken = 1</script>"></iframe>',
      `<meta http-equiv="refresh" content="0; url=${away}"><base href="${away}">`,
      `<form action="${away}"><input name="x"></form><b style="background: url(${away})">styled</b>`,
    ].join('');
    await gateway.setOption('HomePageContent', `## Welcome home ${harmful}`);
    await gateway.setOption('About', `**Run by us** ${harmful}`);
    await gateway.setOption('Footer', `<b>Our footer</b> ${harmful}`);
    await gateway.setOption('Notice', `Maintenance *tonight* ${harmful}`);
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({
      language: 'en',
      // The picture that is meant to fail.
      expected: /^answer: \/x 404$/,
    });
    await open('/');
    const dialog = page.getByRole('dialog', { name: 'Notice' });
    await dialog.getByText('tonight').waitFor();
    await inspect('notice');
    // The button of the notice leaves room for the name of the site on a phone, too.
    await page.setViewportSize({ width: 390, height: 900 });
    const cut = (name: HTMLElement) => name.scrollWidth - name.clientWidth;
    await expect.poll(() => page.locator('header').getByText('Tollgate').evaluate(cut)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'Welcome home' }).waitFor();
    await page.locator('footer').getByText('Our footer').waitFor();
    await open('/');
    await page.getByRole('button', { name: 'Notice' }).waitFor();
    expect(await dialog.count()).toBe(0);
    await page.getByRole('button', { name: 'Notice' }).click();
    await dialog.getByText('tonight').waitFor();
    await page.keyboard.press('Escape');
    await open('/about');
    await page.getByText('Run by us').waitFor();
    await inspect('about-own');
    expect(await page.evaluate(() => 'broken' in window)).toBe(false);
    expect(await page.locator('main script, main [onerror], a[href^="javascript"]').count()).toBe(0);
    const outside = 'main iframe, main form, main input, main [onload], main meta, base, [style*="evil"]';
    expect(await page.locator(outside).count()).toBe(0);
    expectNoProblems();
    await close();
    for (const key of ['HomePageContent', 'About', 'Footer', 'Notice']) await gateway.setOption(key, '');
  });

  it('S16 a lone address is shown in a frame that cannot reach the console', async () => {
    await gateway.setOption('About', 'https://about.example/page');
    const { page, open, close } = await browser.visit({ language: 'en', expected: /about\.example/ });
    await open('/about');
    const frame = page.locator('iframe[title="About"]');
    expect(await frame.getAttribute('src')).toBe('https://about.example/page');
    expect(await frame.getAttribute('sandbox')).not.toContain('allow-same-origin');
    await close();
    await gateway.setOption('About', '');
  });

  it('G-022 G-041 without it, about says what runs here, and the footer its version', async () => {
    const visit = await browser.visit();
    await visit.inspectAll('/about', 'about');
    expect(await visit.page.locator('footer').textContent()).toMatch(/Tollgate v\d/);
    await visit.close();
  });
});
