import { AppError } from '../errors/app-error.ts';
import type { RelayBody, RelayCall } from './call.ts';
import type { RelayDependencies, Run } from './relay.ts';
import type { ServedAnswer } from './serve-on.ts';

/** Answers that upstreams keep: each lies on one channel and belongs to one user of ours; to the upstream all of them are one. */
export function createStoredAnswers({
  storedResponses,
  routing,
}: Pick<RelayDependencies, 'storedResponses' | 'routing'>) {
  /** The channel of the answer that a call goes on from; undefined when it names none. */
  function channelOf(call: RelayCall, { fields }: RelayBody): Promise<number> | undefined {
    if (call.protocol.name !== 'openai-responses') return undefined;
    const id = fields.value('previous_response_id');
    return typeof id === 'string' && id !== '' ? ownChannel(call, id) : undefined;
  }

  async function ownChannel({ caller }: RelayCall, id: string): Promise<number> {
    const owner = await storedResponses.ownerOf(id, caller.userId);
    if (owner && routing.channel(owner.channelId)?.enabled) return owner.channelId;
    throw new AppError('response.previousNotFound', { id }, { param: 'previous_response_id' });
  }

  function isKept({ call, body }: Run, { served, end, meter }: ServedAnswer): boolean {
    if (call.protocol.name !== 'openai-responses' || end.kind !== 'complete' || served.conversion) return false;
    return meter.answerId !== undefined && body.fields.value('store') !== false;
  }

  /** Before the last byte goes out, so that the very next call can name the answer. */
  async function remember({ call, request }: Run, { served: { channelId }, meter }: ServedAnswer): Promise<void> {
    const { userId } = call.caller;
    await storedResponses.remember({ id: meter.answerId ?? '', userId, channelId, model: request.model });
  }

  return { channelOf, isKept, remember };
}
