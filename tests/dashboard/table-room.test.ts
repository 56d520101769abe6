import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './support/console-browser.ts';
import { addLimits, fillShowcase } from './support/showcase.ts';
import { startConsoleGateway } from './support/start-console-gateway.ts';

/** Just below and above each width at which a list changes, and some that windows often have. */
const widths = [601, 800, 960, 1023, 1024, 1200, 1201, 1280, 1330, 1331, 1366, 1439, 1440];
const lists = ['/log?range=all', '/channel', '/user', '/redemption', '/midjourney', '/task', '/limit', '/pricing'];

describe('lists beside the navigation', () => {
  let gateway: TestGateway;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    gateway = await startConsoleGateway();
    await fillShowcase(gateway);
    await addLimits(gateway);
    browser = await openConsoleBrowser(gateway.url);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it.each(lists)('%s shows its columns without scrolling sideways, or cards', async (path) => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open(path);
    await page.getByRole('grid').waitFor();
    expect(await widthsThatScroll(page)).toEqual([]);
    expectNoProblems();
    await close();
  });

  it('prices stand beside each other where they have room, and below each other else; none is cut off', async () => {
    const { page, open, expectNoProblems, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/setting?tab=ratio');
    const table = page.getByRole('table', { name: 'Price table' });
    await table.waitFor();
    const found: (number | undefined)[] = [];
    for (const width of [390, 1024, 1200, 1270, 1280, 1366, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const beyond = (element: HTMLElement) => element.offsetWidth - (element.parentElement?.clientWidth ?? 0);
      found.push((await table.count()) === 0 ? undefined : await table.evaluate(beyond));
    }
    expect(found.map((beyond) => beyond === undefined || beyond <= 0)).not.toContain(false);
    expect(found.at(0)).toBeUndefined();
    expect(found.at(-3), 'on a window of 1280 px').toBe(0);
    expectNoProblems();
    await close();
  });

  it('has fields of one height beside switches, and switches begin where the fields above them do', async () => {
    const { page, open, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/channel');
    const group = page.getByRole('combobox', { name: 'Group' });
    const search = page.getByPlaceholder('Model keyword').locator('..');
    expect((await search.boundingBox())?.height).toBe((await group.boundingBox())?.height);
    // What is done with the list stands beside the first line of filters: the line is no higher for its switches, and with several lines it is the first.
    const refresh = page.getByRole('button', { name: 'Refresh' });
    const top = async () => ((await refresh.boundingBox())?.y ?? 0) - ((await search.boundingBox())?.y ?? 0);
    expect(await top()).toBe(0);
    await page.setViewportSize({ width: 1024, height: 900 });
    expect((await group.boundingBox())?.y).toBeGreaterThan((await search.boundingBox())?.y ?? 0);
    expect(await top()).toBe(0);
    await page.setViewportSize({ width: 390, height: 900 });
    // Of the two parts of a switch beside its field, the one that is seen.
    const indicator = page.getByRole('switch', { name: 'By tag' }).locator('xpath=../*[contains(@class, "indicator")]');
    const left = (await group.boundingBox())?.x ?? 0;
    expect(Math.abs(((await indicator.boundingBox())?.x ?? 0) - left)).toBeLessThanOrEqual(1);
    await close();
  });

  it('never leaves the switch of the log alone on a line', async () => {
    const { page, open, close } = await browser.visit({ as: 'root', language: 'en' });
    await open('/log?range=all');
    const live = page.getByRole('switch', { name: 'Live' });
    const fields = page.getByRole('toolbar').locator('select, input:not([role=switch]), button');
    for (const width of [1024, 1280, 1366, 1440, 1600, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const { y = 0, height = 0 } = (await live.boundingBox()) ?? {};
      const middle = y + height / 2;
      const boxes = await Promise.all((await fields.all()).map((field) => field.boundingBox()));
      expect(
        boxes.some((box) => box && box.y < middle && box.y + box.height > middle),
        `at ${width} px`,
      ).toBe(true);
    }
    // A field grows by nothing while it has the focus: what is pressed next stays where it is.
    await page.setViewportSize({ width: 1440, height: 900 });
    const group = page.getByRole('combobox', { name: 'Group' });
    const before = await group.boundingBox();
    await page.getByRole('combobox', { name: 'Username' }).fill('a');
    expect(await group.boundingBox()).toEqual(before);
    await close();
  });
});

async function widthsThatScroll(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const beyond = await page.locator('main').evaluate((main) => {
      const grid = main.querySelector('[role="grid"]');
      return grid ? grid.scrollWidth - (grid.parentElement?.clientWidth ?? 0) : 0;
    });
    if (beyond > 0) found.push(`${width}: ${beyond}`);
  }
  return found;
}
