import type { HealthSpan, ModelHealth } from '../../core/schemas/channel-health.ts';

const nothing = '-';

/** The shortest span that has something to tell of streams. */
export function recentSpan({ five_minutes, hour, day }: ModelHealth): HealthSpan {
  return [five_minutes, hour].find(({ first_token_p50: known }) => known !== null) ?? day;
}

export function shareText({ success }: HealthSpan): string {
  return success === null ? nothing : `${(success * 100).toFixed(success === 1 ? 0 : 1)}%`;
}

/** The median, and what 95 of 100 do not exceed. */
export function firstTokenPair({ first_token_p50: middle, first_token_p95: high }: HealthSpan): string {
  return middle === null || high === null ? nothing : `${seconds(middle)} / ${seconds(high)}s`;
}

/** The median. */
export function firstTokenText({ first_token_p50: middle }: HealthSpan): string {
  return middle === null ? nothing : `${seconds(middle)}s`;
}

const seconds = (ms: number) => (ms / 1000).toFixed(2);

/** The median, and what 95 of 100 exceed. */
export function speedPair({ speed_p50: middle, speed_p95: low }: HealthSpan): string {
  return middle === null || low === null ? nothing : `${middle} / ${low}`;
}
