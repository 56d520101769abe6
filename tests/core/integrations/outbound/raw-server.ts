import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

export interface RawServer {
  port: number;
  url: string;
  sockets: Socket[];
  /** Whole request heads (and what came with them) in order of arrival. */
  received: string[];
  openCount(): number;
  close(): Promise<void>;
}

/** A server that responds with exactly the bytes a test gives; `response` is called once per request head on a socket. */
export async function startRawServer(
  response: (socket: Socket, index: number, head: string) => void,
  options: { onConnection?: (socket: Socket) => void; tls?: { key: string; cert: string } } = {},
): Promise<RawServer> {
  const sockets: Socket[] = [];
  const received: string[] = [];
  const onSocket = (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => {}); // resets are what these tests are about
    options.onConnection?.(socket);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        const bodyLength = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
        if (text.length < end + 4 + bodyLength) return;
        const head = text.slice(0, end + 4 + bodyLength);
        text = text.slice(head.length);
        received.push(head);
        response(socket, received.length - 1, head);
      }
    });
  };
  const server: Server = options.tls ? createTlsServer(options.tls, onSocket) : createServer(onSocket);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    sockets,
    received,
    openCount: () => sockets.filter((socket) => !socket.destroyed).length,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export function httpResponse(body: string, headers = ''): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
