import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import { channelUpdateSchema } from '../../core/schemas/channel.ts';
import { userUpdateSchema } from '../../core/schemas/user.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser, testPassword } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const ended = 'Your session has ended';

describe('what was typed', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('into a search loses no letter while the first ones are searched for', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/user');
    await page.evaluate(typeWhenSearched, { searched: 'ali', typed: 'alic' });
    const search = page.getByRole('searchbox', { name: 'Search by ID, name or e-mail' });
    await search.fill('ali');
    await page.waitForURL(/keyword=alic$/);
    await search.press('e');
    expect(await search.inputValue()).toBe('alice');
    await page.waitForURL(/keyword=alice$/);
    expectNoProblems();
    await close();
  });

  it('into a search loses no letter either when a slow computer shows the first ones only after more were searched for', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/user');
    await page.evaluate(typeWhenSearched, { searched: 'ali', typed: 'alic' });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 8 });
    const search = page.getByRole('searchbox', { name: 'Search by ID, name or e-mail' });
    const shown = await search.evaluateHandle(everyValue);
    await search.fill('ali');
    await page.waitForURL(/keyword=alic$/);
    await page.getByRole('row').filter({ hasText: 'root' }).waitFor({ state: 'detached' });
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await page.waitForTimeout(500);
    const values = await shown.jsonValue();
    expect(values.slice(values.indexOf('alic'))).toEqual(['alic']);
    expectNoProblems();
    await close();
  });

  it('into a search in Chinese is searched for as a word, not as the letters it is written by', async () => {
    await gateway.addUser('xiaoming', 0);
    const { users } = gateway.app.database;
    await users.update({ display_name: '小明' }, { where: { username: 'xiaoming' } });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/user');
    const compose = await composer(page);
    await page.getByRole('searchbox', { name: 'Search by ID, name or e-mail' }).focus();
    for (const letters of ['x', 'xiao', 'xiaom']) {
      await compose(letters);
      await page.waitForTimeout(500);
    }
    expect(new URL(page.url()).search).toBe('');
    await page.keyboard.insertText('小明');
    await page.waitForURL((url) => url.searchParams.get('keyword') === '小明');
    await page.getByRole('row').filter({ hasText: 'xiaoming' }).waitFor();
    expectNoProblems();
    await close();
  });

  it('into a search and not searched for yet is no filter of the page that is opened next', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/redemption');
    await open('/user');
    await page.getByRole('searchbox', { name: 'Search by ID, name or e-mail' }).fill('ali');
    await page.getByRole('link', { name: 'Redemption codes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Redemption codes' }).waitFor();
    await page.waitForTimeout(600);
    expect(new URL(page.url()).search).toBe('');
    // It was searched for where it was typed.
    await page.goBack();
    await page.waitForURL(/\/user\?keyword=ali$/);
    expectNoProblems();
    await close();
  });

  it('is not sent by the Enter that takes a composed word', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/channel/edit/1');
    const compose = await composer(page);
    const model = page.getByRole('dialog').getByPlaceholder('Comma-separated names');
    await model.focus();
    await compose('ce shi');
    await page.keyboard.press('Enter');
    expect(await model.inputValue()).toBe('ce shi');
    expect(await page.getByRole('dialog').getByText('ce shi').count()).toBe(0);
    await open('/token');
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: /^Search pages/ });
    await search.waitFor();
    await compose('qu dao');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await search.inputValue()).toBe('qu dao');
    expect(new URL(page.url()).pathname).toBe('/token');
    expectNoProblems();
    await close();
  });

  it('into the box of a list is part of a save without Enter, and is on the list when the box is left', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    const stored = (key: string) => gateway.app.services.options.get(key as 'EmailDomainWhitelist');
    await open('/setting?tab=system&section=email');
    await page.locator('input[name=ServerAddress]').fill('https://gate.example.com');
    const domains = page.getByRole('textbox', { name: 'Allowed e-mail domains' });
    await domains.fill('example.com, example.org');
    await page.getByRole('button', { name: /^Save \d+ changes?$/ }).click();
    await expect
      .poll(() => stored('EmailDomainWhitelist'))
      .toEqual(expect.arrayContaining(['example.com', 'example.org']));
    expect(await domains.inputValue()).toBe('');
    await domains.fill('example.net');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: /^Save 1 change$/ }).click();
    await expect.poll(() => stored('EmailDomainWhitelist')).toContain('example.net');

    await open('/setting?tab=ratio&section=group');
    const group = page.getByRole('textbox', { name: 'Group ratio: new entry' });
    await group.fill('default');
    await page.keyboard.press('Tab');
    expect(await group.inputValue()).toBe('default');
    await group.fill('gold');
    await group.press('Tab');
    await page.getByRole('button', { name: /^Save 1 change$/ }).click();
    await expect.poll(() => stored('GroupRatio')).toMatchObject({ gold: 1 });
    expectNoProblems();
    await close();
  });

  it('into the box of models of a channel is part of a save, too, and asked about before the form closes', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/channel/edit/1');
    const form = page.getByRole('dialog', { name: /^Edit channel/ });
    const box = form.getByPlaceholder('Comma-separated names');
    await box.fill('model-in-the-box');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    await box.fill('n'.repeat(300));
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('A model name can have at most 255 characters.').waitFor();
    await box.fill('another-in-the-box');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    const { models } = await gateway.app.database.channels.findByPk(1, { rejectOnEmpty: true });
    expect(models.split(',')).toEqual(expect.arrayContaining(['model-in-the-box', 'another-in-the-box']));
    expectNoProblems();
    await close();
  });

  it('into the form of a channel does not overwrite what another user saved meanwhile, and stays beside it', async () => {
    const id = await gateway.addChannel({ name: 'shared', models: 'model-a', priority: 1 });
    const change = (fields: object) =>
      gateway.app.services.channels.update(systemActor, channelUpdateSchema.parse({ id, ...fields }));
    const stored = () => gateway.app.database.channels.findByPk(id, { raw: true });
    const { page, open, expectNoProblems, close } = await browser.visit({
      as: 'root',
      language: 'en',
      expected: /409/,
    });
    await open(`/channel/edit/${id}`);
    const form = page.getByRole('dialog', { name: /^Edit channel/ });
    await form.locator('input[name=name]').fill('mine');
    await change({ name: 'theirs', models: 'model-a,model-b' });
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'The same fields were changed in the meantime' });
    await question.getByText('Name is now: theirs').waitFor();
    await question.getByRole('button', { name: 'Load current values' }).click();
    await form.getByText('model-b', { exact: true }).waitFor();
    expect(await form.locator('input[name=name]').inputValue()).toBe('mine');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ name: 'mine', models: 'model-a,model-b' });

    // On the channel's own page, where the channel is read again behind the form.
    await open(`/channel/${id}?tab=settings`);
    await page.locator('input[name=name]').fill('mine again');
    await change({ name: 'theirs again' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await question.getByText('Name is now: theirs again').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.locator('input[name=name]').inputValue()).toBe('mine again');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await question.getByRole('button', { name: 'Load current values' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await stored())?.name).toBe('mine again');
    expectNoProblems();
    await close();
  });

  it('into the form of a user does not overwrite what another admin saved meanwhile', async () => {
    const id = await gateway.addUser('shared', 500_000);
    const stored = () => gateway.app.database.users.findByPk(id, { raw: true });
    const { page, open, expectNoProblems, close } = await browser.visit({
      as: 'root',
      language: 'en',
      expected: /409/,
    });
    await open(`/user/edit/${id}`);
    const form = page.getByRole('dialog');
    await form.locator('input[name=display_name]').fill('Mine');
    const change = userUpdateSchema.parse({ id, display_name: 'Theirs', email: 'theirs@example.com' });
    await gateway.app.services.users.update(systemActor, change);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'The same fields were changed in the meantime' });
    await question.getByText('Display name is now: Theirs').waitFor();
    await question.getByRole('button', { name: 'Load current values' }).click();
    await expect.poll(() => form.locator('input[name=email]').inputValue()).toBe('theirs@example.com');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ display_name: 'Mine', email: 'theirs@example.com', quota: 500_000 });
    expectNoProblems();
    await close();
  });

  it('into the form of a channel stays when the channel is tested from the same page', async () => {
    const { page, open, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/channel/1?tab=settings');
    await page.locator('input[name=name]').fill('typed before the test');
    const read = page.waitForResponse(/\/api\/channel\/1$/);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await read;
    await page.waitForTimeout(300);
    expect(await page.locator('input[name=name]').inputValue()).toBe('typed before the test');
    await close();
  });

  it.each(['click', 'Enter'])(
    'into a form is sent once, however often %s is pressed before the response',
    async (way) => {
      const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
      await open('/redemption');
      await page
        .getByRole('button', { name: /^(Add|Create)/ })
        .first()
        .click();
      const form = page.getByRole('dialog');
      const name = form.locator('input[name=name]');
      await name.fill(`once by ${way}`);
      let sent = 0;
      let respond = () => {};
      const isRead = new Promise<void>((resolve) => {
        respond = resolve;
      });
      await page.route('**/api/redemption/', async (route) => {
        if (route.request().method() === 'POST') {
          sent++;
          await isRead;
        }
        await route.continue();
      });
      const button = form.getByRole('button', { name: /^Create/ });
      if (way === 'click') await button.dblclick();
      for (let press = 0; press < 3 && way === 'Enter'; press++) await name.press('Enter');
      await expect.poll(() => sent).toBe(1);
      await page.waitForTimeout(300);
      respond();
      await page.getByText('Codes created.').first().waitFor();
      expect(sent).toBe(1);
      expect(await gateway.app.database.redemptions.count({ where: { name: `once by ${way}` } })).toBe(1);
      expectNoProblems();
      await close();
    },
  );

  it('into a form stands when the session ends, and is saved after a sign-in in another tab', async () => {
    const visit = await browser.visit({ as: 'alice', language: 'en', expected: /401/ });
    const { page, open, close } = visit;
    await open('/token');
    await page.getByRole('button', { name: 'Add token' }).click();
    const name = page.getByRole('dialog').locator('input[name=name]');
    await name.fill('kept');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: ended });
    await question.waitFor();
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      question.getByRole('button', { name: 'Sign in (new tab)' }).click(),
    ]);
    await signIn(other);
    await other.waitForURL(/\/token$/);
    await other.close();
    expect(await name.inputValue()).toBe('kept');
    expect(await toasts(page, 'your session has expired')).toBe(0);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const { tokens } = gateway.app.database;
    await expect.poll(() => tokens.count({ where: { name: 'kept' } })).toBe(1);
    await close();
  });

  it.each([
    { path: '/channel/edit/1', name: 'name' },
    { path: '/channel/1?tab=settings', name: 'name' },
    { path: '/user/edit/2', name: 'display_name' },
    { path: '/user/2?tab=settings', name: 'display_name' },
    { path: '/setting?tab=other', name: 'SystemName' },
  ])('into the form at $path stands when it cannot be saved because the session has ended', async ({ path, name }) => {
    const { page, open, close } = await browser.visit({ as: 'root', language: 'en', expected: /401/ });
    await open(path);
    const field = page.locator(`input[name="${name}"]`);
    await field.fill('kept');
    await page.context().clearCookies();
    await page.getByRole('button', { name: /^Save( 1 change)?$/ }).click();
    const question = page.getByRole('alertdialog', { name: ended });
    await question.waitFor();
    // What is read behind it meanwhile is refused as well.
    await page.waitForTimeout(500);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await field.inputValue()).toBe('kept');
    await close();
  });

  it('into a form stands when another tab finds that the session has ended', async () => {
    const { page, open, close } = await browser.visit({ as: 'alice', language: 'en', expected: /401/ });
    await open('/token');
    await page.getByRole('button', { name: 'Add token' }).click();
    const name = page.getByRole('dialog').locator('input[name=name]');
    await name.fill('kept too');
    await page.context().clearCookies();
    const other = await page.context().newPage();
    await other.goto('/token');
    await other.waitForURL(/\/login/);
    expect(await name.inputValue()).toBe('kept too');
    // Without a form in the way, the sign-in page comes.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await name.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.waitForURL(/\/login\?expired=true/);
    // The page says it; a toast that stays until it is closed would still say it after the sign-in.
    await signIn(page);
    await page.waitForURL(/\/token$/);
    await page.getByText('Signed in.').first().waitFor();
    expect(await toasts(page, 'your session has expired')).toBe(0);
    await other.close();
    await close();
  });

  it.each([1440, 390])(
    'into a drawer can be saved again, %i pixels wide: the toast that says why not stands above the button',
    async (width) => {
      const { page, open, close } = await browser.visit({ as: 'alice', language: 'en', width, expected: /503/ });
      await open('/token');
      await page.getByRole('button', { name: 'Add token' }).click();
      await page.getByRole('dialog').locator('input[name=name]').fill('twice');
      await page.route('**/api/token/', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 });
      const button = page.getByRole('button', { name: 'Create', exact: true });
      await button.click();
      await page.getByText('Error: the server did not respond (HTTP 503). Try again in a moment.').first().waitFor();
      await expect.poll(() => button.evaluate(isUncovered)).toBe(true);
      await button.click();
      await page.getByText('twice').first().waitFor();
      await close();
    },
  );
});

const toasts = (page: Page, text: string) => page.locator('.fui-Toast').filter({ hasText: text }).count();

async function signIn(page: Page): Promise<void> {
  await page.locator('input[name=username]').fill('alice');
  await page.locator('input[name=password]').fill(testPassword);
  await page.keyboard.press('Enter');
}

/** Types on in the moment in which a search has begun and the page does not show it yet. */
function typeWhenSearched({ searched, typed }: { searched: string; typed: string }): void {
  const replace = history.replaceState.bind(history);
  const setText = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  history.replaceState = (...change) => {
    replace(...change);
    const field = document.activeElement;
    if (!location.search.endsWith(`=${searched}`) || !(field instanceof HTMLInputElement)) return;
    setText?.call(field, typed);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
}

/** What a field shows from here on, frame by frame. */
function everyValue(field: Element): string[] {
  const shown: string[] = [];
  const look = () => {
    const { value } = field as HTMLInputElement;
    if (value !== shown.at(-1)) shown.push(value);
    requestAnimationFrame(look);
  };
  look();
  return shown;
}

function isUncovered(button: Element): boolean {
  const { x, y, width, height } = button.getBoundingClientRect();
  const corners = [0.1, 0.5, 0.9].map((part) => document.elementFromPoint(x + width * part, y + height / 2));
  return corners.every((top) => top !== null && button.contains(top));
}

/** Types letters as an input method shows them before a word is taken. */
async function composer(page: Page): Promise<(letters: string) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  return (text) =>
    session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
}
