import type { Page } from 'playwright-core';

/** Collects hidden errors of a page. */
export function watchPage(page: Page, expected: RegExp = /^$/): { expectNone(): void } {
  const problems: string[] = [];
  const report = (problem: string) => {
    if (!expected.test(problem)) problems.push(problem);
  };
  page.on('console', (message) => {
    // The browser's own line about a refused call; the call itself is reported below.
    const isEcho = message.text().startsWith('Failed to load resource');
    // Of the style sheet that Fluent's slider brings; nothing here stands upright.
    const isOfSlider = message.text().includes("'slider-vertical'");
    if ((message.type() === 'error' || message.type() === 'warning') && !isEcho && !isOfSlider)
      report(
        `console: ${message.text()} (${message.location().url}:${message.location().lineNumber}:${message.location().columnNumber})`,
      );
  });
  page.on('pageerror', (error) => report(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left gives up its calls.
    if (reason !== 'net::ERR_ABORTED') report(`request: ${request.url()} ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) report(`answer: ${new URL(response.url()).pathname} ${response.status()}`);
  });
  return {
    expectNone() {
      if (problems.length > 0) throw new Error(`the browser reports:\n${problems.join('\n')}`);
    },
  };
}
