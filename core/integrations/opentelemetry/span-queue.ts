import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FinishedSpan } from './span.ts';

interface SpanQueueInput {
  scheduleDelayMs: number;
  maxQueueSize: number;
  maxBatchSize: number;
  /** Never rejects. */
  send(batch: readonly FinishedSpan[]): Promise<void>;
  /** There was no room for so many. */
  dropped(count: number): void;
}

/** Spans that wait to be sent, one batch at a time. It holds only so many: what comes while it is full is dropped. */
export class SpanQueue {
  readonly #input: SpanQueueInput;
  #spans: FinishedSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isClosing = false;

  constructor(input: SpanQueueInput) {
    this.#input = input;
  }

  push(spans: readonly FinishedSpan[]): void {
    const { maxQueueSize, maxBatchSize, scheduleDelayMs, dropped } = this.#input;
    const room = maxQueueSize - this.#spans.length;
    for (const span of room < spans.length ? spans.slice(0, room) : spans) this.#spans.push(span);
    if (room < spans.length) dropped(spans.length - room);
    if (this.#sending) return;
    if (this.#spans.length >= maxBatchSize) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), scheduleDelayMs).unref();
  }

  /** Sends what is left; how long that may take is the sender's matter. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#sending;
    this.#begin();
    await this.#sending;
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#run();
  }

  async #run(): Promise<void> {
    const { maxBatchSize, scheduleDelayMs, send } = this.#input;
    do {
      // The call that made the batch full does not wait for it to be written.
      await nextTurn();
      const batch = this.#spans.splice(0, maxBatchSize);
      if (batch.length > 0) await send(batch);
    } while (this.#spans.length >= maxBatchSize || (this.#isClosing && this.#spans.length > 0));
    this.#sending = undefined;
    if (this.#spans.length > 0) this.#timer ??= setTimeout(() => this.#begin(), scheduleDelayMs).unref();
  }
}
