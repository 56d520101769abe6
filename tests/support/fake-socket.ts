import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { type FakeResponse, type RecordedRequest, resolve, type Script } from './upstream-script.ts';

export interface Upgrade {
  message: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

const webSockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024 });

/** One call over a WebSocket as the fake upstream saw it: its body is the first message. */
export function recordUpgrade({ message, socket }: Upgrade): RecordedRequest {
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    body: Buffer.alloc(0),
    json: undefined,
    form: undefined,
    at: Date.now(),
    receivedBytes: 0,
    complete: false,
    aborted: false,
    closed: new Promise((done) => socket.on('close', () => done())),
  };
}

/** Responses without messages refuse the handshake over HTTP. A function is asked at the handshake, before the message is there. */
export function respondToUpgrade(upgrade: Upgrade, record: RecordedRequest, script: Script): void {
  const { message, socket, head } = upgrade;
  socket.on('error', () => undefined);
  const response = resolve(typeof script === 'function' ? script(record) : script);
  if (!response.socket) return void refuse(socket, response);
  webSockets.handleUpgrade(message, socket, head, (webSocket) => {
    let isOurEnd = false;
    webSocket.on('error', () => undefined);
    webSocket.on('close', () => {
      record.aborted = !isOurEnd;
    });
    webSocket.once('message', async (data: Buffer) => {
      Object.assign(record, { body: data, json: parse(data), receivedBytes: data.length, complete: true });
      isOurEnd = await converse(webSocket, response);
    });
  });
}

/** Whether it was ended from here. */
async function converse(webSocket: WebSocket, { socket, delayMs, firstByteMs, end }: FakeResponse): Promise<boolean> {
  const { messages: all = [], then: defaultValue = 1000 } = socket ?? {};
  // A socket is cut between messages: there is nothing in between.
  const [messages, then] = end ? [all.slice(0, -1), 'cut' as const] : [all, defaultValue];
  if (firstByteMs) await wait(firstByteMs);
  for (const [index, message] of messages.entries()) {
    if (index > 0 && delayMs) await wait(delayMs);
    webSocket.send(message);
  }
  if (then === 'stall') return false;
  if (then === 'cut') {
    // Only when all of it has left this process.
    await new Promise<void>((done) => webSocket.ping('', false, () => done()));
    webSocket.terminate();
  } else webSocket.close(then);
  return true;
}

async function refuse(socket: Duplex, { status = 200, headers = {}, body = Buffer.alloc(0), ...rest }: FakeResponse) {
  if (rest.stall) return;
  if (rest.raw) return void socket.end(rest.raw);
  const lines = Object.entries({ 'content-length': body.length, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} No\r\n${lines.join('\r\n')}\r\n\r\n`), body]));
}

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8'));
  } catch {
    return undefined; // not JSON: the bytes themselves are recorded
  }
}
