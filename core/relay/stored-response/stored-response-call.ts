import { AppError } from '../../errors/app-error.ts';
import { clientHeaders } from '../../integrations/outbound/header-rules.ts';
import type { UpstreamResponse } from '../../integrations/outbound/upstream-client.ts';
import { adapterFor } from '../../providers/registry.ts';
import { type RoutedChannel, withKey } from '../../services/routing.ts';
import type { StoredResponseService } from '../../services/stored-response.ts';
import { checkModelLimits } from '../admit.ts';
import { type AskDependencies, askUpstream } from '../attempt/ask-upstream.ts';
import type { ClientWriter } from '../deliver/client-writer.ts';
import { passOn } from '../deliver/pass-on.ts';
import type { FreeCall } from '../free-call/free-call.ts';
import { ObjectBody } from '../request/object-body.ts';
import { upstreamModelOf } from '../request/outgoing-call.ts';
import { usefulOf } from '../request/write-call.ts';
import type { RelayDependencies } from '../run.ts';

export interface StoredResponseCall {
  call: FreeCall;
  id: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** What follows the id in the path: `/input_items`, `/cancel`, or nothing. */
  tail: string;
  client: ClientWriter;
}

interface StoredResponseCallDependencies extends AskDependencies, Pick<RelayDependencies, 'routing'> {
  storedResponses: Pick<StoredResponseService, 'ownerOf' | 'forget'>;
}

/** As vendors give them; anything else would lead elsewhere in the upstream's paths. */
const idShape = /^[\w-]{1,256}$/;
/** Of the client's query, what the calls know. */
const parameter = /^(include|stream|starting_after|include_obfuscation|after|before|limit|order)(\[\w*\])?$/;
const noFields = new ObjectBody({}).fields;

/** What may be done with a response that an upstream keeps: passed to the channel it lies on, for its owner alone. */
export function createStoredResponseCalls(dependencies: StoredResponseCallDependencies) {
  const { storedResponses, routing } = dependencies;

  async function serve(asked: StoredResponseCall): Promise<void> {
    const { call, id, method, client } = asked;
    const { channel, model } = await find(asked);
    const response = await ask(asked, channel, model);
    if (method === 'DELETE') await storedResponses.forget(id, call.caller.userId);
    await respond(response, channel, call, client);
  }

  async function find({
    call: { caller },
    id,
  }: StoredResponseCall): Promise<{ channel: RoutedChannel; model: string }> {
    const stored = idShape.test(id) ? await storedResponses.ownerOf(id, caller.userId) : undefined;
    const found = stored && routing.channel(stored.channelId);
    if (!stored || !found) throw new AppError('response.notFound', { id: id.slice(0, 64) });
    const { model } = stored;
    checkModelLimits(caller, model);
    const { group } = caller;
    if (!found.enabled) throw new AppError('relay.noChannel', { model, group }, { retryAfterSeconds: 30 });
    return { channel: withKey(found.channel, stored.channelKey), model };
  }

  function ask(asked: StoredResponseCall, channel: RoutedChannel, model: string): Promise<UpstreamResponse> {
    const { call, id, method, tail, client } = asked;
    const adapter = adapterFor(channel.type);
    if (!adapter) throw new AppError('provider.unknown', { type: channel.type });
    const built = adapter.buildRequest(
      {
        protocol: 'openai-responses',
        path: `/v1/responses/${id}${tail}`,
        query: call.query,
        model: upstreamModelOf(channel, model),
        request: { model, stream: false, wantsUsage: false, maxCompletion: undefined, units: {} },
        fields: noFields,
        headers: usefulOf(call.clientHeaders),
        settings: dependencies.options.modelSettings(),
        now: Date.now(),
      },
      channel,
    );
    const { headersMs, idleMs, totalMs } = dependencies.limits;
    const limits = { headersMs, idleMs, totalMs };
    const url = withQuery(built.url, call.query);
    return askUpstream(
      { channel, adapter, method, built: { ...built, url }, source: undefined, limits, client },
      dependencies,
    );
  }

  return { serve };
}

function withQuery(url: string, query: URLSearchParams): string {
  const known = new URLSearchParams([...query].filter(([name]) => parameter.test(name))).toString();
  if (known === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${known}`;
}

/** As it comes: whole, or as the events of a response that is still being made. */
function respond(
  response: UpstreamResponse,
  channel: RoutedChannel,
  { id }: FreeCall,
  client: ClientWriter,
): Promise<void> {
  const headers = clientHeaders(response.headers, { now: Date.now(), secrets: [channel.key] });
  headers.push('cache-control', 'no-store', 'x-request-id', id, 'x-oneapi-request-id', id, 'x-accel-buffering', 'no');
  client.commit(response.status, headers);
  return passOn(response, client);
}
