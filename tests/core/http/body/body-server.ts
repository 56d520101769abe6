import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll } from 'vitest';
import { BodyError } from '../../../../core/http/body/body-error.ts';

export interface ReceivedResponse {
  status: number;
  connection: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON the test's own handler made
  body: any;
}

export type Handler = (request: IncomingMessage, spoolDirectory: string) => Promise<unknown>;

/** A real server that responds with what the handler returns, or with the code and status of what it throws. */
export function bodyServer(initial?: Handler) {
  const state = { port: 0, spoolDirectory: '', handler: initial, failures: [] as unknown[] };
  const server = createServer(async (request, response) => {
    let status = 200;
    let body: unknown;
    try {
      body = await state.handler?.(request, state.spoolDirectory);
    } catch (error) {
      state.failures.push(error);
      status = error instanceof BodyError ? error.status : 500;
      body = error instanceof BodyError ? { code: error.code, text: error.message } : { code: String(error) };
      if (error instanceof BodyError && error.closeConnection) response.setHeader('connection', 'close');
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? null));
  });
  beforeAll(async () => {
    state.spoolDirectory = await mkdtemp(join(tmpdir(), 'tollgate-body-'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    state.port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(state.spoolDirectory, { recursive: true, force: true });
  });

  function post(body: Buffer | string | Buffer[], headers: Record<string, string> = {}): Promise<ReceivedResponse> {
    const pieces = Array.isArray(body) ? body : [Buffer.from(body)];
    return new Promise((resolve, reject) => {
      const request = sendRequest({ port: state.port, host: '127.0.0.1', method: 'POST', path: '/', agent: false });
      request.setHeader('content-type', 'application/json');
      if (!Array.isArray(body)) request.setHeader('content-length', pieces[0]?.length ?? 0);
      for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
      request.on('response', async (response) => {
        const text = (await readAll(response)).toString();
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, body: JSON.parse(text) });
      });
      request.on('error', reject);
      for (const piece of pieces) request.write(piece);
      request.end();
    });
  }

  /** Hands a raw socket to the test, and returns what came back until the server closed it. */
  function raw(drive: (socket: Socket) => void): Promise<string> {
    return new Promise((resolve) => {
      let response = '';
      const socket = connect(state.port, '127.0.0.1', () => drive(socket));
      socket.on('data', (chunk) => {
        response += chunk.toString();
      });
      // A reset while we still write is one of the ways a server closes; the response counts.
      socket.on('error', () => undefined).on('close', () => resolve(response));
    });
  }

  return { state, post, raw };
}

export async function readAll(source: Buffer | Readable): Promise<Buffer> {
  if (Buffer.isBuffer(source)) return source;
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
