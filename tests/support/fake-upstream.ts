import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Busboy } from '@fastify/busboy';
import { drain } from './drain.ts';
import { recordUpgrade, respondToUpgrade } from './fake-socket.ts';
import { type OpenaiDefaults, openaiDefaults, respondLikeOpenai } from './openai-results.ts';
import { type FakeResponse, type RecordedForm, type RecordedRequest, resolve, type Script } from './upstream-script.ts';

export interface FakeUpstream {
  url: string;
  port: number;
  requests: RecordedRequest[];
  /** Text, usage and other numbers of the responses given when nothing is scripted; change them freely. */
  defaults: OpenaiDefaults;
  /** Queues responses, one per call, for any path. Queued ones go first, then `route`, then `always`, then the defaults. */
  respond(...scripts: Script[]): void;
  always(script: Script | undefined): void;
  /** A response for every call whose path, without its query, is this one. */
  route(path: string, script: Script): void;
  /** Forgets scripts and recorded calls. */
  reset(): void;
  /** Waits until so many calls have arrived (their headers, not their bodies). */
  waitForRequests(count: number, timeoutMs?: number): Promise<RecordedRequest[]>;
  openSockets(): number;
  close(): Promise<void>;
}

/** An upstream on loopback that responds like OpenAI, until a test tells it how to misbehave. */
export async function startFakeUpstream(): Promise<FakeUpstream> {
  const requests: RecordedRequest[] = [];
  const queue: Script[] = [];
  const routes = new Map<string, Script>();
  const sockets = new Set<Socket>();
  const defaults = openaiDefaults();
  let fallback: Script | undefined;

  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => {
    const { record, finished } = recordRequest(message, response);
    requests.push(record);
    const script = nextScript(record);
    void finished
      .then(() => deliver(resolve(typeof script === 'function' ? script(record) : script), message, response))
      // A caller that left, or a broken script; either way this call is over and the test sees it.
      .catch(() => message.socket.destroy());
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('upgrade', (message, socket, head) => {
    const upgrade = { message, socket, head };
    const record = recordUpgrade(upgrade);
    requests.push(record);
    respondToUpgrade(upgrade, record, nextScript(record));
  });

  /** Taken when a call arrives, not when its body is complete: responses belong to calls in the order of arrival. */
  function nextScript(record: RecordedRequest): Script {
    return queue.shift() ?? routes.get(pathOf(record)) ?? fallback ?? (() => respondLikeOpenai(record, defaults));
  }

  // A plain listener in front, because only it can leave a fresh connection unread.
  const front = createSocketServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // 'close' follows and is what counts
    const [next] = queue;
    if (typeof next === 'object' && next.stall === 'accept') {
      queue.shift();
      return;
    }
    server.emit('connection', socket);
    socket.resume();
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    defaults,
    respond: (...scripts) => void queue.push(...scripts),
    always: (script) => {
      fallback = script;
    },
    route: (path, script) => void routes.set(path, script),
    reset: () => {
      requests.length = 0;
      queue.length = 0;
      routes.clear();
      fallback = undefined;
      Object.assign(defaults, openaiDefaults());
    },
    waitForRequests: async (count, timeoutMs = 30_000) => {
      const deadline = Date.now() + timeoutMs;
      while (requests.length < count) {
        if (Date.now() > deadline) throw new Error(`${requests.length} of ${count} calls arrived in ${timeoutMs} ms`);
        await wait(5);
      }
      return requests;
    },
    openSockets: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      front.close();
      await once(front, 'close');
    },
  };
}

function pathOf(record: RecordedRequest): string {
  return record.path.replace(/\?.*$/, '');
}

function recordRequest(message: IncomingMessage, response: ServerResponse) {
  const parts: Buffer[] = [];
  const record: RecordedRequest = {
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
    closed: new Promise((done) => response.on('close', done)),
  };
  response.on('close', () => {
    record.aborted = !response.writableFinished && !endedByScript.has(response);
  });
  message.on('data', (part: Buffer) => {
    parts.push(part);
    record.receivedBytes += part.length;
  });
  const finished = (async () => {
    await new Promise((done) => message.on('end', done).on('close', done));
    record.body = Buffer.concat(parts);
    record.json = parseJson(record.body);
    record.form = await parseForm(record);
    record.complete = message.complete;
  })();
  return { record, finished };
}

/** Responses we ended ourselves: their early close is not the caller's doing. */
const endedByScript = new WeakSet<ServerResponse>();

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined; // not JSON: the bytes themselves are recorded
  }
}

async function parseForm({ headers, body }: RecordedRequest): Promise<RecordedForm | undefined> {
  const type = headers['content-type'];
  if (!type?.startsWith('multipart/form-data')) return undefined;
  const form: RecordedForm = { fields: {}, files: [] };
  const parser = new Busboy({ headers: { 'content-type': type } });
  parser.on('field', (name, value) => {
    form.fields[name] = [...(form.fields[name] ?? []), value];
  });
  parser.on('file', (name, stream, filename, _encoding, fileType) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () =>
      form.files.push({
        name,
        filename,
        type: fileType,
        body: Buffer.concat(parts),
      }),
    );
  });
  const over = once(parser, 'finish').catch(() => undefined); // a malformed form is recorded as far as it could be read
  parser.end(body);
  await over;
  return form;
}

async function deliver(reply: FakeResponse, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const socket = message.socket;
  if (reply.stall) return;
  if (reply.firstByteMs) await wait(reply.firstByteMs);
  if (reply.raw) {
    endedByScript.add(response);
    socket.end(reply.raw);
    return;
  }
  if (reply.end && reply.end.after < 0) {
    finishEarly(reply.end.how, socket, response);
    return;
  }
  if (reply.body && !reply.headers?.['transfer-encoding']) response.setHeader('content-length', reply.body.length);
  response.writeHead(reply.status ?? 200, reply.headers);
  response.flushHeaders();
  let room = reply.end?.after ?? Number.POSITIVE_INFINITY;
  let first = true;
  for (const piece of piecesOf(reply)) {
    if (room <= 0) break;
    if (!first && reply.delayMs) await wait(reply.delayMs);
    first = false;
    const bytes = piece.subarray(0, Math.min(piece.length, room));
    room -= bytes.length;
    if (response.destroyed) return;
    if (!response.write(bytes)) await drain(response);
  }
  if (!reply.end) return void response.end();
  // Bytes still in our own buffer would be lost with the socket, and the cut would fall earlier than asked.
  await new Promise<void>((flushed) => response.write('', () => flushed()));
  finishEarly(reply.end.how, socket, response);
}

function finishEarly(how: 'cut' | 'reset' | 'stall', socket: Socket, response: ServerResponse): void {
  if (how === 'stall') return;
  endedByScript.add(response);
  if (how === 'reset') socket.resetAndDestroy();
  else socket.destroy();
}

function* piecesOf(response: FakeResponse): Generator<Buffer> {
  if (response.generatedBytes === undefined) {
    yield* response.pieces ?? [response.body ?? Buffer.alloc(0)];
    return;
  }
  const block = Buffer.alloc(65_536, 'x');
  for (let left = response.generatedBytes; left > 0; left -= block.length)
    yield block.subarray(0, Math.min(block.length, left));
}
