import { AppError } from '../../errors/app-error.ts';
import type { Peer } from './peer.ts';
import type { RealtimeLimits } from './realtime-call.ts';

interface SessionWatchDependencies {
  limits: RealtimeLimits;
  client: Pick<Peer, 'checkLife' | 'terminate'>;
  upstream: Pick<Peer, 'checkLife' | 'terminate'>;
  isResponding(): boolean;
  stop(error: AppError): void;
  /** The upstream has begun to respond and says nothing more. */
  upstreamSilent(): void;
}

const tickMs = 1000;

/** The clocks of a session: silence, length and signs of life. */
export class SessionWatch {
  readonly #dependencies: SessionWatchDependencies;
  readonly #startedAt = performance.now();
  #spokenAt = this.#startedAt;
  #upstreamAt = this.#startedAt;
  #pingedAt = this.#startedAt;
  #isUpstreamHeld = false;
  readonly #timer: NodeJS.Timeout;

  constructor(dependencies: SessionWatchDependencies) {
    this.#dependencies = dependencies;
    this.#timer = setInterval(() => this.#look(), tickMs);
    this.#timer.unref();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  clientSpoke(): void {
    this.#spokenAt = performance.now();
  }

  upstreamSpoke(): void {
    this.#upstreamAt = performance.now();
    this.#spokenAt = this.#upstreamAt;
  }

  /** What it does not say while it is held back says nothing about it. */
  upstreamHeld(isHeld: boolean): void {
    this.#isUpstreamHeld = isHeld;
    this.#upstreamAt = performance.now();
  }

  #look(): void {
    const { limits, client, upstream, isResponding, stop, upstreamSilent } = this.#dependencies;
    const now = performance.now();
    const isSilent = isResponding() && !this.#isUpstreamHeld && now - this.#upstreamAt > limits.responseIdleMs;
    const isIdle = !isResponding() && now - this.#spokenAt > limits.idleMs;
    if (now - this.#startedAt > limits.totalMs) stop(new AppError('realtime.tooLong', minutesOf(limits.totalMs)));
    else if (isSilent) upstreamSilent();
    else if (isIdle) stop(new AppError('realtime.idle', minutesOf(limits.idleMs)));
    if (now - this.#pingedAt >= limits.pingMs) {
      this.#pingedAt = now;
      for (const peer of [client, upstream]) if (!peer.checkLife()) peer.terminate();
    }
  }
}

function minutesOf(ms: number): { minutes: number } {
  return { minutes: Math.max(1, Math.round(ms / 60_000)) };
}
