import type { IncomingMessage } from 'node:http';

/** The address of a request without its query. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const question = url.indexOf('?');
  return question < 0 ? url : url.slice(0, question);
}
