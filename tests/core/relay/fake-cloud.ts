import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CloudCall {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface FakeCloud {
  url: string;
  calls: CloudCall[];
  close(): Promise<void>;
}

/** A server of a cloud that serves models; `response` is its behavior. */
export async function startFakeCloud(
  reply: (call: CloudCall, response: ServerResponse) => void | Promise<void>,
): Promise<FakeCloud> {
  const calls: CloudCall[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const call = { method, path, headers, body: await buffer(request) };
    calls.push(call);
    await reply(call, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, close };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** What AWS makes of a request: the signature it has to bear, computed from the bytes that arrived. */
export function expectedSignature({ method, path, headers, body }: CloudCall, secret: string): string {
  const { authorization = '' } = headers;
  const scope = /Credential=[^/]+\/([^,]+),/.exec(authorization)?.[1] ?? '';
  const names = (/SignedHeaders=([^,]+),/.exec(authorization)?.[1] ?? '').split(';');
  const [address = '', query = ''] = path.split('?');
  const canonical = [
    method,
    address.split('/').map(encodeURIComponent).join('/'),
    query,
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secret}`);
  return hmac(key, text).toString('hex');
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
