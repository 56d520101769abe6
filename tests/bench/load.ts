import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { callBody, clientViews } from './calls.ts';
import type { LoadPlan, LoadResult } from './load-plan.ts';
import { ResponseReader } from './response-reader.ts';

/** Nothing here waits longer for one response. */
const callLimitMs = 60_000;

/** One connection that makes one call at a time and checks each response. */
class Caller {
  private readonly run: Run;
  private socket: Socket | undefined;
  private done: () => void = () => undefined;
  private busy = false;
  private startedAt = 0;
  private events = 0;
  private sawMark = false;
  private lastByte = 0;
  private tail: Buffer = Buffer.alloc(0);
  private head = '';

  constructor(run: Run) {
    this.run = run;
  }

  call(): Promise<void> {
    return new Promise((done) => {
      this.done = done;
      this.busy = true;
      this.events = 0;
      this.lastByte = 0;
      this.sawMark = false;
      this.tail = Buffer.alloc(0);
      this.head = '';
      this.startedAt = performance.now();
      this.socket ??= this.open();
      this.socket.write(this.run.bytes);
    });
  }

  hangUp(): void {
    this.socket?.destroy();
  }

  private open(): Socket {
    const reader = new ResponseReader({
      body: (bytes) => this.readBody(bytes),
      end: (status, keepsAlive) => this.finish(status, keepsAlive),
      broken: (why) => this.fail(why),
    });
    const socket = connect({ port: this.run.plan.port, host: '127.0.0.1', noDelay: true });
    const gone = (why: string) => {
      if (this.socket !== socket) return;
      this.socket = undefined;
      if (this.busy) this.fail(why);
    };
    socket.setTimeout(callLimitMs, () => socket.destroy(new Error(`nothing for ${callLimitMs} ms`)));
    socket.on('data', (bytes: Buffer) => reader.feed(bytes));
    socket.on('error', (error) => gone(error.message));
    socket.on('close', () => gone('the connection ended inside an answer'));
    return socket;
  }

  private readBody(bytes: Buffer): void {
    if (this.head.length < 300) this.head += bytes.toString('latin1', 0, 300);
    if (!this.sawMark) {
      // The mark may lie across two reads.
      const seen = this.tail.length > 0 ? Buffer.concat([this.tail, bytes]) : bytes;
      this.sawMark = seen.includes(this.run.mark);
      if (this.sawMark) this.run.firstTokens.push(performance.now() - this.startedAt);
      this.tail = this.sawMark ? Buffer.alloc(0) : seen.subarray(-100);
    }
    if (!this.run.isStream) return;
    if (this.lastByte === 10 && bytes[0] === 10) this.events += 1;
    for (let at = bytes.indexOf('\n\n'); at >= 0; at = bytes.indexOf('\n\n', at + 2)) this.events += 1;
    this.lastByte = bytes[bytes.length - 1] ?? 0;
    const { length } = this.run.streamEnd;
    if (this.sawMark)
      this.tail = Buffer.from(
        bytes.length >= length ? bytes.subarray(-length) : Buffer.concat([this.tail, bytes]).subarray(-length),
      );
  }

  private finish(status: number, keepsAlive: boolean): void {
    const { run } = this;
    const isWhole = !run.isStream || (this.events === run.events && this.tail.equals(run.streamEnd));
    if (!keepsAlive) {
      this.socket?.destroy();
      this.socket = undefined;
    }
    if (status === 200 && this.sawMark && isWhole) {
      this.busy = false;
      run.latencies.push(performance.now() - this.startedAt);
      this.done();
    } else {
      this.fail(`status ${status}, ${this.events} of ${run.events} events: ${this.head.slice(0, 300)}`);
    }
  }

  private fail(why: string): void {
    if (!this.busy) return; // one call goes wrong once, however many reasons follow
    this.busy = false;
    this.run.wrong += 1;
    this.run.firstWrong ??= why;
    this.socket?.destroy();
    this.socket = undefined;
    this.done();
  }
}

class Run {
  readonly plan: LoadPlan;
  readonly bytes: Buffer;
  readonly isStream: boolean;
  readonly events: number;
  readonly mark: string;
  readonly streamEnd: Buffer;
  readonly latencies: number[] = [];
  readonly firstTokens: number[] = [];
  wrong = 0;
  firstWrong: string | undefined;

  constructor(plan: LoadPlan) {
    this.plan = plan;
    this.isStream = plan.shape.chunks > 0;
    const { protocol = 'openai' } = plan;
    const view = clientViews[protocol];
    this.events = this.isStream ? view.events(plan.shape.chunks) : 0;
    this.mark = this.isStream ? view.firstTokenMark : view.plainMark;
    this.streamEnd = Buffer.from(view.streamEnd);
    const body = callBody(plan.shape, protocol);
    const more = Object.entries(plan.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
    this.bytes = Buffer.from(
      `POST ${view.path} HTTP/1.1\r\nhost: 127.0.0.1:${plan.port}\r\nauthorization: Bearer ${plan.key}\r\n` +
        `content-type: application/json\r\naccept: */*\r\n${more.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
}

async function execute(plan: LoadPlan): Promise<LoadResult> {
  const run = new Run(plan);
  const callers: Caller[] = [];
  const startedAt = performance.now();
  if (plan.pace.kind === 'closed') await runClosed(run, callers, plan.pace);
  else if (plan.pace.kind === 'rate') await runRate(run, callers, plan.pace);
  else await runHold(run, callers, plan.pace);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const caller of callers) caller.hangUp();
  return {
    right: run.latencies.length,
    wrong: run.wrong,
    firstWrong: run.firstWrong,
    seconds,
    latencyMs: spread(run.latencies),
    firstTokenMs: spread(run.firstTokens),
  };
}

async function runClosed(run: Run, callers: Caller[], pace: { callers: number; seconds: number }): Promise<void> {
  const until = performance.now() + pace.seconds * 1000;
  const loop = async (caller: Caller) => {
    // A target that only fails would otherwise be hammered for the whole window.
    while (performance.now() < until && run.wrong < 100) await caller.call();
  };
  for (let count = 0; count < pace.callers; count += 1) callers.push(new Caller(run));
  await Promise.all(callers.map(loop));
}

/** Calls at fixed moments, each on a free connection or a new one: a slow response never delays the next call. */
async function runRate(run: Run, callers: Caller[], pace: { perSecond: number; seconds: number }): Promise<void> {
  const free: Caller[] = [];
  const open: Promise<void>[] = [];
  const total = pace.perSecond * pace.seconds;
  const startedAt = performance.now();
  for (let sent = 0; sent < total && run.wrong < 100; sent += 1) {
    const due = startedAt + (sent * 1000) / pace.perSecond;
    const early = due - performance.now();
    if (early > 0) await wait(early);
    const caller = free.pop() ?? new Caller(run);
    if (!callers.includes(caller)) callers.push(caller);
    open.push(caller.call().then(() => void free.push(caller)));
  }
  await Promise.all(open);
}

async function runHold(run: Run, callers: Caller[], pace: { streams: number; rampMs: number }): Promise<void> {
  const open: Promise<void>[] = [];
  for (let count = 0; count < pace.streams; count += 1) {
    const caller = new Caller(run);
    callers.push(caller);
    open.push(caller.call());
    if (count % 10 === 9) await wait((10 * pace.rampMs) / pace.streams);
  }
  await Promise.all(open);
}

function spread(values: number[]): { p50: number; p99: number } {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

process.on('message', (plan: LoadPlan) => void execute(plan).then((result) => process.send?.(result)));
process.on('disconnect', () => process.exit());
process.send?.({ port: 0 });
