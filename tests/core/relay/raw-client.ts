import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawCall {
  socket: Socket;
  /** All bytes that came back so far, as latin1. */
  text(): string;
  /** Resolves when the other side closed. */
  closed: Promise<void>;
}

/** A client that writes exactly the bytes it is given. */
export async function openRaw(url: string): Promise<RawCall> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  // A reset is one of the ways the other side may close.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  return { socket, text: () => text, closed };
}

export function chatHead(key: string, headers: Record<string, string | number> = {}): string {
  const lines = Object.entries({
    host: '127.0.0.1',
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return `POST /v1/chat/completions HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}
