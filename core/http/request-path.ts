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

/** What has a meaning of its own below Azure's folder: the model is in the path (`routes/deployment.ts`). */
const azurePath = /^\/openai\/(?!deployments(\/|$))(v1\/)?/;

/** Clients made for Azure have OpenAI's paths in a folder of their own, with the version or, before there was one, without. */
export function ownPathOf(path: string): string {
  return path.replace(azurePath, '/v1/');
}

/** From here on such a path is as any other. */
export function toOwnPath(incoming: IncomingMessage): void {
  if (incoming.url?.startsWith('/openai/')) incoming.url = ownPathOf(incoming.url);
}

const noQuery = new URLSearchParams();

export function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const question = url.indexOf('?');
  return question < 0 ? noQuery : new URLSearchParams(url.slice(question + 1));
}
