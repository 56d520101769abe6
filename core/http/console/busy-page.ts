import type { IncomingHttpHeaders } from 'node:http';
import type { AppError } from '../../errors/app-error.ts';
import { type Language, textIn } from '../../text/text.ts';

/** Whether a person sees the response as it is: an address typed, a link, a reload. */
export function isNavigation(method: string, headers: IncomingHttpHeaders): boolean {
  if (method !== 'GET') return false;
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? /^text\/html\b/.test(headers.accept ?? '') : mode === 'navigate';
}

/** What such a person gets in place of a page while too much is asked for. It runs nothing and loads nothing. */
export function busyPage(error: AppError, language: Language) {
  const seconds = error.retryAfterSeconds ?? 60;
  const title = textIn(language, 'notice', 'page.busy');
  const body = `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta http-equiv="refresh" content="${seconds}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
<p>${error.sentence(language)}</p>
<p>${textIn(language, 'notice', 'page.wait')}</p>
</html>
`;
  const headers = { 'content-type': 'text/html; charset=utf-8', 'retry-after': String(seconds) };
  return { status: error.status, headers, body };
}
