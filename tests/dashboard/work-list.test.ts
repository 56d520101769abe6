import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDrawings, unaskedUntil } from '../support/add-drawings.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const now = Math.floor(Date.now() / 1000);
const day = 86_400;

describe('the lists of drawings and tasks', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    browser = await openConsoleBrowser(gateway.url);
    // Pictures keep the vendor's address here: nothing forwards them.
    await gateway.setOption('MjForwardUrlEnabled', 'false');
    await addWork(gateway);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('G-019 G-090 G-138 G-139 G-140 G-141 G-268 drawings of 30 days stand with status, type and picture, found by their id', async () => {
    const { page, open, inspect, expectNoProblems, close } = await browser.visit({ as: 'alice' });
    await open('/midjourney');
    for (const text of ['成功', '执行中', '失败', '窗口等待', '绘图', '放大', '换脸', '平移'])
      await page.getByRole('gridcell', { name: text, exact: true }).waitFor();
    expect(await page.getByRole('gridcell', { name: 'mj-old', exact: true }).count()).toBe(0);
    expect(await page.getByRole('columnheader', { name: '渠道' }).count()).toBe(0);
    // Only what has a picture a page may show has a button for it.
    expect(await page.getByRole('button', { name: '查看图片' }).count()).toBe(1);
    await page.getByRole('button', { name: '查看图片 mj-1' }).click();
    await page.getByRole('dialog', { name: '绘图 mj-1' }).getByRole('img', { name: 'a red fox' }).waitFor();
    await inspect('midjourney-picture');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '“mj-3”的详情' }).click();
    await page.getByText('the prompt is banned').waitFor();
    await page.getByText('重复提交').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: '任务状态' }).selectOption('失败');
    await page.getByRole('gridcell', { name: 'mj-1', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: '类型' }).selectOption('绘图');
    await page.getByText('没有符合条件的内容').waitFor();
    await open('/midjourney');
    await page.getByRole('searchbox', { name: '任务 ID' }).fill('mj-2');
    await page.getByRole('gridcell', { name: 'mj-1', exact: true }).waitFor({ state: 'detached' });
    await open('/midjourney?range=all');
    await page.getByRole('gridcell', { name: 'mj-old', exact: true }).waitFor();
    expectNoProblems();
    await close();
  });

  it('G-020 G-139 G-142 G-143 G-266 G-268 tasks of today stand with status, platform and a red duration beyond a minute', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/task');
    for (const text of ['Submitting', 'Done', 'Queued', 'Music', 'Suno'])
      await page.getByRole('gridcell', { name: text, exact: true }).first().waitFor();
    expect(await page.getByRole('gridcell', { name: 't-old', exact: true }).count()).toBe(0);
    const colorOf = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((badge) => getComputedStyle(badge).color);
    expect(await colorOf('61 s')).not.toBe(await colorOf('60 s'));
    expect(await colorOf('60 s'), 'a quick end is not a good one').not.toBe(
      await page
        .getByRole('gridcell', { name: 'Done' })
        .getByText('Done')
        .first()
        .evaluate((badge) => getComputedStyle(badge).color),
    );
    await page.getByRole('button', { name: 'Details of “t-1”' }).click();
    await page.getByRole('dialog').getByText('a song about rain').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Lyrics');
    await page.getByRole('gridcell', { name: 't-1', exact: true }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?action=LYRICS');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed');
    await page.getByText('No matches').waitFor();
    expectNoProblems();
    await close();
  });

  it('G-091 admins see channel and user and find the work of one', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root' });
    for (const path of ['/midjourney', '/task']) {
      await open(path);
      await page.getByRole('columnheader', { name: '渠道' }).waitFor();
      await page.getByRole('gridcell', { name: 'alice', exact: true }).first().waitFor();
      await page.getByRole('searchbox', { name: '渠道 ID' }).fill('7');
      await page.getByRole('gridcell', { name: '#1', exact: true }).first().waitFor({ state: 'detached' });
      await page.getByRole('searchbox', { name: '用户名称' }).fill('nobody');
      await page.getByText('没有符合条件的内容').waitFor();
    }
    expectNoProblems();
    await close();
  });

  it('a task that is under way follows by itself until it is done', async () => {
    const { page, open, close } = await browser.visit({ as: 'alice', language: 'en' });
    await open('/task');
    await page.getByRole('gridcell', { name: 'Queued', exact: true }).waitFor();
    await gateway.app.database.sequelize.query(`UPDATE tasks SET status = 'FAILURE' WHERE task_id = 't-2'`);
    await page.getByRole('gridcell', { name: 'Failed', exact: true }).waitFor();
    await close();
  });

  it.each(['midjourney', 'task'])('look right in every look and are accessible: /%s', async (name) => {
    const visit = await browser.visit({ as: 'root' });
    await visit.inspectAll(`/${name}`, name);
    await visit.close();
  });
});

async function addWork({ app, userId, url }: TestGateway): Promise<void> {
  const { sequelize } = app.database;
  const ms = now * 1000;
  await addDrawings(app.database, [
    {
      user_id: userId,
      mj_id: 'mj-old',
      action: 'IMAGINE',
      status: 'SUCCESS',
      progress: '100%',
      channel_id: 1,
      prompt: 'a red fox',
      code: 1,
      image_url: '',
      fail_reason: '',
      submit_time: ms - 40 * day * 1000,
      finish_time: 0,
    },
    {
      user_id: userId,
      mj_id: 'mj-1',
      action: 'IMAGINE',
      status: 'SUCCESS',
      progress: '100%',
      channel_id: 1,
      prompt: 'a red fox',
      code: 1,
      image_url: `${url}/favicon.svg`,
      fail_reason: '',
      submit_time: ms - 200_000,
      finish_time: ms - 100_000,
    },
    {
      user_id: userId,
      mj_id: 'mj-2',
      action: 'UPSCALE',
      status: 'IN_PROGRESS',
      progress: '45%',
      channel_id: 1,
      prompt: 'a red fox',
      code: 1,
      image_url: '',
      fail_reason: '',
      submit_time: ms - 50_000,
      finish_time: 0,
    },
    {
      user_id: userId,
      mj_id: 'mj-3',
      action: 'SWAP_FACE',
      status: 'FAILURE',
      progress: '0%',
      channel_id: 1,
      prompt: 'a red fox',
      code: 22,
      image_url: '',
      fail_reason: 'the prompt is banned',
      submit_time: ms - 90_000,
      finish_time: ms - 60_000,
    },
    {
      user_id: userId,
      mj_id: 'mj-4',
      action: 'PAN',
      status: 'MODAL',
      progress: '0%',
      channel_id: 1,
      prompt: 'a red fox',
      code: 21,
      image_url: 'javascript:alert(1)',
      fail_reason: '',
      submit_time: ms - 40_000,
      finish_time: 0,
    },
  ]);
  // Of this day by any clock.
  const midnight = Math.floor(new Date().setHours(0, 0, 0, 0) / 1000);
  const tasks = [
    `'t-old', 'MUSIC', 'SUCCESS', '100%', ${midnight - 3600}, 0, ''`,
    `'t-1', 'MUSIC', 'SUCCESS', '100%', ${midnight + 1}, ${midnight + 62}, '{"input":"a song about rain"}'`,
    `'t-2', 'LYRICS', 'QUEUED', '', ${midnight + 1}, 0, ''`,
    `'t-3', 'LYRICS', '', '', ${midnight + 1}, 0, ''`,
    `'t-4', 'LYRICS', 'SUCCESS', '100%', ${midnight + 1}, ${midnight + 61}, ''`,
  ];
  await sequelize.query(`INSERT INTO tasks
    (user_id, channel_id, platform, task_id, action, status, progress, submit_time, finish_time, properties)
    VALUES ${tasks.map((task) => `(${userId}, 1, 'suno', ${task})`).join(', ')}`);
  await sequelize.query(`UPDATE tasks SET next_poll_at = ${unaskedUntil()}`);
}
