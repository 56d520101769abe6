import { UpstreamError } from '../../errors/upstream-error.ts';
import { UpstreamFailure } from '../../integrations/outbound/upstream-client.ts';
import type { FirstTokenLimit } from '../../schemas/first-token.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import type { AttemptTurn } from '../attempt/attempt.ts';
import { firstTokenTimeout } from '../deliver/deliver-stream.ts';
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
export class FirstTokenWatch {
  /** Milliseconds from the moment it is sent, 0 = no limit. */
  readonly ms: number;
  /** Undefined without one, and for an upstream that goes on where another broke off. */
  readonly limit: FirstTokenLimit | undefined;
  private readonly pace: MeasuredPace | undefined;
  private readonly times: FirstTokenTimes;
  private readonly health: RelayDependencies['health'];
  private sentAt = performance.now();

  constructor(run: Run, channel: RoutedChannel, turn: AttemptTurn, dependencies: RelayDependencies) {
    this.times = dependencies.firstTokens;
    this.health = dependencies.health;
    this.pace = paceOf(run, channel);
    if (run.resumed) {
      this.ms = Math.max(minCatchUpMs, catchUpFactor * (performance.now() - run.call.startedAt));
      return;
    }
    this.limit = run.request.stream ? firstTokenLimit(this.pace, turn, dependencies) : undefined;
    this.ms = this.limit?.ms ?? 0;
  }

  /** Files that are fetched for a call and the writing of a long one are not the upstream's time. */
  sent(): void {
    this.sentAt = performance.now();
    if (this.limit) this.health.limited(this.limit);
  }

  /** Milliseconds that are left once the headers are here. */
  leftMs(): number {
    return this.ms === 0 ? 0 : Math.max(1, Math.round(this.ms - (performance.now() - this.sentAt)));
  }

  served({ contentAt }: UsageMeter): void {
    if (this.pace && contentAt !== undefined)
      this.times.took(this.pace.key, (contentAt - this.sentAt) / this.pace.load);
  }

  /** `headersMs`: what the upstream had for its headers. Returns the failure as it is to be judged. */
  failed(failure: unknown, headersMs: number | undefined): unknown {
    if (this.limit === undefined || !isSilence(failure, headersMs === this.ms)) return failure;
    this.health.leftFor(this.limit);
    if (this.pace) this.times.waited(this.pace.key, this.ms / this.pace.load);
    return failure instanceof UpstreamError ? failure : firstTokenTimeout(this.ms, false);
  }
}

function isSilence(failure: unknown, isShortened: boolean): boolean {
  if (failure instanceof UpstreamError) return failure.code === 'first_token_timeout';
  return isShortened && failure instanceof UpstreamFailure && failure.kind === 'headersTimeout';
}
