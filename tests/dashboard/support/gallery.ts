import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import type { TestGateway } from '../../support/start-gateway.ts';
import { type ConsoleBrowser, type Look, looks, openConsoleBrowser } from './console-browser.ts';
import { addLimits, fillShowcase } from './showcase.ts';
import { startConsoleGateway } from './start-console-gateway.ts';

/** `TOLLGATE_GALLERY=. npx vitest run ... gallery`: takes the pictures whose name matches the expression; nothing is asserted. */
const wanted = process.env.TOLLGATE_GALLERY ?? '';
const folder = join(import.meta.dirname, '../../../.screenshots/gallery');

export interface Picture {
  name: string;
  path: string;
  as?: string;
  /** Of what only stands over a page, two looks are enough. */
  looks?: Look[];
  /** Opens what is to be seen. */
  prepare?(page: Page, look: Look): Promise<void>;
  /** Before and after all looks. */
  begin?(): Promise<void>;
  end?(): Promise<void>;
}

type Prepare = NonNullable<Picture['prepare']>;

/** Chinese at a desk, English on a phone. */
export const twoLooks = [looks[0], looks[2]].filter((look) => look !== undefined);

/** What stands over a page. */
export function panel(name: string, path: string, as: Picture['as'], prepare: Prepare): Picture {
  return { name: `panel-${name}`, path, prepare, looks: twoLooks, ...(as && { as }) };
}

export const press = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name }).first().click();

/** An entry of a row's menu. */
export async function choose(page: Page, row: string, entry: RegExp): Promise<void> {
  await press(page, new RegExp(`^(“${row}”的更多操作|More actions for “${row}”)$`));
  await page.getByRole('menuitem', { name: entry }).click();
}

interface Stand {
  gateway: TestGateway;
  browser: ConsoleBrowser;
}

/** A year-old installation and its browser, for all pictures of a file; filled before the first of them. */
export function setUpShowcase(): Stand {
  const stand = {} as Stand;
  beforeAll(async () => {
    stand.gateway = await startConsoleGateway();
    await fillShowcase(stand.gateway);
    await addLimits(stand.gateway);
    stand.browser = await openConsoleBrowser(stand.gateway.url);
  });
  afterAll(async () => {
    await stand.browser?.close();
    await stand.gateway?.stop();
  });
  return stand;
}

/** One test for each picture that is wanted. */
export function takePictures(pictures: Picture[], stand: Stand): void {
  mkdirSync(folder, { recursive: true });
  const chosen = pictures.filter(({ name }) => new RegExp(wanted).test(name));
  it.each(chosen)('$name', { timeout: 120_000 }, async (picture) => {
    await picture.begin?.();
    const visit = await stand.browser.visit({ ...(picture.as && { as: picture.as }), expected: /./ });
    await visit.open(picture.path);
    for (const look of picture.looks ?? looks) {
      await visit.setLook(look);
      await picture.prepare?.(visit.page, look);
      await visit.page.waitForTimeout(400);
      await showWhole(visit.page, look.width);
      const file = `${picture.name}-${look.width}-${look.language}-${look.theme}.png`;
      await visit.page.screenshot({ path: join(folder, file) });
    }
    await visit.close();
    await picture.end?.();
  });
}

/** The window as high as what scrolls in it. */
async function showWhole(page: Page, width: number): Promise<void> {
  const height = await page.evaluate(() =>
    [...document.querySelectorAll('*')].reduce((max, one) => {
      const hidden = one.clientHeight > 200 ? one.scrollHeight - one.clientHeight : 0;
      return Math.max(max, hidden);
    }, 0),
  );
  if (height > 0) await page.setViewportSize({ width, height: Math.min(900 + height, 4000) });
  await page.waitForTimeout(150);
}
