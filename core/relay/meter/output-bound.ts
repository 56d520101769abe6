import type { RelayRequest } from '../../canonical/request.ts';
import { adapterFor } from '../../providers/registry.ts';
import type { Tiers } from '../../services/routing.ts';
import type { RelayOptions } from '../relay-options.ts';
import { upstreamModelOf } from '../request/outgoing-call.ts';

/** The largest bound of output that any of the channels would be sent, where they set one themselves; 0 where none does. */
export function outputBound(
  request: RelayRequest,
  tiers: Tiers,
  { modelSettings }: Pick<RelayOptions, 'modelSettings'>,
): number {
  let largest = 0;
  for (const tier of tiers) {
    for (const channel of tier) {
      const adapter = adapterFor(channel.type);
      if (!adapter?.outputBound) continue;
      const bound = adapter.outputBound(upstreamModelOf(channel, request.model), request, modelSettings());
      largest = Math.max(largest, bound);
    }
  }
  return largest;
}
