import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { readMetrics, readSpans } from './otlp-reader.ts';

export interface SeenSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  traceState: string;
  flags: number;
  name: string;
  kind: number;
  /** Unix milliseconds. */
  start: number;
  end: number;
  attributes: Record<string, unknown>;
  events: { name: string; at: number }[];
  isError: boolean;
  resource: Record<string, unknown>;
}

export interface SeenPoint {
  attributes: Record<string, unknown>;
  count: number;
  sum: number;
  min: number;
  max: number;
  buckets: number[];
  bounds: number[];
}

export interface SeenMetric {
  name: string;
  unit: string;
  isCumulative: boolean;
  points: SeenPoint[];
}

/** What the collector does with the next request: a status, or silence. */
export type CollectorAct = { status: number; headers?: Record<string, string> } | 'stall';

export interface FakeCollector {
  url: string;
  requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[];
  /** Spans of requests that were accepted, in the order in which they came. */
  spans: SeenSpan[];
  /** The metrics of the latest report. */
  metrics: SeenMetric[];
  /** For the requests to come, in turn; afterwards all are accepted. */
  act(...acts: CollectorAct[]): void;
  always(act: CollectorAct | undefined): void;
  reset(): void;
  /** Waits for the spans of one whole call: its server span comes last. */
  waitForCall(count?: number): Promise<SeenSpan[]>;
  waitFor(what: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** An OpenTelemetry collector on loopback that keeps what it is sent. */
export async function startFakeCollector(): Promise<FakeCollector> {
  const sockets = new Set<Socket>();
  let acts: CollectorAct[] = [];
  let fallback: CollectorAct = { status: 200 };
  const server = createServer(async (message, response) => {
    const parts: Buffer[] = [];
    for await (const part of message) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    const body = message.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const path = message.url ?? '';
    collector.requests.push({ path, headers: message.headers, body });
    const act = acts.shift() ?? fallback;
    if (act === 'stall') return;
    if (act.status === 200) {
      const isJson = message.headers['content-type'] === 'application/json';
      if (path.endsWith('/traces')) collector.spans.push(...readSpans(body, isJson));
      else collector.metrics = readMetrics(body, isJson);
    }
    response.writeHead(act.status, act.headers).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function waitFor(what: () => boolean): Promise<void> {
    for (let tries = 0; !what(); tries += 1) {
      if (tries > 6000) throw new Error(`the collector did not get it; it has ${JSON.stringify(collector.spans)}`);
      await wait(5);
    }
  }

  const collector: FakeCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    spans: [],
    metrics: [],
    act: (...next) => void acts.push(...next),
    always: (act) => {
      fallback = act ?? { status: 200 };
    },
    reset() {
      collector.requests.length = 0;
      collector.spans.length = 0;
      acts = [];
      fallback = { status: 200 };
    },
    async waitForCall(count = 1) {
      await waitFor(() => collector.spans.filter(({ kind }) => kind === 2).length >= count);
      return collector.spans;
    },
    waitFor,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return collector;
}
