import type { UpstreamFailure } from './upstream-failure.ts';

export interface UpstreamSink {
  data(chunk: Buffer): void;
  /** The last call, unless `error` is. */
  end(): void;
  /** The last call. Bytes delivered before it are true, but not the whole response. */
  error(error: UpstreamFailure): void;
}

/** Where the bytes come from, told to wait while they are not wanted. */
export interface DeliverySource {
  pauseSource(): void;
  resumeSource(): void;
}

const heldBytesLimit = 65_536; // beyond it the upstream is not read from until the sink takes more

/** Hands the bytes of one response to its reader in order, and holds them while there is no reader or it is paused. */
export class ResponseDelivery {
  #source: DeliverySource;
  #sink: UpstreamSink | undefined;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isPaused = false;
  #isFlushing = false;
  #outcome: 'end' | UpstreamFailure | undefined;
  #isOver = false; // the outcome was delivered, or is no longer wanted

  constructor(source: DeliverySource) {
    this.#source = source;
  }

  deliver(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#sink && !this.#isPaused && this.#held.length === 0) {
      this.#sink.data(chunk);
      return;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes >= heldBytesLimit || this.#isPaused) this.#source.pauseSource();
  }

  /** Ends the delivery once everything held has been taken; the first outcome counts. */
  finish(outcome: 'end' | UpstreamFailure): void {
    this.#outcome ??= outcome;
    const sink = this.#sink;
    if (this.#isOver || !sink || this.#held.length > 0) return;
    this.#isOver = true;
    this.#letGo();
    if (this.#outcome === 'end') sink.end();
    else sink.error(this.#outcome);
  }

  consume(sink: UpstreamSink): void {
    this.#sink = sink;
    this.#flush();
  }

  pause(): void {
    this.#isPaused = true;
    this.#source.pauseSource();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#flush();
  }

  /** Forgets what is held, so that an outcome is not kept waiting by a reader that is paused. */
  drop(): void {
    this.#held = [];
    this.#heldBytes = 0;
  }

  /** The reader wants to hear nothing more. */
  cancel(): void {
    this.#isOver = true;
    this.#letGo();
    this.drop();
  }

  /** An idle connection remembers its last call, and a reader knows the whole call it read for, body and all. */
  #letGo(): void {
    this.#sink = undefined;
  }

  #flush(): void {
    const sink = this.#sink;
    // The sink may pause or resume from inside `data`; the loop that is running then carries on.
    if (!sink || this.#isFlushing) return;
    this.#isFlushing = true;
    try {
      while (this.#held.length > 0 && !this.#isPaused) {
        const chunk = this.#held.shift();
        this.#heldBytes -= chunk?.length ?? 0;
        if (chunk) sink.data(chunk);
      }
    } finally {
      this.#isFlushing = false;
    }
    if (this.#held.length > 0 || this.#isOver) return;
    if (this.#outcome) this.finish(this.#outcome);
    else if (!this.#isPaused) this.#source.resumeSource();
  }
}
