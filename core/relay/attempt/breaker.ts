import { KeyRotation } from './key-rotation.ts';

const failuresToOpen = 5;
const firstOpenMs = 2000;
const maxOpenMs = 10_000;

interface Circuit {
  failures: number;
  openMs: number;
  /** When it last opened; 0 while it is closed. */
  openedAt: number;
  openUntil: number;
  /** When the one trial call under way began; no other goes through until it ends. 0: none is under way. */
  trial: number;
}

export interface FailureDetails {
  /** What `begin` returned. An attempt begun before the circuit opened does not lengthen its wait. */
  begunAt?: number;
  retryAfterSeconds?: number | undefined;
  /** How much of a failure it is, 1 when left out. */
  weight?: number;
}

/**
 * One circuit per channel, in memory of this process: five failures in a row open it for 2 s, doubling to 10 s (± 20 %),
 * then one call tries. A channel that recovers serves again at most 12 s later. Times are monotonic milliseconds.
 */
export class Breaker {
  /** The pauses of single keys, of channels with several. */
  readonly keys = new KeyRotation();
  private readonly circuits = new Map<number, Circuit>();
  private readonly now: () => number;
  private readonly random: () => number;

  constructor(now: () => number = () => performance.now(), random: () => number = Math.random) {
    this.now = now;
    this.random = random;
  }

  allows(channelId: number): boolean {
    const circuit = this.circuits.get(channelId);
    return !circuit || circuit.openedAt === 0 || (this.now() >= circuit.openUntil && circuit.trial === 0);
  }

  /** Nothing has failed since the last whole response. */
  isWell(channelId: number): boolean {
    return !this.circuits.has(channelId);
  }

  /** Milliseconds until the channel may be tried, 0 when it may now. */
  waitMs(channelId: number): number {
    const circuit = this.circuits.get(channelId);
    return circuit ? Math.max(0, circuit.openUntil - this.now()) : 0;
  }

  /** Call before each attempt, and hand on what it returns: an open circuit whose time is over lets exactly one through. */
  begin(channelId: number): number {
    const begunAt = this.now();
    const circuit = this.circuits.get(channelId);
    if (circuit && circuit.openedAt > 0) circuit.trial = begunAt;
    return begunAt;
  }

  /** The whole response came. One that was begun before the circuit opened says nothing of the channel since. */
  succeed(channelId: number, begunAt = this.now()): void {
    const circuit = this.circuits.get(channelId);
    if (circuit && !wasOpenedAfter(circuit, begunAt)) this.circuits.delete(channelId);
  }

  /** The attempt says nothing more about the channel: the client's own error, the client left, a response has begun. */
  release(channelId: number, begunAt: number): void {
    const circuit = this.circuits.get(channelId);
    if (circuit?.trial === begunAt) circuit.trial = 0;
  }

  fail(channelId: number, { begunAt = this.now(), retryAfterSeconds, weight = 1 }: FailureDetails = {}): void {
    const known = this.circuits.get(channelId);
    const circuit = known ?? { failures: 0, openMs: firstOpenMs, openedAt: 0, openUntil: 0, trial: 0 };
    if (!known) this.circuits.set(channelId, circuit);
    if (circuit.trial === begunAt) circuit.trial = 0;
    // How long an upstream asks to be left alone counts whenever the call that it told began.
    if (retryAfterSeconds !== undefined) this.open(circuit, retryAfterSeconds * 1000);
    if (wasOpenedAfter(circuit, begunAt)) return;
    circuit.failures += weight;
    if (retryAfterSeconds !== undefined || (circuit.openedAt === 0 && circuit.failures < failuresToOpen)) return;
    this.open(circuit, circuit.openMs * (0.8 + 0.4 * this.random()));
    circuit.openMs = Math.min(maxOpenMs, circuit.openMs * 2);
  }

  /** It fails on other machines: one call tries it before others follow. A channel that has a circuit here is known better than that. */
  suspect(channelId: number): void {
    if (this.isWell(channelId)) this.fail(channelId, { retryAfterSeconds: maxOpenMs / 1000 });
  }

  private open(circuit: Circuit, ms: number): void {
    // 0 would say that it is closed.
    circuit.openedAt = Math.max(this.now(), Number.MIN_VALUE);
    circuit.openUntil = Math.max(circuit.openUntil, this.now() + ms);
  }
}

function wasOpenedAfter({ openedAt }: Circuit, begunAt: number): boolean {
  return openedAt > begunAt;
}
