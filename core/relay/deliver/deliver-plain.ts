import { UpstreamError } from '../../errors/upstream-error.ts';
import type { UpstreamResponse } from '../../integrations/outbound/upstream-client.ts';
import { coded } from '../../text/coded.ts';
import type { ClientWriter } from './client-writer.ts';
import { type DeliveryControl, type DeliveryEnd, isNewPiece, Pump } from './delivery.ts';

export interface PlainDelivery {
  response: UpstreamResponse;
  client: ClientWriter;
  control: DeliveryControl;
  /** Writes status and headers of a response whose length is not known. */
  commit(): void;
  /** Writes a whole response. */
  send(body: Buffer): void;
  /** The response is rewritten, so that no part of it may go out before all of it is there. */
  isRewritten: boolean;
  /** It passes as it is, but is read whole while there is room for it. */
  isReadWhole: boolean;
  /** Milliseconds in which more than a trickle must come. */
  progressMs: number;
  /**
   * Checks a whole response (up to 1 MiB, or any length when it is rewritten or read whole), notes its usage, and returns the bytes for the
   * client. Throws UpstreamError. Async for a long response.
   */
  accept(body: Buffer): Buffer | Promise<Buffer>;
  /** Reserves memory for a long response that is kept whole. Throws UpstreamError when there is too little. */
  reserve(bytes: number): void;
  /** Checks the beginning of a longer response, before anything is sent; it may show that the response has to be rewritten. Throws UpstreamError. */
  acceptStart(start: Buffer): void;
  /** Counts what of a longer response goes to the client. */
  notePassed(bytes: Buffer): void;
  /** Notes the usage of a longer response from its last 64 KiB. */
  noteTail(tail: Buffer): void;
  toError(failure: unknown): UpstreamError;
}

/** Up to here a response waits whole for its settlement; a longer one streams through and only its tail waits. */
const wholeLimitBytes = 1024 * 1024;
export const tailBytes = 64 * 1024;
const maxBytes = 64 * 1024 * 1024;

/**
 * Passes a plain response on. Resolves when all of it has arrived; the part that waits for the bill is written by `finish`.
 * Rejects with UpstreamError only while nothing has been sent.
 */
export function deliverPlain(delivery: PlainDelivery): Promise<DeliveryEnd> {
  return new Promise((resolve, reject) => new PlainPump(delivery, resolve, reject).start());
}

class PlainPump extends Pump<PlainDelivery> {
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private total = 0;
  private streaming = false;
  private isStartAccepted = false;
  private reserved = 0;

  start(): void {
    const { response, client, control } = this.delivery;
    control.attach((error) => this.end({ kind: 'stopped', error }, true));
    client.onGone(() => this.end({ kind: 'clientGone' }, true));
    if (this.ended) return;
    this.watchProgress(() => this.delivery.progressMs);
    response.consume({
      data: (chunk) => this.guarded(() => this.onChunk(chunk)),
      end: () => this.guarded(() => this.onEnd()),
      error: (failure) => this.fail(this.delivery.toError(failure)),
    });
  }

  private onChunk(chunk: Buffer): void {
    this.kept.push(chunk);
    this.keptBytes += chunk.length;
    if (isNewPiece(this.total, this.total + chunk.length)) this.progressAt = performance.now();
    this.total += chunk.length;
    if (this.total > maxBytes) throw tooLong();
    if (this.delivery.isRewritten) this.reserve();
    else if (!this.streaming && this.keptBytes > wholeLimitBytes) this.goOn();
    if (this.streaming && this.keptBytes > 2 * tailBytes) this.passAllButTail();
  }

  private reserve(): void {
    if (this.total - this.reserved <= wholeLimitBytes) return;
    this.delivery.reserve(this.total - this.reserved);
    this.reserved = this.total;
  }

  /** A longer response streams through, unless it has to be whole or may be. */
  private goOn(): void {
    if (!this.isStartAccepted) {
      this.isStartAccepted = true;
      this.delivery.acceptStart(Buffer.concat(this.kept));
    }
    if (this.delivery.isRewritten || (this.delivery.isReadWhole && this.hasRoom())) return;
    this.streaming = true;
    this.delivery.commit();
  }

  private hasRoom(): boolean {
    try {
      this.reserve();
      return true;
    } catch {
      return false; // it need not be read
    }
  }

  private passAllButTail(): void {
    const { client } = this.delivery;
    const all = Buffer.concat(this.kept);
    const cut = all.length - tailBytes;
    this.delivery.notePassed(all.subarray(0, cut));
    this.kept = [all.subarray(cut)];
    this.keptBytes = tailBytes;
    if (!client.write(all.subarray(0, cut)) && !client.gone) this.waitForClient();
  }

  private onEnd(): void {
    const { delivery } = this;
    const [first] = this.kept;
    const body = this.kept.length === 1 && first ? first : Buffer.concat(this.kept);
    if (this.streaming) {
      delivery.notePassed(body);
      delivery.noteTail(body);
      this.end({ kind: 'complete', finish: () => delivery.client.end(body) });
      return;
    }
    const accepted = delivery.accept(body);
    if (accepted instanceof Promise)
      accepted.then((bytes) => this.complete(bytes)).catch((error) => this.refuse(error));
    else this.complete(accepted);
  }

  private complete(accepted: Buffer): void {
    if (this.ended) return;
    this.end({ kind: 'complete', finish: () => this.delivery.send(accepted) });
  }

  private refuse(error: unknown): void {
    if (!this.ended) this.fail(this.delivery.toError(error));
  }

  private guarded(step: () => void): void {
    if (this.ended) return;
    try {
      step();
    } catch (error) {
      this.refuse(error);
    }
  }
}

function tooLong(): UpstreamError {
  return new UpstreamError({
    status: 502,
    code: 'upstream_too_large',
    coded: coded('upstream.overLimit'),
    kind: 'client',
  });
}
