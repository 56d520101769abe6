import { UpstreamError } from '../../errors/upstream-error.ts';
import type { UpstreamResponse } from '../../integrations/outbound/upstream-client.ts';
import { byteOrderMark, EventCutter, maxEventBytes, splitEvents } from '../../wire/sse.ts';
import type { StreamDecoder } from '../../wire/stream-decoder.ts';
import type { UsageMeter } from '../meter/usage-meter.ts';
import type { ClientWriter } from './client-writer.ts';
import { type DeliveryControl, type DeliveryEnd, isNewPiece, Pump } from './delivery.ts';
import { brokenStream } from './stream-event.ts';
import type { StreamEvent, StreamReader } from './stream-reader.ts';

export interface StreamDelivery {
  response: UpstreamResponse;
  reader: StreamReader;
  /** For bytes that are not server-sent events. */
  decoder: StreamDecoder | undefined;
  client: ClientWriter;
  meter: UsageMeter;
  control: DeliveryControl;
  /** Goes on with a stream that another upstream began: until something passes the client has nothing of this one. */
  isResumed: boolean;
  /** Writes status and headers; called at the first event that says something. */
  commit(): void;
  /**
   * Called after each block with text: may extend the hold, and end the delivery through `control`. Nothing more is read before what it
   * returns is settled.
   */
  onProgress(): Promise<void> | undefined;
  firstToken: FirstTokenClock;
  /** Milliseconds to the first piece of content when no other channel can take over. */
  firstWordMs: number;
  /** Milliseconds between two pieces of content. */
  progressMs: number;
  /** Silence after which a comment goes out that keeps the client's connection, 0 = never. */
  pingMs: number;
  /** The client gets server-sent events, in which comments have a place. */
  takesComments: boolean;
  /** Turns an error object inside the stream or a failed connection into the error to show and to judge by. */
  toError(failure: unknown, status?: number): UpstreamError;
  /** Whether a body that begins like this is one document, from an upstream that ignored `stream`. `start` has at least one letter. */
  beginsDocument(start: string): boolean;
  /** Returns such a document as events, or throws what it is instead. */
  documentEvents(body: Buffer): string;
}

/** Runs until the first event that says something. */
export interface FirstTokenClock {
  /** To keep the client's connection alive is worth more than the limit: a ping ends it, because it commits to this upstream. */
  readonly yieldsToPings: boolean;
  readonly isRunning: boolean;
  /** Who hears that it has run out; at once when it already has. */
  follow(onSilent: (error: UpstreamError) => void): void;
  stop(): void;
}

/** How long an upstream may take to close after its terminal event before the connection is given up instead of kept. */
const closeLimitMs = 1000;
/** A comment of the event stream (WHATWG HTML 9.2): every client skips it. */
const pingComment = ': ping\n\n';
/** Events without text are held until one says something, because nothing may be sent while another channel could still serve. */
const heldLimitBytes = 1024 * 1024;

/**
 * Passes a stream on, event by event as its bytes are, and resolves when it ended; the terminal event is left to `finish`.
 * Rejects with UpstreamError only while nothing has been sent, so that the caller may try another channel.
 */
export function deliverStream(delivery: StreamDelivery): Promise<DeliveryEnd> {
  return new Promise((resolve, reject) => new StreamPump(delivery, resolve, reject).start());
}

class StreamPump extends Pump<StreamDelivery> {
  private readonly cutter = new EventCutter();
  private held = '';
  private pinging: NodeJS.Timeout | undefined;
  private closing: NodeJS.Timeout | undefined;
  private document: string | undefined;
  private sawBytes = false;
  private hasResumed = false;

  start(): void {
    const { response, client, control, firstToken, pingMs } = this.delivery;
    control.attach((error) => this.end({ kind: 'stopped', error }, true));
    client.onGone(() => this.end({ kind: 'clientGone' }, true));
    firstToken.follow((error) => this.fail(error));
    if (this.ended) return;
    const { meter, firstWordMs, progressMs } = this.delivery;
    this.watchProgress(() => (meter.delivered ? progressMs : firstWordMs));
    if (pingMs > 0) this.pinging = setInterval(() => this.ping(), pingMs);
    response.consume({
      data: (chunk) => this.onChunk(chunk),
      end: () => this.onEnd(),
      error: (failure) => {
        clearTimeout(this.closing);
        this.fail(this.delivery.toError(failure));
      },
    });
  }

  private onChunk(bytes: Buffer): void {
    if (this.ended) return;
    try {
      // One character per byte: what is not changed goes out as it came, whatever its encoding.
      const chunk = this.delivery.decoder?.push(bytes) ?? bytes.toString('latin1');
      if (!this.sawBytes) this.sniff(chunk);
      if (this.document !== undefined) {
        this.keepDocument(chunk);
        return;
      }
      const block = this.cutter.push(chunk);
      if (block !== '') this.onBlock(block);
    } catch (error) {
      this.fail(error instanceof UpstreamError ? error : brokenStream('upstream.badEvent', error));
    }
  }

  /** The content type may be wrong; the first byte tells events from a document. */
  private sniff(chunk: string): void {
    const start = chunk.slice(0, 256).replace(byteOrderMark, '').trimStart();
    if (start === '') return;
    this.sawBytes = true;
    if (this.delivery.beginsDocument(start)) this.document = '';
  }

  private keepDocument(chunk: string): void {
    const before = this.document?.length ?? 0;
    this.document += chunk;
    const length = before + chunk.length;
    if (length > maxEventBytes) throw new RangeError('document too large');
    if (isNewPiece(before, length)) this.progressAt = performance.now();
  }

  private onBlock(block: string): void {
    const { reader, meter, takesComments } = this.delivery;
    const now = performance.now();
    let out = '';
    let from = 0;
    let says = false;
    for (const { start, end, data } of splitEvents(block)) {
      if (data === undefined || data === '') {
        // Comments may pass. An event without data is one to some clients, which then read it as JSON.
        if (!takesComments || block[start] !== ':') {
          out += block.slice(from, start);
          from = end;
        }
        continue;
      }
      const known = reader.template?.textOf(data);
      if (known) {
        meter.noteText(known, now);
        reader.record?.noteText(known);
        this.progressAt = now;
        says = true;
        if (!reader.shown) continue;
        out += block.slice(from, start) + reader.shown(block.slice(start, end));
        from = end;
        continue;
      }
      let event: StreamEvent;
      try {
        event = reader.read(data);
        if (event.error) throw this.delivery.toError(event.error, event.status);
      } catch (error) {
        // What came before it was counted. A client that has nothing yet gets nothing: another channel may still serve it from the start.
        if (this.isSeen) this.forward(out + block.slice(from, start), says);
        throw error;
      }
      if (meter.note(event, now)) this.progressAt = now;
      if (!event.saysNothing) says = true;
      if (event.ended) {
        this.forward(out + block.slice(from, start) + (event.written ?? ''), says);
        this.complete(event.written === undefined ? block.slice(start, end) : '');
        return;
      }
      const written = event.written ?? reader.shown?.(block.slice(start, end));
      if (written === undefined) continue;
      out += block.slice(from, start) + written;
      from = end;
    }
    this.forward(from === 0 ? block : out + block.slice(from), says);
    const covered = this.delivery.onProgress();
    if (covered && !this.ended) this.waitFor(covered);
  }

  /** The client knows from then on that it is served, so no other channel may take over: not while one is meant to. */
  private ping(): void {
    const { client, commit, firstToken } = this.delivery;
    if (this.ended || this.document !== undefined) return;
    if (!client.committed) {
      if (firstToken.isRunning && !firstToken.yieldsToPings) return;
      firstToken.stop();
      commit();
      client.writeText(this.held);
      this.held = '';
    }
    client.writeText(pingComment);
  }

  /** Writes what may go out; before the first event that says something it is only kept. */
  private forward(text: string, says: boolean): void {
    if (this.ended) return;
    const { client, isResumed } = this.delivery;
    let out = text;
    if (isResumed && !this.hasResumed && this.isSeen) {
      this.hasResumed = true;
      this.delivery.firstToken.stop();
      this.delivery.commit();
    }
    if (!client.committed) {
      this.held += text;
      if (!says && this.held.length < heldLimitBytes) return;
      this.delivery.firstToken.stop();
      this.delivery.commit();
      out = this.held;
      this.held = '';
    }
    this.pinging?.refresh();
    if (!client.writeText(out) && !client.gone) this.waitForClient();
  }

  private onEnd(): void {
    clearTimeout(this.closing);
    if (this.ended) return;
    const rest = this.cutter.rest();
    try {
      if (this.document !== undefined) {
        const events = this.delivery.documentEvents(Buffer.from(this.document, 'latin1'));
        this.onBlock(Buffer.from(events).toString('latin1'));
      }
      if (rest !== '') this.onBlock(`${rest}\n\n`);
    } catch (error) {
      this.fail(error instanceof UpstreamError ? error : brokenStream('upstream.badEvent', error));
      return;
    }
    if (this.ended) return;
    this.closeStream();
  }

  /** No terminal event came: the reader knows whether the response is whole without one. */
  private closeStream(): void {
    const { reader, decoder, meter } = this.delivery;
    try {
      decoder?.end();
      const event = reader.close();
      if (event.error) throw this.delivery.toError(event.error, event.status);
      meter.note(event, performance.now());
      this.forward(event.written ?? '', true);
      this.complete('');
    } catch (error) {
      this.fail(error instanceof UpstreamError ? error : brokenStream('upstream.badStreamEnd', error));
    }
  }

  /** `terminal`: the upstream's last event, held back until the bill is settled. */
  private complete(terminal: string): void {
    const { client, commit, reader } = this.delivery;
    // A response of no text at all is still a response once the upstream says that it is complete.
    if (!client.committed) {
      commit();
      client.writeText(this.held);
    }
    this.end({
      kind: 'complete',
      finish: (usage) => client.end(Buffer.from(reader.last(usage, terminal), 'latin1')),
    });
    // Whatever follows is of no use; but a connection that is read to its end can be used again.
    this.closing = setTimeout(() => this.delivery.response.abort(), closeLimitMs).unref();
  }

  protected override end(end: DeliveryEnd, abort = false): void {
    const { reader } = this.delivery;
    if (end.kind === 'broken' || end.kind === 'stopped') {
      const { error } = end;
      end.last = (dialect, describe) => reader.failure(error, dialect, describe);
    }
    if (end.kind === 'broken') end.handOver = async () => reader.handOver?.();
    super.end(end, abort);
  }

  protected override get isSeen(): boolean {
    const { isResumed, reader } = this.delivery;
    return isResumed ? reader.hasPassed === true : super.isSeen;
  }

  protected override close(abort: boolean): boolean {
    this.delivery.firstToken.stop();
    clearInterval(this.pinging);
    return super.close(abort);
  }
}
