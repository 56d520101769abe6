import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

// The small build: it is compiled again in each page that is looked at.
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Invisible, or about to be: the empty region toasts come into, and the hint of a button that was used. */
const excluded = ['.fui-Toaster', '[role=tooltip]'];
/** Where Fluent catches the focus: hundreds in a list. Axe compares each element with each one that is excluded, but passes over what is not shown. */
const dummies = '[data-tabster-dummy]';
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe has against the page as it stands, one line for each rule and place. */
export async function axeFindings(page: Page): Promise<string[]> {
  // By the debugger's door: the page's own policy lets no foreign script in.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  return page.evaluate(
    async ({ exclude, values, unseen }) => {
      const { axe: runner } = window as unknown as { axe: typeof import('axe-core') };
      const hidden = [...document.querySelectorAll<HTMLElement>(unseen)];
      for (const { style } of hidden) style.display = 'none';
      const { violations } = await runner.run(
        { exclude },
        // Of what a rule has nothing against it need not describe each place. Only one rule that is not on reads style sheets.
        { runOnly: { type: 'tag', values }, resultTypes: ['violations'], preload: { assets: ['media'] } },
      );
      for (const { style } of hidden) style.display = '';
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary.replace(/\s+/g, ' ')}`,
        ),
      );
    },
    { exclude: excluded, values: rules, unseen: dummies },
  );
}
