import { isChatProtocol } from '../../canonical/chat-request.ts';
import type { ProviderAdapter } from '../../providers/adapter.ts';
import { upstreamProtocol } from '../../providers/upstream-protocol.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { readChat } from '../request/conversion.ts';
import type { Run } from '../run.ts';
import { type Continuation, mayContinue } from './continuation.ts';

interface NextUpstream {
  channel: RoutedChannel;
  adapter: ProviderAdapter;
  upstreamModel: string;
  /** False after it has refused to. */
  mayPrefill: boolean;
}

/** How this channel is asked to go on with what the client has; undefined when it says the whole again. */
export async function chooseContinuation(
  run: Run,
  { channel, adapter, upstreamModel, mayPrefill }: NextUpstream,
): Promise<Continuation | undefined> {
  const { resumed } = run;
  if (!resumed) return undefined;
  const { delivered, isInstructed } = resumed;
  if (isInstructed) return { kind: 'instructed', delivered };
  const { name } = run.call.protocol;
  if (!mayPrefill || !isChatProtocol(name) || adapter.ownChat?.(upstreamModel, channel)) return undefined;
  const spoken = upstreamProtocol(adapter, name, upstreamModel, channel);
  const contract = isChatProtocol(spoken) ? adapter.continuesTurn?.(upstreamModel, spoken, channel) : undefined;
  if (!contract || !mayContinue(await readChat(run), delivered, 'prefill')) return undefined;
  return { kind: 'prefill', mark: contract.mark, delivered };
}
