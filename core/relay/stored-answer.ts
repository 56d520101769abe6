import { AppError } from '../errors/app-error.ts';
import type { Tiers } from '../services/routing.ts';
import type { RelayBody, RelayCall } from './call.ts';
import type { RelayDependencies, Run, ServedAnswer } from './run.ts';

/** Answers that upstreams keep: each lies on one channel and belongs to one user of ours; to the upstream all of them are one. */
export function createStoredAnswers({ storedResponses }: Pick<RelayDependencies, 'storedResponses'>) {
  /** The answer that a call goes on from; undefined when it names none. */
  function named(call: Pick<RelayCall, 'protocol' | 'caller'>, { fields }: RelayBody): Promise<KeptAnswer> | undefined {
    if (call.protocol.name !== 'openai-responses') return undefined;
    const id = fields.value('previous_response_id');
    return typeof id === 'string' && id !== '' ? ownAnswer(call, id) : undefined;
  }

  async function ownAnswer({ caller }: Pick<RelayCall, 'caller'>, id: string): Promise<KeptAnswer> {
    const owner = await storedResponses.ownerOf(id, caller.userId);
    if (!owner) throw notFound(id);
    return { id, channelId: owner.channelId };
  }

  function isKept({ call, body }: Run, { served, end, meter }: ServedAnswer): boolean {
    if (call.protocol.name !== 'openai-responses' || end.kind !== 'complete' || served.upstreamProtocol) return false;
    return meter.answerId !== undefined && body.fields.value('store') !== false;
  }

  /** Before the last byte goes out, so that the very next call can name the answer. */
  async function remember({ call, request }: Run, { served: { channelId }, meter }: ServedAnswer): Promise<void> {
    const { userId } = call.caller;
    await storedResponses.remember({ id: meter.answerId ?? '', userId, channelId, model: request.model });
  }

  return { named, isKept, remember };
}

export interface KeptAnswer {
  id: string;
  channelId: number;
}

/** Only the channel that keeps the answer can go on from it; it must be one that serves this caller's model now. */
export function onlyOn({ id, channelId }: KeptAnswer, tiers: Tiers): { tiers: Tiers; pinned: boolean } {
  const channel = tiers.flat().find((one) => one.id === channelId);
  if (!channel) throw notFound(id);
  return { tiers: [[channel]], pinned: true };
}

function notFound(id: string): AppError {
  return new AppError('response.previousNotFound', { id }, { param: 'previous_response_id' });
}
