import type { UpstreamError } from '../../errors/upstream-error.ts';
import type { UpstreamResponse } from '../../integrations/outbound/upstream-client.ts';
import type { RelayLimits } from '../relay-options.ts';
import { errorOf, type SentAttempt } from '../run.ts';
import type { ClientWriter } from './client-writer.ts';
import type { PlainDelivery } from './deliver-plain.ts';
import type { DeliveryControl } from './delivery.ts';
import { reserveForResponse } from './long-document.ts';
import { responseHeaders } from './response-headers.ts';
import { PlainReader } from './response-reader.ts';

/** A plain response on its way to the client. */
export class PlainResponse extends PlainReader implements PlainDelivery {
  readonly response: UpstreamResponse;
  readonly client: ClientWriter;
  readonly control: DeliveryControl;
  readonly progressMs: number;
  private readonly failures: number;

  constructor(attempt: SentAttempt, failures: number, { progressMs }: RelayLimits) {
    super(attempt);
    this.progressMs = progressMs;
    this.response = attempt.response;
    this.client = attempt.run.client;
    this.control = attempt.run.control;
    this.failures = failures;
  }

  commit(): void {
    this.client.commit(200, responseHeaders(this.attempt, this.failures, { fileType: this.fileType }));
  }

  send(body: Buffer): void {
    this.client.respond(
      200,
      responseHeaders(this.attempt, this.failures, { length: body.length, fileType: this.fileType }),
      body,
    );
  }

  override notePassed(bytes: Buffer): void {
    this.attempt.meter.delivered = true;
    super.notePassed(bytes);
  }

  reserve(bytes: number): void {
    reserveForResponse(this.attempt.run, bytes);
  }

  toError(failure: unknown): UpstreamError {
    return errorOf(this.attempt, failure);
  }
}
