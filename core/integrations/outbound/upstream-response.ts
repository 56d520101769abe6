import type { UpstreamSink } from './response-delivery.ts';

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Starts the delivery; nothing is lost before. Called once, and not together with `readAll`. */
  consume(sink: UpstreamSink): void;
  /** No `data` until `resume`; what still arrives waits here and the upstream is no longer read from. */
  pause(): void;
  resume(): void;
  /** Closes the connection unless the response is complete. A sink is not called again; `readAll` rejects. */
  abort(reason?: unknown): void;
  /** The whole decoded body. */
  readAll(maxBytes?: number): Promise<Buffer>;
}

export interface UpstreamLimits {
  headersMs: number;
  /** Between two chunks; time in which the reader did not want more does not count. */
  idleMs: number;
  /** 0 and undefined: none. */
  totalMs?: number | undefined;
}
