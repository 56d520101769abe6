import type { IncomingMessage } from 'node:http';

/** The address of a request without its query. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const question = url.indexOf('?');
  return question < 0 ? url : url.slice(0, question);
}

const noQuery = new URLSearchParams();

export function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const question = url.indexOf('?');
  return question < 0 ? noQuery : new URLSearchParams(url.slice(question + 1));
}
