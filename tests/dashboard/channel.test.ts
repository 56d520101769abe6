import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { json } from '../support/upstream-script.ts';
import { expectAttachedList } from './support/attached-list.ts';
import { type ConsoleBrowser, openConsoleBrowser, testPassword } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

/** From right to left. */
const hebrew = '\u05d1\u05e8\u05d5\u05db\u05d9\u05dd '.repeat(5).trim();

describe('the channel page', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    browser = await openConsoleBrowser(gateway.url);
    const { services } = gateway.app;
    const id = await gateway.addUser('carol', 0);
    await services.users.manage(systemActor, { id, action: 'promote' });
  });
  beforeEach(async () => {
    gateway.upstream.reset();
    await gateway.app.database.channels.destroy({ where: {} });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const channels = () => gateway.app.database.channels;
  const stored = async (name: string) => {
    const row = await channels().findOne({ where: { name }, raw: true, order: [['id', 'DESC']] });
    if (!row) throw new Error(`no channel ${name}`);
    return row;
  };
  const line = (page: Page, name: string) => page.getByRole('row').filter({ has: page.locator(`[title="${name}"]`) });
  const choose = async (page: Page, name: string, action: string) => {
    await page.getByRole('button', { name: `“${name}”的更多操作` }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  // The toast of the step before may still be on its way out.
  const toast = (page: Page, text: string | RegExp) =>
    page.locator('.fui-Toast').filter({ hasText: text }).last().waitFor();
  const undo = (page: Page, text: string) =>
    page.locator('.fui-Toast').filter({ hasText: text }).getByRole('button', { name: '撤销' }).click();

  async function addVaried(): Promise<void> {
    const add = async (input: Record<string, unknown>, measured: Record<string, unknown> = {}) => {
      const id = await gateway.addChannel(input);
      await channels().update(measured, { where: { id } });
    };
    const time = 1_790_000_000;
    await add(
      { name: '主渠道', tag: '生产', priority: 10, weight: 5, models: 'gpt-4o-mini,gpt-4o' },
      { response_time: 820, test_time: time, used_quota: 12_345_678, balance: 17.5, balance_updated_time: time },
    );
    await add(
      { name: 'Claude 备用', type: 14, tag: '生产', models: 'claude-sonnet-4-5', priority: 5 },
      {
        status: 3,
        response_time: 3400,
        test_time: time,
        other_info: JSON.stringify({ status_reason: '401 invalid x-api-key', status_time: time }),
      },
    );
    await add({ name: 'azure-eu', type: 3, models: 'gpt-4o' }, { status: 2 });
    await add(
      { name: 'gemini', type: 24, models: 'gemini-2.5-pro', group: 'default,vip,svip' },
      { response_time: 1800 },
    );
    await add({ name: 'vertex-with-a-name-that-is-long', models: 'gemini-2.5-flash' }, { response_time: 6200 });
  }

  it('G-008 G-042 G-043 G-044 G-049 G-124 G-125 shows every channel, finds and sorts them', async () => {
    await addVaried();
    const visit = await browser.visit({ as: 'root' });
    const { page } = visit;
    await visit.open('/channel');
    await line(page, '主渠道').waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'ID',
      '名称',
      '类型',
      '状态',
      '状况',
      '模型',
      '响应时间',
      '已用 / 余额',
      '优先级',
      '权重',
      '操作',
    ]);
    const texts = async (name: string) => (await line(page, name).textContent()) ?? '';
    expect(await texts('主渠道')).toMatch(/OpenAI.*已启用.*820 毫秒.*\$24.69.*\$17.50/);
    expect(await texts('azure-eu')).toMatch(/Azure OpenAI.*已禁用.*未测试/);
    expect(await texts('gemini')).toMatch(/gemini-2.5-pro.*1.8 秒/);
    expect(await texts('主渠道')).toContain('gpt-4o-mini+1');
    await line(page, '主渠道').locator('[title="gpt-4o-mini, gpt-4o"]').waitFor();
    await line(page, 'Claude 备用').getByText('自动禁用').hover();
    await page.getByRole('tooltip').filter({ hasText: '401 invalid x-api-key' }).waitFor();

    const names = () =>
      page.locator('[role=row] [title]').evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    await page.getByLabel('按 ID 排序').click();
    await page.waitForURL(/id_sort=true/);
    await expect.poll(async () => (await names())[0]).toBe('vertex-with-a-name-that-is-long');
    await page.getByPlaceholder('搜索 ID、名称或密钥').fill('gem');
    await page.getByRole('button', { name: '清空搜索' }).first().waitFor();
    await expect.poll(names).toContain('gemini');
    await expect.poll(async () => (await page.getByRole('row').count()) - 1).toBe(1);
    await page.getByPlaceholder('模型关键字').fill('no-such-model');
    await page.getByRole('button', { name: '清除筛选' }).click();
    await expect.poll(async () => (await page.getByRole('row').count()) - 1).toBe(5);

    // A name that begins at the right is cut at the left, where it ends.
    const { channels } = gateway.app.database;
    await channels.update({ name: hebrew }, { where: { name: 'gemini' } });
    await page.getByRole('button', { name: '刷新' }).click();
    const place = page.locator(`[title="${hebrew}"]`);
    await place.waitFor();
    const isInSight = await place.evaluate((box) => {
      const text = box.querySelector('a')?.firstChild as Text;
      const edge = box.getBoundingClientRect();
      return [0, text.length - 1].map((index) => {
        const letter = document.createRange();
        letter.setStart(text, index);
        letter.setEnd(text, index + 1);
        const { left, right } = letter.getBoundingClientRect();
        return left >= edge.left - 1 && right <= edge.right + 1;
      });
    });
    expect(isInSight).toEqual([true, false]);
    await channels.update({ name: 'gemini' }, { where: { name: hebrew } });
    await visit.close();
  });

  it('G-049 colors a response time by 1, 3 and 5 seconds, each still in the better color, and says of a tag whose tests failed', async () => {
    const times = [1000, 1001, 3000, 3001, 5000, 5001];
    for (const time of times) {
      const id = await gateway.addChannel({ name: `took ${time}` });
      await channels().update({ response_time: time, test_time: 1_790_000_000 }, { where: { id } });
    }
    for (const name of ['down 1', 'down 2']) {
      const id = await gateway.addChannel({ name, tag: 'down' });
      await channels().update({ response_time: 0, test_time: 1_790_000_000 }, { where: { id } });
    }
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/channel?tag_mode=true');
    const colorOf = async (time: number) => {
      const badge = line(page, `took ${time}`).locator('.fui-Badge').filter({ hasText: '秒' });
      return badge.evaluate((one) => getComputedStyle(one).backgroundColor);
    };
    const colors = await Promise.all(times.map(colorOf));
    const [green, lime, , yellow, , red] = colors;
    expect(colors).toEqual([green, lime, lime, yellow, yellow, red]);
    expect(new Set(colors).size).toBe(4);
    await page.getByRole('row').filter({ hasText: '2 / 2 启用' }).getByText('测试失败').waitFor();
    expectNoProblems();
    await close();
  });

  it('looks right and is accessible with channels', async () => {
    await addVaried();
    const visit = await browser.visit({ as: 'root' });
    await visit.inspectAll('/channel', 'channel');
    await visit.close();
  });

  it('looks right and is accessible with tags that open', async () => {
    await addVaried();
    const visit = await browser.visit({ as: 'root' });
    await visit.inspectAll('/channel?tag_mode=true', 'channel-tag', async (one, { language }) => {
      await one
        .getByRole('button', { name: language === 'zh' ? '标签“生产”的渠道' : 'Channels with the tag “生产”' })
        .click();
      // What the pointer happens to rest on explains itself, outside the page's landmarks.
      await one.mouse.move(0, 0);
      await expect.poll(() => one.locator('[role=tooltip]:visible').count()).toBe(0);
    });
    await visit.close();
  });

  it('G-050 G-065 G-066 G-067 G-150 G-236 adds a channel, says what is missing, and tests it', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/channel');
    await page.getByRole('button', { name: '添加渠道' }).first().click();
    await page.waitForURL(/\/channel\/add$/);
    const form = page.getByRole('dialog', { name: '添加渠道' });
    await form.getByRole('group', { name: '供应商' }).getByRole('button', { name: 'OpenAI', exact: true }).click();
    const name = form.getByRole('textbox', { name: /^名称/ });
    expect(await name.inputValue()).toBe('OpenAI');
    await name.fill('');
    await form.getByRole('button', { name: '创建', exact: true }).click();
    await form.getByText('请至少选择一个模型').first().waitFor();
    expect(await form.getByText('此项必填').count()).toBe(2);
    // One line names what is wrong, and goes there.
    const summary = form.getByRole('group').filter({ hasText: '请检查输入' });
    await summary.getByRole('button', { name: '名称', exact: true }).click();
    await expect.poll(() => name.evaluate((one) => one === document.activeElement)).toBe(true);

    await name.fill('新渠道');
    await form.getByLabel('API 地址').fill(`${gateway.upstream.url}/`);
    await form.getByRole('textbox', { name: /^密钥/ }).fill('upstream-key');
    await form.getByLabel('自定义模型名称').focus();
    await form.getByText(/已从供应商读取 \d+ 个模型/).waitFor();
    await form.getByRole('button', { name: '清除所有模型' }).click();
    await form.getByLabel('自定义模型名称').fill('gpt-4o-mini, my-model');
    await form.getByLabel('自定义模型名称').press('Enter');
    await form.getByLabel('自定义模型名称').fill('my-model');
    await form.getByRole('button', { name: '填入', exact: true }).click();
    await form.getByText('某些模型已存在！').waitFor();
    await form.getByRole('button', { name: '保存并测试' }).click();
    await toast(page, '渠道创建成功！');
    await toast(page, /渠道“新渠道”测试成功，耗时 [\d.]+ 秒/);
    await page.waitForURL(/\/channel$/);
    await line(page, '新渠道').waitFor();
    expect(await stored('新渠道')).toMatchObject({
      type: 1,
      base_url: gateway.upstream.url,
      models: 'gpt-4o-mini,my-model',
      group: 'default',
      auto_ban: 1,
      priority: 0,
      weight: 0,
      max_input_tokens: 0,
      status: 1,
    });
    expectNoProblems();
    await close();
  });

  it('A-136 G-051 G-052 G-053 G-054 G-055 G-056 G-057 G-058 G-059 G-060 G-061 G-062 G-305 G-309 asks what each type needs; one channel for each line of keys; models of the upstream', async () => {
    gateway.upstream.route('/v1/models', json(200, { object: 'list', data: [{ id: 'up-a' }, { id: 'up-b' }] }));
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/channel/add');
    const form = page.getByRole('dialog', { name: '添加渠道' });
    const pick = async (text: string, option: string) => {
      await form.getByLabel('类型').click();
      await form.getByLabel('类型').fill(text);
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await expect.poll(() => page.evaluate(() => localStorage.getItem('channel-models'))).toMatch(/"1":.*"gpt-4o-mini"/);
    await pick('azure', 'Azure OpenAI');
    expect(await form.getByLabel('默认 API 版本').getAttribute('placeholder')).toBe('2023-06-01-preview');
    await form.getByText('AZURE_OPENAI_ENDPOINT').waitFor();
    await pick('33', 'AWS Claude');
    await form.getByText('格式：Ak|Sk|Region', { exact: false }).waitFor();
    await pick('15', '百度文心千帆');
    await form.getByText('格式：APIKey|SecretKey', { exact: false }).waitFor();
    await pick('8', '自定义渠道');
    await form.getByLabel('完整地址').waitFor();
    await form.getByText(/可包含变量 \{model\}.*force_format/).waitFor();
    await pick('18', '讯飞星火认知');
    expect(await form.getByLabel('模型版本').getAttribute('placeholder')).toBe('v2.1');
    await pick('21', '知识库：AI Proxy');
    await form.getByLabel('知识库 ID').waitFor();
    await pick('22', '知识库：FastGPT');
    await form.getByLabel('私有部署地址').waitFor();
    await pick('cloudf', 'Cloudflare');
    await form.getByLabel('Account ID').waitFor();
    await pick('vertex', 'Vertex AI');
    await form.getByLabel('部署区域').waitFor();
    expect(await form.getByLabel('批量创建').count()).toBe(0);
    await pick('suno', 'Suno API');
    await form.getByRole('button', { name: /suno_music/ }).waitFor();
    await form.getByLabel('Suno 地址').waitFor();
    await form.getByText('填到 suno 路径之前', { exact: false }).waitFor();
    await form.getByRole('button', { name: '清除所有模型' }).click();
    await pick('openai', 'OpenAI');

    await form.getByRole('textbox', { name: /^名称/ }).fill('一批');
    await form.getByLabel('API 地址').fill(gateway.upstream.url);
    await form.getByRole('button', { name: '覆盖', exact: true }).click();
    await form.getByLabel('组织').fill('org-7');
    await form.getByLabel('批量创建').click();
    await form.getByLabel('密钥（每行一个）').fill('key-1\n\nkey-2\nkey-3');
    await form.getByRole('button', { name: '从供应商读取' }).click();
    const list = page.getByRole('dialog', { name: '上游提供的模型' });
    await list.getByLabel('up-b').click();
    await list.getByRole('button', { name: '使用所选 1 个' }).click();
    await form.getByRole('button', { name: '创建', exact: true }).click();
    await toast(page, '已创建 3 个渠道');
    const made = { name: '一批', models: 'up-b', openai_organization: 'org-7' };
    expect(await channels().count({ where: made })).toBe(3);
    expectNoProblems();
    await close();
  });

  it('G-062 reads the models by itself once there is a key; a refused key is marked with the reason', async () => {
    gateway.upstream.route('/v1/models', json(401, { error: { message: 'Incorrect API key provided' } }));
    const { page, open, expectNoProblems, close } = await browser.visit({
      as: 'root',
      language: 'en',
      expected: /fetch_models/,
    });
    await open('/channel/add');
    const form = page.getByRole('dialog', { name: 'Add channel' });
    await form.getByRole('button', { name: 'OpenAI', exact: true }).click();
    const key = form.getByRole('textbox', { name: /^Key/ });
    await expect.poll(() => key.evaluate((one) => one === document.activeElement)).toBe(true);
    await key.fill('sk-wrong');
    await form.getByLabel('Base URL').fill(gateway.upstream.url);
    await form.getByLabel('Base URL').press('Tab');
    await form
      .locator('.fui-Field', { has: page.locator('input[name=key]') })
      .getByText(/Incorrect API key provided/)
      .waitFor();

    const names = Array.from({ length: 14 }, (_none, i) => `model-${i}`);
    gateway.upstream.route('/v1/models', json(200, { object: 'list', data: names.map((id) => ({ id })) }));
    await key.fill('sk-right');
    await form.getByRole('textbox', { name: /^Name/ }).focus();
    await form.getByText('Models read from the provider: 14').waitFor();
    expect(await form.getByText(/Incorrect API key/).count()).toBe(0);
    await form.getByRole('button', { name: 'Show all (14)' }).click();
    await form.getByText('model-13', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/\/channel$/);
    expect(await stored('OpenAI')).toMatchObject({ type: 1, models: names.toSorted().join(',') });
    expectNoProblems();
    await close();
  });

  it('finds a type by its name, its number or a model, with all letters kept, by mouse and by keyboard', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/channel/add');
    const field = page.getByRole('combobox', { name: /^Type/ });
    const options = page.getByRole('option');
    for (const [typed, first] of [
      ['22', 'FastGPT knowledge base'],
      ['baidu', 'Baidu Wenxin'],
      ['gpt', 'OpenAI'],
      ['claude', 'Anthropic Claude'],
      ['moonshot', 'Moonshot'],
    ] as const) {
      await field.click();
      await field.press('ControlOrMeta+a');
      await field.pressSequentially(typed);
      expect(await field.inputValue()).toBe(typed);
      await expect.poll(() => options.first().textContent()).toBe(first);
      await field.press('Enter');
      expect(await field.inputValue()).toBe(first);
    }
    // What finds nothing says so, and Escape leaves the type and the form as they were.
    await field.click();
    await field.fill('no such type');
    await page.getByRole('option', { name: 'No matches' }).waitFor();
    await field.press('Escape');
    expect(await field.inputValue()).toBe('Moonshot');
    await page.getByRole('dialog', { name: 'Add channel' }).waitFor();
    expectNoProblems();
    await close();
  });

  it('names everything that is missing at once, also the key beside a missing name', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/channel/add');
    await page.getByRole('button', { name: 'Azure OpenAI', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    const summary = page.getByRole('dialog').locator('form').getByRole('group').first();
    await expect
      .poll(() => summary.getByRole('button').allTextContents())
      .toEqual(['Key', 'AZURE_OPENAI_ENDPOINT', 'Models']);
    expectNoProblems();
    await close();
  });

  it('opens its lists attached to their fields, on desks and on a phone', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en', isPhone: true });
    await open('/channel/add');
    await page.getByRole('button', { name: 'OpenAI', exact: true }).click();
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height });
      // Left empty, the models get a message that moves the groups further down.
      for (const name of [/^Type/, /^Models/, /^Groups/])
        await expectAttachedList(page, page.getByRole('combobox', { name }));
      expect(await page.evaluate(() => window.innerWidth)).toBe(width);
    }
    expectNoProblems();
    await close();
  });

  it('the form looks right and is accessible', async () => {
    const { inspectAll, close } = await browser.visit({ as: 'root' });
    await inspectAll('/channel/add', 'channel-gallery', (one) =>
      one.getByRole('button', { name: 'OpenAI', exact: true }).waitFor(),
    );
    await inspectAll('/channel/add', 'channel-editor', async (one, { language }) => {
      await one.getByRole('button', { name: 'OpenAI', exact: true }).click();
      for (const name of language === 'zh' ? ['路由', '覆盖', '限制'] : ['Routing', 'Overrides', 'Limits'])
        await one.getByRole('button', { name, exact: true }).click();
    });
    await close();
  });

  it('G-009 G-064 G-147 G-227 changes a channel; broken JSON is reported with its line and column; the key stays unless root says so', async () => {
    const id = await gateway.addChannel({ name: '旧', model_mapping: '{"a":"b"}' });
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open(`/channel?keyword=${id}`);
    const edit = page.getByRole('row').filter({ hasText: '旧' }).getByRole('button', { name: '编辑' });
    await edit.click();
    const form = page.getByRole('dialog', { name: '编辑渠道“旧”' });
    await expect.poll(() => form.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    // The label of the button that the mouse is on would take the key for itself.
    await page.getByRole('tooltip').waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await expect.poll(() => edit.evaluate((element) => element === document.activeElement)).toBe(true);
    await open(`/channel/edit/${id}?keyword=${id}`);
    await form.waitFor();
    expect(await form.getByLabel('密钥', { exact: true }).inputValue()).toBe('');
    await form.getByRole('button', { name: '保存', exact: true }).click();
    await toast(page, '没有任何修改！');
    await form.getByRole('button', { name: '覆盖', exact: true }).click();
    const mapping = form.getByLabel('模型映射', { exact: true });
    await form.getByRole('button', { name: '填入模板' }).first().click();
    expect(JSON.parse(await mapping.inputValue())).toEqual({ 'gpt-3.5-turbo': 'gpt-3.5-turbo-0125' });
    await mapping.fill('{\n  "a": "b",\n}');
    await form.getByRole('button', { name: '保存', exact: true }).click();
    await form.getByText('不是合法的 JSON：请检查第 3 行第 1 列').first().waitFor();
    await inspect('channel-json');
    await mapping.fill('{"gpt-4":"gpt-4o"}');
    await form.getByRole('button', { name: '格式化' }).first().click();
    expect(await mapping.inputValue()).toBe('{\n  "gpt-4": "gpt-4o"\n}');
    await form.getByRole('button', { name: '路由', exact: true }).click();
    await form.getByLabel('优先级').fill('1.5');
    await form.getByText('优先级必须是整数！').first().waitFor();
    await form.getByLabel('优先级').fill('7');
    await form.getByLabel('API 地址').fill(gateway.upstream.url.replace('127.0.0.1', 'localhost'));
    await form.getByRole('button', { name: '保存', exact: true }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: '保留已保存的密钥' }).click();
    await toast(page, '渠道更新成功！');
    await page.waitForURL(/\/channel\?keyword=/);
    expect(await stored('旧')).toMatchObject({ priority: 7, model_mapping: expect.stringContaining('gpt-4o') });
    await open('/channel/edit/999999');
    await toast(page, '渠道未找到，请刷新页面后重试。');
    await page.waitForURL(/\/channel$/);
    expectNoProblems();
    await close();
  });

  it('an admin who is not root has to enter the key again for a new address, and sees no key', async () => {
    const id = await gateway.addChannel({ name: 'moved' });
    const { page, open, close } = await browser.visit({ as: 'carol', language: 'en' });
    await open(`/channel/edit/${id}`);
    const form = page.getByRole('dialog', { name: 'Edit channel “moved”' });
    await form.getByLabel('Base URL').fill('https://other.example.com');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('The type, address, or proxy has changed', { exact: false }).first().waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
    await page.waitForURL(/\/channel$/);
    await page.getByRole('button', { name: 'More actions for “moved”' }).click();
    await page.getByRole('menuitem', { name: 'Test individual models' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Show key' }).count()).toBe(0);
    await close();
  });

  it('G-047 G-063 G-126 G-228 G-246 tests, switches, copies, reads the balance of and deletes a channel from its row', async () => {
    await gateway.addChannel({ name: '行', models: 'gpt-4o-mini,gpt-4o', priority: 3 });
    gateway.upstream.route(
      '/v1/dashboard/billing/subscription',
      json(200, { hard_limit_usd: 20, has_payment_method: true }),
    );
    gateway.upstream.route('/v1/dashboard/billing/usage', json(200, { total_usage: 250 }));
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/channel');
    await line(page, '行').getByRole('button', { name: '测试' }).click();
    await toast(page, '渠道“行”测试成功');
    gateway.upstream.respond(json(401, { error: { message: 'dead key' } }));
    await line(page, '行').getByRole('button', { name: '测试' }).click();
    await toast(page, /渠道“行”测试失败：.*dead key/);

    await choose(page, '行', '禁用');
    await line(page, '行').getByText('已禁用').waitFor();
    await undo(page, '渠道“行”已禁用');
    await line(page, '行').getByText('已启用').waitFor();

    await choose(page, '行', '更新余额');
    await toast(page, '渠道“行”的余额：$17.50');
    const priority = page.getByLabel('“行”的优先级');
    await priority.fill('abc');
    await priority.press('Enter');
    await toast(page, '优先级必须是整数！');
    await priority.fill('-5');
    await priority.press('Enter');
    await toast(page, '优先级已改为 -5');
    expect((await stored('行')).priority).toBe(-5);

    await choose(page, '行', '测试单个模型');
    const dialog = page.getByRole('dialog', { name: '测试“行”的模型' });
    await dialog.getByRole('button', { name: '测试全部 2 个' }).click();
    await expect.poll(() => dialog.getByText(/\d (毫)?秒/).count()).toBe(2);
    await inspect('channel-models');
    await dialog.getByRole('button', { name: '关闭' }).click();

    await page.route('**/api/channel/copy/*', (route) =>
      route.fulfill({ json: { success: false, message: '没有空间' } }),
    );
    await choose(page, '行', '复制');
    await toast(page, '渠道复制失败: 没有空间');
    await page.unroute('**/api/channel/copy/*');
    await choose(page, '行', '复制');
    await toast(page, '渠道复制成功');
    await choose(page, '行_copy', '删除');
    await page.getByRole('alertdialog').getByRole('button', { name: '删除渠道“行_copy”' }).click();
    await toast(page, '操作成功完成！');
    await expect.poll(() => channels().count()).toBe(1);
    expectNoProblems();
    await close();
  });

  it('root looks at a key with the own password', async () => {
    await gateway.addChannel({ name: '密', key: 'sk-upstream-secret' });
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/channel');
    await choose(page, '密', '查看密钥');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('您的密码').fill('wrong');
    await dialog.getByRole('button', { name: '显示密钥' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('您的密码').fill(testPassword);
    await dialog.getByRole('button', { name: '显示密钥' }).click();
    await expect.poll(() => dialog.getByLabel('密钥', { exact: true }).inputValue()).toBe('sk-upstream-secret');
    await inspect('channel-key');
    expectNoProblems();
    await close();
  });

  it('G-045 G-153 G-154 G-155 sets the tag of marked channels, switches and deletes them', async () => {
    for (const name of ['甲', '乙']) await gateway.addChannel({ name });
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/channel');
    await page.getByRole('button', { name: '批量设置标签' }).click();
    await toast(page, '请先选择要设置标签的渠道！');
    await page.getByRole('button', { name: '删除所选渠道' }).click();
    await toast(page, '请先选择要删除的通道！');
    await page.getByLabel('选择本页全部').click();
    await page.getByText('已选 2 项').waitFor();
    await page.getByRole('button', { name: '批量设置标签' }).click();
    const dialog = page.getByRole('dialog', { name: '为 2 个渠道设置标签' });
    await dialog.getByRole('button', { name: '设置标签' }).click();
    await dialog.getByText('标签不能为空！').waitFor();
    await dialog.getByLabel('标签').fill('组');
    await dialog.getByRole('button', { name: '设置标签' }).click();
    await toast(page, '已为 2 个渠道设置标签“组”');
    expect(await channels().count({ where: { tag: '组' } })).toBe(2);
    await page.getByRole('button', { name: '禁用所选渠道' }).click();
    await expect.poll(() => channels().count({ where: { status: 2 } })).toBe(2);
    await page.getByRole('button', { name: '删除所选渠道' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('textbox').fill('删除');
    await question.getByRole('button', { name: '删除所选渠道' }).click();
    await toast(page, '已删除 2 个渠道');
    await page.getByText('还没有渠道').waitFor();
    expectNoProblems();
    await close();
  });

  it('G-048 G-069 G-070 G-072 G-127 G-148 G-149 G-152 does to all channels of a tag what is done to the tag', async () => {
    await addVaried();
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/channel?tag_mode=true');
    await page.getByText('1 / 2 启用').waitFor();
    // Those without a tag are behind the tags.
    await line(page, 'azure-eu').waitFor();
    await choose(page, '生产', '启用全部');
    await page.getByText('2 / 2 启用').waitFor();
    await choose(page, '生产', '禁用全部');
    await page.getByText('0 / 2 启用').waitFor();
    const weight = page.getByLabel('“生产”的权重');
    await weight.fill('-1');
    await weight.press('Enter');
    await toast(page, '权重必须是非负整数！');
    await weight.fill('9');
    await weight.press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: '修改 2 个渠道' }).click();
    await expect.poll(() => channels().count({ where: { weight: 9 } })).toBe(2);

    await choose(page, '生产', '编辑标签');
    const form = page.getByRole('dialog', { name: '编辑标签“生产”' });
    await form.getByText('将修改 2 个渠道', { exact: false }).waitFor();
    await form.getByRole('button', { name: '保存' }).click();
    await toast(page, '没有任何修改！');
    await form.getByLabel('模型映射', { exact: true }).fill('{oops');
    await form.getByRole('button', { name: '保存' }).click();
    await form.getByText('模型映射必须是合法的 JSON 格式！').waitFor();
    await inspect('channel-tag-editor');
    await form.getByRole('button', { name: '填入模板' }).click();
    await form.getByLabel('标签名称').fill('');
    await form.getByRole('button', { name: '保存' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '解散标签' }).click();
    await toast(page, '已更新 2 个渠道');
    expect(await channels().count({ where: { tag: '' } })).toBe(5);
    expect((await stored('主渠道')).model_mapping).toContain('gpt-3.5-turbo-0125');
    expectNoProblems();
    await close();
  });

  it('does not overwrite, in a cell or for a whole tag, what another admin changed since the list was read', async () => {
    await addVaried();
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', expected: /409/ });
    await open('/channel');
    const priority = page.getByLabel('“gemini”的优先级');
    await priority.fill('3');
    const main = await stored('gemini');
    await channels().update({ priority: 7 }, { where: { id: main.id } });
    // Rows that are read again leave what is being typed as it is.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await priority.press('Enter');
    await toast(page, '已被修改：priority');
    await expect.poll(() => priority.inputValue()).toBe('7');
    expect((await stored('gemini')).priority).toBe(7);
    await priority.fill('4');
    await priority.press('Escape');
    expect(await priority.inputValue()).toBe('7');
    await priority.fill('4');
    await priority.press('Enter');
    await expect.poll(async () => (await stored('gemini')).priority).toBe(4);

    await open('/channel?tag_mode=true');
    await choose(page, '生产', '编辑标签');
    const form = page.getByRole('dialog', { name: '编辑标签“生产”' });
    await form.getByLabel('模型映射', { exact: true }).fill('{"a": "b"}');
    await gateway.addChannel({ name: '新来的', tag: '生产' });
    await form.getByRole('button', { name: '保存' }).click();
    const question = page.getByRole('alertdialog', { name: '其他用户修改了该标签下的渠道' });
    await question.getByRole('button', { name: '加载最新值' }).click();
    expect((await stored('主渠道')).model_mapping).toBe('');
    await form.getByText('将修改 3 个渠道', { exact: false }).waitFor();
    expect(await form.getByLabel('模型映射', { exact: true }).inputValue()).toBe('{"a": "b"}');
    await form.getByRole('button', { name: '保存' }).click();
    await toast(page, '已更新 3 个渠道');
    expect(await channels().count({ where: { model_mapping: '{"a": "b"}' } })).toBe(3);
    expectNoProblems();
    await close();
  });

  it('G-046 G-247 G-248 tests all channels with its progress, reads balances, repairs, deletes what is off', async () => {
    await gateway.addChannel({ name: '好' });
    await gateway.addChannel({ name: '坏', key: 'dead-key' });
    const off = await gateway.addChannel({ name: '关' });
    await channels().update({ status: 2 }, { where: { id: off } });
    gateway.upstream.always(({ headers }) =>
      headers.authorization === 'Bearer dead-key' ? json(401, { error: { message: 'no luck' } }) : 'openai/chat.json',
    );
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/channel');
    const chooseAll = async (action: string) => {
      await page.getByRole('button', { name: '全部渠道' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await chooseAll('测试所有渠道');
    await page.getByRole('alertdialog').getByRole('button', { name: '开始测试' }).click();
    await page.getByText('测试完成：共 3 个，已测试 3 个，失败 1 个。').waitFor();
    await page.getByText(/坏：.*no luck/).waitFor();
    await inspect('channel-test-all');
    await chooseAll('更新所有已启用渠道的余额');
    await page.getByText(/^更新完成：共 \d 个，已查询 \d 个，更新 \d 个，失败 \d 个。$/).waitFor();
    await chooseAll('修复数据库一致性');
    await page.getByRole('alertdialog').getByRole('button', { name: '开始修复' }).click();
    await toast(page, /已修复 \d+ 个通道！/);
    await chooseAll('删除所有禁用渠道');
    const question = page.getByRole('alertdialog');
    await question.getByRole('textbox').fill('删除');
    await question.getByRole('button', { name: '删除所有禁用渠道' }).click();
    await toast(page, '已删除所有禁用渠道，共计 1 个');
    expectNoProblems();
    await close();
  });

  it('follows the reading of balances, also after a reload, and reads the rows seldom meanwhile', async () => {
    for (let count = 1; count <= 12; count++) await gateway.addChannel({ name: `b${count}`, key: `key-${count}` });
    const slowly = {
      ...json(200, { hard_limit_usd: 9, has_payment_method: true, total_usage: 100 }),
      firstByteMs: 400,
    };
    gateway.upstream.always(({ headers }) =>
      headers.authorization === 'Bearer key-3' ? json(403, { error: { message: 'no luck' } }) : slowly,
    );
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/channel');
    let reads = 0;
    const begun = Date.now();
    page.on('request', (request) => {
      if (/api\/channel\/\?/.test(request.url())) reads++;
    });
    await page.getByRole('button', { name: '全部渠道' }).click();
    await page.getByRole('menuitem', { name: '更新所有已启用渠道的余额' }).click();
    await page.getByText(/已查询 \d+ \/ 12 个/).waitFor();
    await page.reload();
    await page.getByText(/已查询 \d+ \/ 12 个/).waitFor();
    await page.getByRole('progressbar').first().waitFor();
    await inspect('channel-balances');
    await page.getByText('更新完成：共 12 个，已查询 12 个，更新 11 个，失败 1 个。').waitFor({ timeout: 60_000 });
    await page.getByText(/b3：.*no luck/).waitFor();
    await expect.poll(() => line(page, 'b12').textContent()).toContain('$8.00');
    // Begun, reloaded, ended, and once in ten seconds: far fewer than channels, but a busy machine takes long.
    expect(reads).toBeLessThanOrEqual(5 + (Date.now() - begun) / 10_000);
    expectNoProblems();
    await close();
  });

  it('loses no click to the message of the field that is left by it', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    await open('/channel/add');
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'OpenAI', exact: true }).click();
    const name = page.locator('input[name=key]');
    const target = drawer.getByRole('switch', { name: '批量创建' });
    await name.focus();
    const place = () => target.boundingBox();
    const before = await place();
    if (!before) throw new Error('no switch');
    await page.mouse.move(before.x + before.width / 2, before.y + 2);
    await page.mouse.down();
    await page.waitForTimeout(500);
    expect(await place()).toEqual(before);
    await page.mouse.up();
    await drawer.locator('.fui-Field__validationMessage').first().waitFor();
    expect((await place())?.y).toBeGreaterThan(before.y);
    expect(await target.isChecked()).toBe(true);
    expectNoProblems();
    await close();
  });

  it('G-026 is not for users; says when it cannot be loaded, and tries again', async () => {
    const user = await browser.visit({ as: 'alice' });
    await user.open('/channel');
    expect(await user.page.locator('h1').textContent()).toBe('没有权限');
    await user.close();
    const { page, close } = await browser.visit({ as: 'root', expected: /api\/channel/ });
    let isBroken = true;
    await page.route('**/api/channel/?*', (route) =>
      isBroken ? route.fulfill({ status: 429, body: '' }) : route.continue(),
    );
    await page.goto('/channel');
    await page.getByText('请求次数过多，请稍后再试！').waitFor();
    isBroken = false;
    await page.getByRole('button', { name: '重试' }).click();
    await page.getByText('还没有渠道').waitFor();
    await close();
  });
});
