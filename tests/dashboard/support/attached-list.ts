import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Opens the list of a field: it has to stand directly below or above it, as wide as it, inside the window. */
export async function expectAttachedList(page: Page, field: Locator): Promise<void> {
  // The field that is left may get a message, which moves this one: the click comes when both stand still.
  await field.focus();
  await page.waitForTimeout(100);
  await field.click();
  const list = page.locator('.fui-Listbox').filter({ visible: true });
  await list.waitFor();
  const place = async () => {
    const [box, frame] = await Promise.all([list.boundingBox(), field.locator('..').boundingBox()]);
    const window = page.viewportSize();
    if (!box || !frame || !window) return 'gone';
    const isBeside = Math.abs(box.x - frame.x) > 1 || Math.abs(box.width - frame.width) > 1;
    const gap = box.y > frame.y ? box.y - (frame.y + frame.height) : frame.y - (box.y + box.height);
    if (isBeside || gap < 0 || gap > 8) return `list ${JSON.stringify(box)}, field ${JSON.stringify(frame)}`;
    return box.y < 0 || box.y + box.height > window.height || box.height > window.height / 2 ? 'too tall' : 'attached';
  };
  await expect.poll(place).toBe('attached');
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
}
