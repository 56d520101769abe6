import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../../dashboard/src/pages.ts';
import { addDrawings, unaskedUntil } from '../support/add-drawings.ts';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

const places = [
  ...pages.map(({ path }) => path.replace(':id', '1')).filter((path) => !path.includes(':')),
  // These tabs read figures of their own beside the state of their page.
  '/channel/1?tab=health',
  '/model/gpt-4o-mini?tab=health',
];

describe('a console tab that is left open', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    const ms = Date.now();
    // Work under way is what pages look at by themselves.
    await addDrawings(gateway.app.database, [
      {
        user_id: 1,
        channel_id: 1,
        prompt: 'a fox',
        mj_id: '1',
        status: 'IN_PROGRESS',
        progress: '45%',
        submit_time: ms,
      },
    ]);
    await gateway.app.database.sequelize.query(`INSERT INTO tasks (user_id, channel_id, platform, task_id, action, status, progress, submit_time, finish_time, properties)
      VALUES (1, 1, 'suno', 'task-1', 'MUSIC', 'IN_PROGRESS', '30%', ${Math.floor(ms / 1000)}, 0, '{}')`);
    await gateway.app.database.sequelize.query(`UPDATE tasks SET next_poll_at = ${unaskedUntil()}`);
    browser = await openConsoleBrowser(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  /** What a page reads after its first look has been read as well. */
  async function comeToRest(page: Page): Promise<void> {
    await page.clock.runFor(3000);
    await page.waitForLoadState('networkidle');
  }

  /** Calls of the API in a minute of the page's own clock, the responses being waited for on the way. */
  async function callsOfAMinute(page: Page): Promise<number> {
    let calls = 0;
    let finished = 0;
    const isCall = (address: string) => new URL(address).pathname.startsWith('/api/');
    const onRequest = (request: { url(): string }) => {
      if (isCall(request.url())) calls += 1;
    };
    const onEnd = (request: { url(): string }) => {
      if (isCall(request.url())) finished += 1;
    };
    page.on('request', onRequest);
    page.on('requestfinished', onEnd);
    // Short enough that every poll of less than ten seconds is seen, and gets a response, more than six times.
    for (let step = 0; step < 12; step += 1) {
      await page.clock.runFor(5000);
      while (finished < calls) await page.waitForEvent('requestfinished');
      await turn(page);
    }
    page.off('request', onRequest);
    page.off('requestfinished', onEnd);
    return calls;
  }

  /** The page has done what was in its queue, responses included; its timers do not run meanwhile. */
  async function turn(page: Page): Promise<void> {
    await page.evaluate(async () => {
      for (let turns = 0; turns < 10; turns += 1)
        await new Promise<void>((resolve) => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => resolve();
          channel.port2.postMessage(0);
        });
    });
  }

  async function hide(page: Page): Promise<void> {
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
  }

  it('makes at most six calls a minute on every page, and none while it is hidden', {
    timeout: 600_000,
  }, async () => {
    const { page, open, close } = await browser.visit({ as: 'root', expected: /./, setsClock: true });
    await page.clock.install();
    const counts: Record<string, number> = {};
    for (const place of places) {
      await open(place);
      await comeToRest(page);
      counts[place] = await callsOfAMinute(page);
    }
    expect(places.length).toBeGreaterThan(20);
    expect(Object.entries(counts).filter(([, calls]) => calls > 6)).toEqual([]);
    // The count counts: these two follow their work.
    for (const place of ['/midjourney', '/task'])
      expect(counts[place], `${place} of ${JSON.stringify(counts)}`).toBeGreaterThanOrEqual(3);
    await open('/task');
    await comeToRest(page);
    await hide(page);
    expect(await callsOfAMinute(page)).toBe(0);
    await close();
  });

  it('does not ask more often in Live mode, once nothing new has come for a minute', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', setsClock: true });
    await page.clock.install();
    await open('/log?live=true');
    await comeToRest(page);
    expect(await callsOfAMinute(page)).toBeLessThanOrEqual(20);
    expect(await callsOfAMinute(page)).toBeLessThanOrEqual(6);
    await gateway.chat();
    await expect
      .poll(async () => {
        await page.clock.runFor(3000);
        return page.getByRole('gridcell', { name: 'gpt-4o-mini', exact: true }).count();
      })
      .toBe(1);
    await hide(page);
    expect(await callsOfAMinute(page)).toBe(0);
    expectNoProblems();
    await close();
  });

  it('waits as long as it is asked to, keeps its rows, and goes on by itself', async () => {
    const { page, open, close } = await browser.visit({ as: 'root', language: 'en', expected: /429/, setsClock: true });
    await open('/task');
    await page.clock.install();
    let asked = 0;
    let isLimited = true;
    await page.route('**/api/task/**', (route) => {
      asked += 1;
      return isLimited
        ? route.fulfill({ status: 429, headers: { 'retry-after': '30' }, json: { success: false, message: '' } })
        : route.continue();
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Too many requests. The console will continue').waitFor();
    await page.clock.runFor(20_000);
    expect(asked).toBe(1);
    expect(await page.getByRole('gridcell', { name: 'task-1' }).or(page.getByText('task-1')).count()).toBeGreaterThan(
      0,
    );
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('.fui-Toast').count()).toBe(0);
    isLimited = false;
    await page.clock.runFor(12_000);
    await expect.poll(() => asked).toBeGreaterThan(1);
    await page.getByText('Too many requests. The console will continue').waitFor({ state: 'detached' });
    await close();
  });
});
