import { UpstreamError } from '../../errors/upstream-error.ts';
import { secondsPerDay } from '../../lib/clock.ts';
import type { StreamOptions } from '../../providers/adapter.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import type { PreparedAttempt } from '../run.ts';

/** How much of `stream_options` goes out to begin with: upstreams change, so that a refusal counts for a day. */
export function streamOptionsFor({ streamOptionsRefusedAt }: RoutedChannel, nowSeconds: number): StreamOptions {
  return streamOptionsRefusedAt > nowSeconds - secondsPerDay ? 'none' : 'all';
}

/** How much goes out after a refusal; undefined when the field was not what the upstream refused, or is not ours to leave out. */
export function lessStreamOptions(attempt: PreparedAttempt, failure: unknown): StreamOptions | undefined {
  if (!(failure instanceof UpstreamError && failure.refusesStreamOptions)) return undefined;
  const { channel, options, streamOptions } = attempt;
  if (streamOptions === 'none' || channel.setting.stream_options !== undefined || options.passesBodies())
    return undefined;
  // A wrong member of the client's own must not cost us the usage.
  return streamOptions === 'all' && hasOwnMembers(attempt) ? 'usage' : 'none';
}

function hasOwnMembers({ run, conversion }: PreparedAttempt): boolean {
  const given = conversion ? undefined : run.body.fields.value('stream_options');
  return typeof given === 'object' && given !== null && Object.keys(given).some((name) => name !== 'include_usage');
}
