import { UpstreamError } from '../../errors/upstream-error.ts';
import type { FirstTokenLimit } from '../../schemas/first-token.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { coded } from '../../text/coded.ts';
import type { AttemptTurn } from '../attempt/attempt.ts';
import type { FirstTokenClock } from '../deliver/deliver-stream.ts';
import type { UsageMeter } from '../meter/usage-meter.ts';
import type { RelayLimits, RelayOptions } from '../relay-options.ts';
import type { RelayDependencies, Run } from '../run.ts';
import { measuredLimit } from './limit.ts';
import { type MeasuredPace, paceOf } from './pace.ts';
import type { FirstTokenTimes } from './times.ts';

/** An upstream that goes on where another broke off first says again what the client has. */
const minCatchUpMs = 30_000;
const catchUpFactor = 2;

interface LimitDependencies {
  options: Pick<RelayOptions, 'firstTokenMs'>;
  limits: Pick<RelayLimits, 'firstToken'>;
  firstTokens: Pick<FirstTokenTimes, 'of'>;
}

/**
 * How long an attempt may take until its first token, by the option FirstTokenTimeout. Undefined when no other channel is left. A
 * number set by the operator applies even if all others are paused after failures; `auto` does not leave a channel for those.
 */
export function firstTokenLimit(
  pace: MeasuredPace | undefined,
  { othersLeft, othersWell }: Pick<AttemptTurn, 'othersLeft' | 'othersWell'>,
  { options, limits, firstTokens }: LimitDependencies,
): FirstTokenLimit | undefined {
  const setting = options.firstTokenMs();
  if (setting !== 'auto') return othersLeft && setting > 0 ? { ms: setting, source: 'setting' } : undefined;
  return pace && othersWell ? measuredLimit(firstTokens.of(pace.key), pace, limits.firstToken) : undefined;
}

/** The first token of one attempt: how long it may take, and what is learned from how long it took. */
export class FirstTokenWatch implements FirstTokenClock {
  /** Undefined without one, and for an upstream that goes on where another broke off. */
  readonly limit: FirstTokenLimit | undefined;
  readonly yieldsToPings: boolean;
  private readonly ms: number;
  private readonly pace: MeasuredPace | undefined;
  private readonly isResumed: boolean;
  private readonly turn: AttemptTurn;
  private readonly dependencies: Pick<RelayDependencies, 'firstTokens' | 'health'>;
  private sentAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private onSilent: (error: UpstreamError) => void = () => undefined;
  private error: UpstreamError | undefined;

  constructor(run: Run, channel: RoutedChannel, turn: AttemptTurn, dependencies: RelayDependencies) {
    this.turn = turn;
    this.dependencies = dependencies;
    this.pace = paceOf(run, channel);
    this.isResumed = run.resumed !== undefined;
    const isLimited = run.request.stream && !this.isResumed;
    this.limit = isLimited ? firstTokenLimit(this.pace, turn, dependencies) : undefined;
    this.yieldsToPings = this.limit !== undefined && this.limit.source !== 'setting';
    const catchUpMs = Math.max(minCatchUpMs, catchUpFactor * (performance.now() - run.call.startedAt));
    this.ms = this.isResumed ? catchUpMs : (this.limit?.ms ?? 0);
  }

  get isRunning(): boolean {
    return this.timer !== undefined;
  }

  /**
   * Files that are fetched for a call and the writing of a long one are not the upstream's time: it runs from when the request is
   * first sent. Throws when it has run out before the request is sent again.
   */
  sent(abort: () => void): void {
    if (this.error) throw this.error;
    this.onSilent = abort;
    if (this.sentAt > 0) return;
    this.sentAt = performance.now();
    if (this.limit) this.dependencies.health.limited(this.limit);
    if (this.ms > 0) this.timer = setTimeout(() => this.runOut(), this.ms);
  }

  follow(onSilent: (error: UpstreamError) => void): void {
    this.onSilent = onSilent;
    if (this.error) onSilent(this.error);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  served({ contentAt }: UsageMeter): void {
    if (!this.pace || contentAt === undefined) return;
    this.dependencies.firstTokens.took(this.pace.key, (contentAt - this.sentAt) / this.pace.load);
  }

  /** The failure as it is to be judged. */
  failed(failure: unknown): unknown {
    this.stop();
    return this.error ?? failure;
  }

  private runOut(): void {
    this.timer = undefined;
    // Without a retry to go on with, the call would only fail sooner: it waits on, unless an operator wants it so.
    if (this.yieldsToPings && !this.turn.claimRetry()) return;
    this.error = firstTokenTimeout(this.ms, this.isResumed);
    if (this.limit) this.dependencies.health.leftFor(this.limit);
    if (this.limit && this.pace) this.dependencies.firstTokens.waited(this.pace.key, this.ms / this.pace.load);
    this.onSilent(this.error);
  }
}

/** `isBlameless`: to say again what another upstream said takes its time. */
function firstTokenTimeout(limitMs: number, isBlameless: boolean): UpstreamError {
  const error = new UpstreamError({
    status: 504,
    code: 'first_token_timeout',
    coded: coded('upstream.silent', { seconds: Math.round(limitMs / 1000) }),
    kind: 'retry',
    silent: true,
  });
  error.isBlameless = isBlameless;
  return error;
}
