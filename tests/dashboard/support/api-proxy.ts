import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { consolePort } from './start-console-gateway.ts';

/** How the API responds to a page. */
export type ApiMode = 'plain' | 'limited' | 'gone' | 'broken' | 'refused' | 'slow' | 'ended' | 'empty';

export interface ApiProxy {
  url: string;
  mode: ApiMode;
  /** All calls that `slow` holds, and those to come, get this response. */
  release(as: ApiMode): void;
  close(): Promise<void>;
}

const refusals: Partial<Record<ApiMode, { status: number; message: string; headers?: Record<string, string> }>> = {
  limited: { status: 429, message: 'slow down', headers: { 'retry-after': '1' } },
  broken: { status: 500, message: 'it broke', headers: { 'x-request-id': 'broken-1' } },
  refused: { status: 403, message: '权限不足' },
  ended: { status: 401, message: 'no session' },
};
/** Not what a page is for: the frame's own. */
const ofShell = ['/api/status', '/api/notice'];

/**
 * Sits between the browser and a gateway and responds to pages in its place. The debugger's own interception would do the same,
 * but turns the browser's cache off: each page would load and compile the whole console.
 */
export async function startApiProxy(gatewayUrl: string): Promise<ApiProxy> {
  const held: (() => void)[] = [];
  const server = createServer((call, response) => void respond(call, response));

  async function respond(call: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (call.url ?? '').split('?')[0] ?? '';
    const isRead = call.method === 'GET' && path.startsWith('/api/') && !ofShell.includes(path);
    if (isRead && proxy.mode === 'slow') await new Promise<void>((resolve) => held.push(resolve));
    if (!isRead || proxy.mode === 'plain') return passOn(gatewayUrl, call, response);
    if (proxy.mode === 'gone') return void call.socket.destroy();
    if (proxy.mode === 'empty') return passOn(gatewayUrl, call, response, emptied);
    const { status = 500, message = '', headers = {} } = refusals[proxy.mode] ?? {};
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ success: false, message }));
  }

  server.listen(await consolePort(), '127.0.0.1');
  await once(server, 'listening');
  const proxy: ApiProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'plain',
    release(as) {
      proxy.mode = as;
      for (const go of held.splice(0)) go();
    },
    async close() {
      proxy.release('plain');
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

async function passOn(
  gatewayUrl: string,
  call: IncomingMessage,
  reply: ServerResponse,
  change?: (body: string) => string,
): Promise<void> {
  const headers = change ? { ...call.headers, 'accept-encoding': 'identity' } : call.headers;
  const onward = request(new URL(call.url ?? '/', gatewayUrl), { method: call.method, headers });
  // A page that is left takes its calls back.
  reply.on('close', () => onward.destroy());
  onward.on('error', () => reply.destroy());
  call.pipe(onward);
  const [response] = (await once(onward, 'response').catch(() => [])) as [IncomingMessage?];
  if (!response) return;
  if (!change) {
    reply.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(reply);
    return;
  }
  const body = change(await text(response));
  const { 'content-length': _, ...rest } = response.headers;
  reply.writeHead(response.statusCode ?? 502, rest);
  reply.end(body);
}

/** The true response with its lists emptied. */
function emptied(text: string): string {
  const body = JSON.parse(text) as { data?: unknown };
  if (Array.isArray(body.data)) body.data = [];
  else if (body.data && typeof body.data === 'object' && 'items' in body.data) {
    Object.assign(body.data, { items: [], total: 0 });
  }
  return JSON.stringify(body);
}
