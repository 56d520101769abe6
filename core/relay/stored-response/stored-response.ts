import { AppError } from '../../errors/app-error.ts';
import { type Tiers, withKey } from '../../services/routing.ts';
import type { ReadCall, RelayBody, RelayCall } from '../call.ts';
import type { RelayDependencies, Run, ServedResponse } from '../run.ts';
import { readReferences, referringBody, refuseKept } from './kept-reference.ts';

/** Responses that upstreams keep: each is on one channel and belongs to one user of ours; to the upstream all of them are one. */
export function createKeptResponses({ storedResponses }: Pick<RelayDependencies, 'storedResponses'>) {
  /** The response that a call goes on from; undefined when it names none. Throws AppError for what belongs to no customer. */
  function named(
    call: Pick<RelayCall, 'protocol' | 'caller'>,
    body: RelayBody,
    json: ReadCall['json'],
  ): Promise<KeptResponse | undefined> | undefined {
    const { name } = call.protocol;
    return name === 'openai-responses' ? find(call, body, json) : refuseKept(name, body, json);
  }

  /** All of them lie on one channel, or the upstream would not find the others. */
  async function find(
    call: Pick<RelayCall, 'caller'>,
    body: RelayBody,
    json: ReadCall['json'],
  ): Promise<KeptResponse | undefined> {
    const referring = await referringBody(body, json);
    const items = referring ? readReferences(referring) : [];
    const previous = body.fields.value('previous_response_id');
    const ids = [...(typeof previous === 'string' && previous !== '' ? [previous] : []), ...new Set(items)];
    if (ids.length === 0) return undefined;
    const owned = await storedResponses.ownersOf(ids, call.caller.userId);
    const [first = ''] = ids;
    const { channelId, channelKey = 0 } = owned.get(first) ?? {};
    const lost = ids.find((id) => channelId === undefined || owned.get(id)?.channelId !== channelId);
    if (channelId === undefined || lost !== undefined)
      throw notFound(lost ?? first, first === previous && lost === first);
    return { id: first, channelId, channelKey };
  }

  function isKept({ call, body }: Run, { served, end, meter }: ServedResponse): boolean {
    if (call.protocol.name !== 'openai-responses' || end.kind !== 'complete' || served.upstreamProtocol) return false;
    return meter.responseId !== undefined && body.fields.value('store') !== false;
  }

  /** Before the last byte goes out, so that the very next call can name the response. */
  async function remember(
    { call, request }: Run,
    { served: { channelId, channelKey }, meter }: ServedResponse,
  ): Promise<void> {
    const { userId } = call.caller;
    await storedResponses.remember({
      id: meter.responseId ?? '',
      items: meter.itemIds,
      userId,
      channelId,
      channelKey,
      model: request.model,
    });
  }

  return { named, isKept, remember };
}

export interface KeptResponse {
  id: string;
  channelId: number;
  channelKey: number;
}

/** Only the channel that keeps the response can go on from it; it must be one that serves this caller's model now. */
export function onlyOn({ id, channelId, channelKey }: KeptResponse, tiers: Tiers): { tiers: Tiers; pinned: boolean } {
  const channel = tiers.flat().find((one) => one.id === channelId);
  if (!channel) throw notFound(id);
  return { tiers: [[withKey(channel, channelKey)]], pinned: true };
}

function notFound(id: string, isPrevious = true): AppError {
  if (isPrevious) return new AppError('response.previousNotFound', { id }, { param: 'previous_response_id' });
  return new AppError('response.itemNotFound', { id: id.slice(0, 64) }, { param: 'input' });
}
