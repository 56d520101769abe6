const failuresToOpen = 5;
const firstOpenMs = 2000;
const longestOpenMs = 10_000;

interface Circuit {
  failures: number;
  openMs: number;
  openUntil: number;
  /** One trial call is under way; no other goes through until it ends. */
  trying: boolean;
}

/**
 * One circuit per channel, in memory of this process: five failures in a row open it for 2 s, doubling to 10 s (± 20 %),
 * then one call tries. A channel that recovers serves again at most 12 s later. Times are monotonic milliseconds.
 */
export class Breaker {
  private readonly circuits = new Map<number, Circuit>();
  private readonly now: () => number;
  private readonly random: () => number;

  constructor(now: () => number = () => performance.now(), random: () => number = Math.random) {
    this.now = now;
    this.random = random;
  }

  allows(channelId: number): boolean {
    const circuit = this.circuits.get(channelId);
    return !circuit || circuit.openUntil === 0 || (this.now() >= circuit.openUntil && !circuit.trying);
  }

  /** Milliseconds until the channel may be tried, 0 when it may now. */
  waitMs(channelId: number): number {
    const circuit = this.circuits.get(channelId);
    return circuit ? Math.max(0, circuit.openUntil - this.now()) : 0;
  }

  /** Call before each attempt: an open circuit whose time is over lets exactly one through. */
  begin(channelId: number): void {
    const circuit = this.circuits.get(channelId);
    if (circuit && circuit.openUntil > 0) circuit.trying = true;
  }

  succeed(channelId: number): void {
    this.circuits.delete(channelId);
  }

  /** An attempt that says nothing about the channel (the client's own error, the client went away). */
  release(channelId: number): void {
    const circuit = this.circuits.get(channelId);
    if (circuit) circuit.trying = false;
  }

  fail(channelId: number, retryAfterSeconds?: number): void {
    const circuit = this.circuits.get(channelId) ?? {
      failures: 0,
      openMs: firstOpenMs,
      openUntil: 0,
      trying: false,
    };
    const wasOpen = circuit.openUntil > 0;
    circuit.trying = false;
    circuit.failures += 1;
    if (retryAfterSeconds !== undefined) {
      circuit.openUntil = this.now() + retryAfterSeconds * 1000;
    } else if (wasOpen || circuit.failures >= failuresToOpen) {
      circuit.openUntil = this.now() + circuit.openMs * (0.8 + 0.4 * this.random());
      circuit.openMs = Math.min(longestOpenMs, circuit.openMs * 2);
    }
    this.circuits.set(channelId, circuit);
  }
}
