import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { RealtimeClient } from './realtime-client.ts';

export type RealtimeEvent = Record<string, unknown> & { type: string };

/** One session as the upstream sees it. */
export interface FakeSession {
  url: string;
  headers: IncomingHttpHeaders;
  socket: WebSocket;
  /** What the gateway sent, parsed, and byte for byte. */
  events: RealtimeEvent[];
  frames: Buffer[];
  closed: Promise<number>;
  send(event: RealtimeEvent): void;
}

export interface FakeRealtime {
  url: string;
  sessions: FakeSession[];
  /** Usage of the next responses; null = none is reported. */
  usage: Record<string, unknown> | null;
  /** Usage of the next transcriptions. */
  transcriptionUsage: Record<string, unknown> | undefined;
  /** Text of a response, one delta each. */
  words: string[];
  /** Sound of a response in base64, one delta each. */
  sound: string[];
  /** A response is left off before its end. */
  leavesOff: boolean;
  /** HTTP instead of a WebSocket. */
  refusal: { status: number; body: unknown } | undefined;
  /** In place of `session.created`; undefined = silence. */
  greeting: RealtimeEvent | 'usual' | undefined;
  newest(): FakeSession;
  openSockets(): number;
  reset(): void;
  close(): Promise<void>;
}

const defaultValue = {
  usage: {
    total_tokens: 1500,
    input_tokens: 1000,
    output_tokens: 500,
    input_token_details: {
      text_tokens: 400,
      audio_tokens: 600,
      cached_tokens: 500,
      cached_tokens_details: { text_tokens: 300, audio_tokens: 200 },
    },
    output_token_details: { text_tokens: 100, audio_tokens: 400 },
  },
  words: ['Hello', ' there', '.'],
  sound: [] as string[],
  transcriptionUsage: { type: 'tokens', total_tokens: 30, input_tokens: 20, output_tokens: 10 },
};

/** An upstream that speaks OpenAI's realtime events, as far as a gateway can tell. */
export async function startFakeRealtime(): Promise<FakeRealtime> {
  const sockets = new Set<Socket>();
  const server = createServer();
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024 });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('upgrade', (request, socket, head) => {
    const { refusal } = fake;
    if (refusal) {
      const body = JSON.stringify(refusal.body);
      socket.end(
        `HTTP/1.1 ${refusal.status} No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      return;
    }
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      const session: FakeSession = {
        url: request.url ?? '',
        headers: request.headers,
        socket: webSocket,
        events: [],
        frames: [],
        closed: new Promise((resolve) => webSocket.on('close', resolve)),
        send: (event) => webSocket.send(JSON.stringify({ event_id: nextId('event'), ...event })),
      };
      fake.sessions.push(session);
      webSocket.on('error', () => undefined);
      webSocket.on('message', (frame: Buffer) => {
        session.frames.push(frame);
        const event = JSON.parse(frame.toString()) as RealtimeEvent;
        session.events.push(event);
        respondTo(session, event);
      });
      const { searchParams } = new URL(session.url, 'http://upstream');
      const model = searchParams.get('model') ?? searchParams.get('deployment');
      const created = { type: 'session.created', session: { object: 'realtime.session', id: nextId('sess'), model } };
      if (fake.greeting) session.send(fake.greeting === 'usual' ? created : fake.greeting);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function respondTo(session: FakeSession, event: RealtimeEvent): void {
    if (event.type === 'session.update') session.send({ type: 'session.updated', session: event.session });
    if (event.type === 'conversation.item.create')
      session.send({ type: 'conversation.item.created', item: event.item });
    if (event.type === 'input_audio_buffer.commit') {
      session.send({ type: 'input_audio_buffer.committed', item_id: 'item_1' });
      const type = 'conversation.item.input_audio_transcription.completed';
      const { transcriptionUsage: usage } = fake;
      session.send({ type, item_id: 'item_1', content_index: 0, transcript: 'hi', ...(usage && { usage }) });
    }
    if (event.type === 'response.create') respond(session);
  }

  function respond(session: FakeSession): void {
    const id = nextId('resp');
    const place = { response_id: id, item_id: nextId('item'), output_index: 0, content_index: 0 };
    session.send({ type: 'response.created', response: { object: 'realtime.response', id, status: 'in_progress' } });
    for (const delta of fake.words) session.send({ type: 'response.output_text.delta', ...place, delta });
    for (const delta of fake.sound) session.send({ type: 'response.output_audio.delta', ...place, delta });
    if (fake.leavesOff) return;
    session.send({ type: 'response.output_text.done', ...place, text: fake.words.join('') });
    const response = { object: 'realtime.response', id, status: 'completed', output: [], usage: fake.usage };
    session.send({ type: 'response.done', response });
  }

  const fake: FakeRealtime = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions: [],
    ...defaultValue,
    leavesOff: false,
    refusal: undefined,
    greeting: 'usual',
    newest() {
      const session = fake.sessions.at(-1);
      if (!session) throw new Error('no session was opened');
      return session;
    },
    openSockets: () => sockets.size,
    reset() {
      Object.assign(fake, { sessions: [], ...defaultValue, leavesOff: false, refusal: undefined, greeting: 'usual' });
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
}

/** Asks for a response that begins and does not end. */
export async function beginResponse(upstream: FakeRealtime, client: RealtimeClient): Promise<void> {
  upstream.leavesOff = true;
  client.send({ type: 'response.create' });
  await client.next('response.output_text.delta');
}

let ids = 0;

function nextId(kind: string): string {
  ids += 1;
  return `${kind}_${ids}`;
}
