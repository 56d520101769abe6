import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

interface ClientError extends Error {
  code?: string;
  /** The bytes that arrived last. */
  rawPacket?: unknown;
}

const sentences: Record<number, string> = {
  400: 'The request is not valid HTTP.',
  405: 'This server is no proxy.',
  408: 'The request did not arrive in time.',
  413: 'The chunks of the request carry too much beside their bytes.',
  414: 'The request line is longer than 8 KiB.',
  431: 'The headers of the request are larger than 16 KiB.',
  501: 'The method of the request is not known here.',
};

/**
 * A request that could not even be parsed: one short response, and the connection is over, because it is unknown where the next request
 * on it would begin.
 */
export function respondToClientError(error: ClientError, socket: Socket): void {
  // The response that is being written on this connection, node's own field; a second one in its middle would be read as a part of it.
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) socket.destroy(error);
  else refuseSocket(socket, statusOf(error, socket));
}

/** CONNECT asks for a tunnel; node gives it no response object. */
export function refuseTunnel(_request: unknown, socket: Socket): void {
  refuseSocket(socket, 405);
}

function refuseSocket(socket: Socket, status: number): void {
  const body = `${sentences[status] ?? sentences[400]}\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'referrer-policy: no-referrer',
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  // What the client still sends is not read: once the response is out, the connection is taken down.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function statusOf({ code = '', rawPacket }: ClientError, socket: Socket): number {
  const bytes = Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.alloc(0);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code === 'HPE_INVALID_METHOD') return /^[A-Z]+ /.test(bytes.toString('latin1', 0, 40)) ? 501 : 400;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  if (code !== 'HPE_HEADER_OVERFLOW') return 400;
  // The parser counts the request line as a header; the first packet shows which it was.
  const isFirst = bytes.length > 0 && socket.bytesRead === bytes.length;
  return isFirst && !bytes.includes('\n') ? 414 : 431;
}
