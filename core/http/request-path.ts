import type { IncomingMessage } from 'node:http';

/** The address of a request without its query. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const question = url.indexOf('?');
  return question < 0 ? url : url.slice(0, question);
}

/**
 * A client that takes this server for a proxy names the whole address (`GET http://host/v1/models`), which every server accepts (RFC
 * 9112, 3.2.2): from here on it is a path as any other. The host in it says as little as the header of that name.
 */
export function toOriginForm(incoming: IncomingMessage): void {
  const { url = '' } = incoming;
  if (url.startsWith('/')) return;
  const authority = /^https?:\/\/[^/?#]*/i.exec(url)?.[0];
  if (authority === undefined) return;
  const rest = url.slice(authority.length);
  incoming.url = rest.startsWith('/') ? rest : `/${rest}`;
}

const noQuery = new URLSearchParams();

export function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const question = url.indexOf('?');
  return question < 0 ? noQuery : new URLSearchParams(url.slice(question + 1));
}
