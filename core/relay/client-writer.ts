import type { ServerResponse } from 'node:http';

/** Headers waiting for the first byte, backpressure, and the moment the client goes away: one per call. */
export class ClientWriter {
  private readonly response: ServerResponse;
  private readonly writeMs: number;
  private readonly goneListeners: (() => void)[] = [];
  private stalled: NodeJS.Timeout | undefined;
  private committedAt: number | undefined;
  gone = false;

  /** A reader that takes nothing for `writeMs` is given up, so that it cannot hold an upstream call for ever. */
  constructor(response: ServerResponse, writeMs = 0) {
    this.response = response;
    this.writeMs = writeMs;
    response.on('close', () => {
      if (!response.writableFinished) this.leave();
    });
    // A socket error always closes too; without a listener it would end the process.
    response.on('error', () => this.leave());
  }

  /** True once the status line is on its way: nothing may be retried after that. */
  get committed(): boolean {
    return this.committedAt !== undefined;
  }

  onGone(listener: () => void): void {
    if (this.gone) listener();
    else this.goneListeners.push(listener);
  }

  commit(status: number, headers: Record<string, string | number>): void {
    if (this.committed || this.gone) return;
    this.committedAt = performance.now();
    this.response.writeHead(status, headers);
  }

  /** False when the client reads slower than we write: stop reading the upstream until `onDrain`. */
  write(bytes: Buffer | string): boolean {
    if (this.gone) return true;
    return this.response.write(bytes);
  }

  onDrain(listener: () => void): void {
    this.stalled = setTimeout(() => this.response.destroy(), this.writeMs);
    this.stalled.unref();
    this.response.once('drain', () => {
      clearTimeout(this.stalled);
      listener();
    });
  }

  end(bytes?: Buffer | string): void {
    if (this.gone) return;
    if (bytes === undefined) this.response.end();
    else this.response.end(bytes);
  }

  /** Breaks the connection, so that an answer that is not whole cannot look whole. */
  break(): void {
    this.response.destroy();
  }

  private leave(): void {
    if (this.gone) return;
    this.gone = true;
    clearTimeout(this.stalled);
    for (const listener of this.goneListeners) listener();
  }
}
