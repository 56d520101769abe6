import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { failure, sse } from '../support/upstream-script.ts';
import { expectAttachedList } from './support/attached-list.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const piece = (content: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_767_322_800,
  model: 'gpt-4o-mini',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
});

const markdown = [
  '# Binary search\n\n',
  'It halves the range **each time**:\n\n```python\ndef find(items, wanted):\n',
  '    low, high = 0, len(items)\n```\n\n| n | steps |\n|---|---|\n| 8 | 3 |\n\n',
  '![tracking](https://spy.example/x.png) <img src="https://spy.example/y.png">',
];

describe('the playground', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    await gateway.addChannel({ models: 'gpt-4o,claude-sonnet-4-5', groups: ['default', 'vip'] });
    await gateway.setOption('GroupRatio', '{"default":1,"vip":2}');
    await gateway.setOption('UserUsableGroups', '{"default":"默认分组","vip":"VIP 分组"}');
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const sent = () => gateway.upstream.requests.at(-1)?.json as Record<string, unknown>;

  it('G-011 looks right in every look, and a response shows first token, time, tokens and what was charged', async () => {
    const visit = await browser.visit({ as: 'alice' });
    const { page } = visit;
    await visit.open('/playground');
    await visit.inspect('playground-empty');
    gateway.upstream.respond(sse([...markdown.map(piece), '[DONE]'], { delayMs: 100 }));
    await page.getByRole('textbox', { name: '问题', exact: true }).fill('用 Python 写一个二分查找');
    await page.keyboard.press('Enter');
    const response = page.getByRole('article');
    await response.getByRole('heading', { name: 'Binary search' }).waitFor();
    await response.getByText(/首字 \d+ 毫秒 · 用时 [\d.]+ 毫?秒 · \d+ \+ \d+ token · 花费 \$0\.0/).waitFor();
    const [log] = await gateway.logs();
    const figures = (await response.textContent()) ?? '';
    expect(figures).toContain(`${log?.prompt_tokens} + ${log?.completion_tokens} token`);
    expect(figures).toContain(`花费 $${((log?.quota ?? 0) / 500_000).toFixed(8).replace(/0+$/, '')}`);
    expect(await response.locator('img').count()).toBe(0);

    await visit.inspectAll('/playground', 'playground', async (one, { language }) => {
      await one.getByRole('button', { name: language === 'zh' ? '对话记录' : 'Conversations' }).click();
      await one.getByRole('menuitem', { name: '用 Python 写一个二分查找' }).click();
      await one.getByRole('article').getByRole('table').waitFor();
    });
    await visit.close();
  });

  it('G-094 G-095 G-225 G-226 G-269 G-270 sends what the settings say, with the defaults of the specification', async () => {
    gateway.upstream.reset();
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/playground');
    let asked = 0;
    const ask = async (text: string) => {
      await page.getByRole('textbox', { name: 'Question', exact: true }).fill(text);
      await page.getByRole('button', { name: 'Send' }).click();
      asked += 1;
      // The response before has its buttons already: the call counts, and that nothing is to be stopped any more.
      await expect.poll(() => gateway.upstream.requests.length).toBe(asked);
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Regenerate' }).last().waitFor();
    };
    await ask('hello');
    expect(sent()).toMatchObject({
      model: 'gpt-4o-mini',
      temperature: 0,
      stream: true,
      messages: [{ role: 'user', content: 'hello' }],
    });
    expect(sent()).not.toHaveProperty('max_tokens');
    expect(sent()).not.toHaveProperty('group');

    const slider = page.getByRole('slider');
    expect(await slider.evaluate(({ min, max, step }: HTMLInputElement) => [min, max, step])).toEqual([
      '0.1',
      '1',
      '0.1',
    ]);
    await slider.press('ArrowRight');
    await page.getByLabel('Max tokens').fill('64');
    await page.getByLabel('System prompt').fill('Be brief.');
    await page.getByRole('combobox', { name: 'Group' }).click();
    await page.getByRole('option', { name: 'VIP 分组 (ratio 2)' }).click();
    await page.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('combobox', { name: 'Model' }).fill('4o');
    await page.getByRole('option', { name: 'gpt-4o', exact: true }).click();
    await ask('again');
    const body = sent();
    expect(body).toMatchObject({ model: 'gpt-4o', max_tokens: 64 });
    expect(body.temperature).toBeGreaterThanOrEqual(0.1);
    expect(body.temperature).toBeLessThanOrEqual(1);
    expect(body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: gateway.upstream.defaults.text },
      { role: 'user', content: 'again' },
    ]);
    const row = await gateway.app.database.logs.findOne({ where: { type: 2 }, order: [['id', 'DESC']], raw: true });
    expect(row).toMatchObject({ group: 'vip', token_name: 'playground-vip' });

    await page.getByRole('button', { name: 'Show as curl' }).click();
    const command = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
    expect(command).toContain('/v1/chat/completions');
    expect(command).toContain('"content": "Be brief."');
    expect(command).not.toContain('"group"');
    await page.keyboard.press('Escape');
    // All of it is there again after a reload.
    await open('/playground');
    expect(await page.getByLabel('System prompt').inputValue()).toBe('Be brief.');
    expectNoProblems();
    await close();
  });

  it('opens its lists attached to their fields, and finds a model by a part of its name', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/playground');
    const field = page.getByRole('combobox', { name: 'Model' });
    await expectAttachedList(page, field);
    await expectAttachedList(page, page.getByRole('combobox', { name: 'Group' }));
    await field.click();
    await field.press('ControlOrMeta+a');
    await field.pressSequentially('sonnet');
    expect(await field.inputValue()).toBe('sonnet');
    await field.press('Enter');
    expect(await field.inputValue()).toBe('claude-sonnet-4-5');
    expectNoProblems();
    await close();
  });

  it('G-096 stops in the middle and keeps what came, regenerates, and copies', async () => {
    gateway.upstream.reset();
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/playground');
    gateway.upstream.respond(
      sse(
        Array.from({ length: 400 }, (_, index) => piece(`word${index} `)),
        { delayMs: 50 },
      ),
    );
    await page.getByRole('button', { name: 'Explain in three sentences' }).click();
    await page.getByText('word3').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('article').getByText('Incomplete').waitFor();
    expect(await page.getByRole('article').textContent()).toContain('word3');
    await expect.poll(() => gateway.upstream.requests[0]?.aborted).toBe(true);

    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByText(gateway.upstream.defaults.text).waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    await page.getByRole('button', { name: 'Copy response' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(gateway.upstream.defaults.text);
    expectNoProblems();
    await close();
    await gateway.verifyBooks();
  });

  it('sends pictures along, and asks for the model a link names', async () => {
    gateway.upstream.reset();
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/playground?model=gpt-4o');
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await page.locator('input[type=file]').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: png });
    await page.getByRole('img', { name: 'Attached image' }).waitFor();
    await page.getByRole('textbox', { name: 'Question', exact: true }).fill('What is this?');
    await page.keyboard.press('Enter');
    await page.getByText(gateway.upstream.defaults.text).waitFor();
    expect(sent()).toMatchObject({
      model: 'gpt-4o',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
          ],
        },
      ],
    });
    await page.getByRole('button', { name: 'Conversations' }).click();
    await page.getByRole('menuitem', { name: 'Delete conversation' }).click();
    await page.getByText('Ask a model something').waitFor();
    await page.getByRole('button', { name: 'Undo' }).or(page.getByText('Undo')).first().click();
    await page.getByText('What is this?').waitFor();
    expectNoProblems();
    await close();
  });

  it('says what the server says when a call fails, and leads to the sign-in page when the session has ended', async () => {
    gateway.upstream.reset();
    gateway.upstream.always(() =>
      failure(400, { type: 'invalid_request_error', message: 'this model is not for you' }),
    );
    const { page, open, inspect, close } = await browser.visit({ as: 'alice', expected: /\/pg\/|401/ });
    await open('/playground');
    await page.getByRole('textbox', { name: '问题', exact: true }).fill('hi');
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('this model is not for you').waitFor();
    await inspect('playground-error');
    gateway.upstream.reset();
    await page.context().clearCookies();
    await page.getByRole('button', { name: '重新生成' }).click();
    await page.waitForURL(/\/login\?expired=true/);
    await close();
  });
});
