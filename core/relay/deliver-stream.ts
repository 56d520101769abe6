import type { Usage } from '../canonical/usage.ts';
import { UpstreamError } from '../errors/upstream-error.ts';
import type { UpstreamAnswer } from '../integrations/outbound/upstream-client.ts';
import type { Protocol } from '../protocols/protocol.ts';
import type { ClientWriter } from './client-writer.ts';
import { type DeliveryControl, type DeliveryEnd, Pump } from './delivery.ts';
import { EventTemplate } from './event-template.ts';
import { EventCutter, maxEventBytes, splitEvents } from './sse.ts';
import type { UsageMeter } from './usage-meter.ts';

export interface StreamDelivery {
  answer: UpstreamAnswer;
  protocol: Protocol;
  /** The client asked for the usage chunk itself; else a chunk that carries nothing else is kept from it. */
  wantsUsage: boolean;
  client: ClientWriter;
  meter: UsageMeter;
  control: DeliveryControl;
  /** Writes status and headers; called at the first event that says something. */
  commit(): void;
  /** Rewrites one event's JSON text, '' drops the event; undefined = bytes pass as they are. */
  rewrite: ((event: unknown) => string) | undefined;
  /** Called after each block with text: may extend the hold, and end the delivery through `control`. */
  onProgress(): void;
  /** Milliseconds to the first event that says something, 0 = no limit. */
  firstTokenMs: number;
  /** Whether a finished event is a vendor's way to say that it gave up. */
  isError(event: unknown): boolean;
  /** Turns an error object inside the stream or a failed connection into the error to show and to judge by. */
  toError(failure: unknown): UpstreamError;
  /** The usage chunk for a client that asked for one when the upstream sent none, else ''. */
  usageEvent(usage: Usage): string;
  /** An upstream that ignored `stream` and sent one document: returns it as events, or throws what it is instead. */
  documentEvents(body: Buffer): string;
}

const doneMark = '[DONE]';
/** How long an upstream may take to close after its terminal event before the connection is given up instead of kept. */
const closeLimitMs = 1000;
/** Events without text are held until one says something, because nothing may be sent while another channel could still serve. */
const heldLimitBytes = 64 * 1024;

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
  private firstToken: NodeJS.Timeout | undefined;
  private closing: NodeJS.Timeout | undefined;
  private document: string | undefined;
  private sawBytes = false;
  /** Undefined while events are rewritten: then each must be parsed. */
  private template: EventTemplate | undefined;

  start(): void {
    const { answer, client, control, firstTokenMs, protocol, rewrite } = this.delivery;
    if (!rewrite) this.template = new EventTemplate(protocol.readEvent);
    control.attach((error) => this.end({ kind: 'stopped', error }, true));
    client.onGone(() => this.end({ kind: 'clientGone' }, true));
    if (firstTokenMs > 0) {
      this.firstToken = setTimeout(() => this.fail(silence(firstTokenMs)), firstTokenMs);
    }
    if (this.ended) return;
    answer.consume({
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
    // One character per byte: what is not changed goes out as it came, whatever its encoding.
    const chunk = bytes.toString('latin1');
    if (!this.sawBytes) this.sniff(chunk);
    try {
      if (this.document !== undefined) {
        this.keepDocument(chunk);
        return;
      }
      const block = this.cutter.push(chunk);
      if (block !== '') this.onBlock(block);
    } catch (error) {
      this.fail(error instanceof UpstreamError ? error : broken('an event larger than 16 MiB', error));
    }
  }

  /** The content type may be wrong; the first byte tells events from a document. */
  private sniff(chunk: string): void {
    const first = chunk.slice(0, 256).trimStart()[0];
    if (first === undefined) return;
    this.sawBytes = true;
    if (first === '{' || first === '[' || first === '<') this.document = '';
  }

  private keepDocument(chunk: string): void {
    this.document += chunk;
    if (this.document && this.document.length > maxEventBytes) throw new RangeError('document too large');
  }

  private onBlock(block: string): void {
    const { protocol, meter, rewrite, wantsUsage } = this.delivery;
    const now = performance.now();
    let out = '';
    let from = 0;
    let says = false;
    for (const { start, end, data } of splitEvents(block)) {
      if (data === undefined || data === '') continue;
      if (data.startsWith(doneMark)) {
        this.forward(out + block.slice(from, start), says);
        this.complete();
        return;
      }
      const known = this.template?.textOf(data);
      if (known) {
        meter.noteText(known, now);
        says = true;
        continue;
      }
      const json = parseEvent(data);
      const reading = protocol.readEvent(json);
      if (reading.error || (reading.finished && this.delivery.isError(json))) {
        this.forward(out + block.slice(from, start), says);
        throw this.delivery.toError(parseText(data));
      }
      meter.note(reading, now);
      if (!meter.identity) meter.identify(json);
      const hidden = reading.usageOnly && !wantsUsage;
      says ||= reading.text !== '' || reading.finished || reading.usage !== undefined || !beginsEmpty(protocol);
      if (!hidden && !rewrite) {
        if (meter.identity) this.template?.learn(data, reading);
        continue;
      }
      out += block.slice(from, start);
      const written = hidden || !rewrite ? '' : rewrite(parseText(data));
      if (written !== '') out += Buffer.from(`data: ${written}\n\n`).toString('latin1');
      from = end;
    }
    this.forward(from === 0 ? block : out + block.slice(from), says);
    this.delivery.onProgress();
  }

  /** Writes what may go out; before the first event that says something it is only kept. */
  private forward(text: string, says: boolean): void {
    if (this.ended) return;
    const { client, answer } = this.delivery;
    let out = text;
    if (!client.committed) {
      this.held += text;
      if (!says && this.held.length < heldLimitBytes) return;
      clearTimeout(this.firstToken);
      this.delivery.commit();
      out = this.held;
      this.held = '';
    }
    if (client.writeText(out) || client.gone) return;
    answer.pause();
    client.onDrain(() => answer.resume());
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
      this.fail(error instanceof UpstreamError ? error : broken('an unreadable event', error));
      return;
    }
    if (this.ended) return;
    const { protocol, meter } = this.delivery;
    if (meter.finished || (!protocol.needsFinish && meter.firstTokenAt !== undefined)) this.complete();
    else this.fail(broken('the end of the stream before the answer was complete'));
  }

  private complete(): void {
    const { client, commit, protocol, usageEvent } = this.delivery;
    // An answer of no text at all is still an answer once the upstream says that it is complete.
    if (!client.committed) {
      commit();
      client.writeText(this.held);
    }
    this.end({
      kind: 'complete',
      finish: (usage) => client.end(usageEvent(usage) + protocol.terminal),
    });
    // Whatever follows is of no use; but a connection that is read to its end can be used again.
    this.closing = setTimeout(() => this.delivery.answer.abort(), closeLimitMs).unref();
  }

  protected override close(abort: boolean): boolean {
    clearTimeout(this.firstToken);
    return super.close(abort);
  }
}

/** Text answers open with events that only name a role; sound and pictures say something from the first event on. */
function beginsEmpty({ name }: Protocol): boolean {
  return name === 'openai-chat' || name === 'openai-completion';
}

function parseEvent(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw broken('an event that is not JSON', error);
  }
}

/** As characters and not as bytes, for whoever reads or rewrites its text. */
function parseText(data: string): unknown {
  return JSON.parse(Buffer.from(data, 'latin1').toString('utf8'));
}

function broken(what: string, cause?: unknown): UpstreamError {
  return new UpstreamError({
    status: 502,
    code: 'upstream_broken',
    message: `The upstream sent ${what}.`,
    kind: 'retry',
    cause,
  });
}

function silence(limitMs: number): UpstreamError {
  return new UpstreamError({
    status: 504,
    code: 'first_token_timeout',
    message: `The upstream sent nothing within ${Math.round(limitMs / 1000)} s.`,
    kind: 'retry',
    silent: true,
  });
}
