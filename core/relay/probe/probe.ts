import type { BodyEdit } from '../../canonical/body-edit.ts';
import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { Authorizer } from '../../integrations/credential/authorizer.ts';
import type { SignedRequest } from '../../integrations/credential/signed-request.ts';
import type { Outbound } from '../../integrations/outbound/outbound.ts';
import type { CancelSignal } from '../../lib/cancellation.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import type {
  ChannelTarget,
  OwnChat,
  ProviderAdapter,
  UpstreamCall,
  UpstreamCredential,
} from '../../providers/adapter.ts';
import type { ModelSettings } from '../../providers/model-setting.ts';
import { requireAdapter, servesOnlyJobs } from '../../providers/registry.ts';
import { ownUserAgent } from '../../providers/user-agent.ts';
import { channelTypeWords } from '../../schemas/channel-type.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { readingOf } from '../../wire/chat-reading.ts';
import { readWhole } from '../attempt/authorize.ts';
import { toUpstreamError } from '../attempt/failure.ts';
import { parseOrText } from '../attempt/upstream-refusal.ts';
import { collectStream } from '../deliver/collect-stream.ts';
import { ObjectBody } from '../request/object-body.ts';
import { testCall } from './test-call.ts';

export interface ProbeResult {
  ok: boolean;
  /** The upstream took the call and said something, or stayed silent; false when no connection came about. */
  reached: boolean;
  /** The model asked for, before the channel's mapping. */
  model: string;
  /** From sending to the whole response. */
  ms: number;
  /** What the upstream said, without keys and addresses; '' when it succeeded. */
  reason: string;
  error: UpstreamError | undefined;
}

/** What the user who saved the address was allowed to reach, and the way there. */
export interface ProbeReach {
  privateAllowed: boolean;
  /** The channel's own. */
  proxy?: string | undefined;
}

/** Calls of ours to a chosen channel: no caller, no bill, no log row of a call. */
export interface Probe {
  /** Sends one tiny call. Whatever the channel does wrong is in the result. */
  test(channel: RoutedChannel, model?: string, signal?: CancelSignal): Promise<ProbeResult>;
  /** The models the upstream says it serves. Throws AppError when it does not say. */
  models(target: Pick<ChannelTarget, 'type' | 'key' | 'base_url'>, reach: ProbeReach): Promise<string[]>;
  /** What is left on the account of the key, in US dollars. Throws AppError when the vendor does not say. */
  balance(target: ChannelTarget, reach: ProbeReach, yuanPerDollar: number): Promise<number>;
}

export interface ProbeDependencies {
  outbound: Pick<Outbound, 'upstream' | 'fetchJson'>;
  authorizer: Pick<Authorizer, 'authorize' | 'refused'>;
  modelSettings(): ModelSettings;
  /** RELAY_PROXY, for channels without a proxy of their own. */
  proxy: string | undefined;
  /** Called for every test; a failed one has no time, because how fast a refusal comes says nothing about a channel. */
  saveTestResult(channelId: number, ms: number | undefined): Promise<void>;
}

const limits = { headersMs: 60_000, idleMs: 60_000, totalMs: 120_000 };
const responseBytes = 1_048_576;
const readMs = 15_000;
const unnamedModel = 'gpt-4o-mini';

/** Throws `refusal` for a type of paid jobs, which are served all the same. */
function adapterOf(type: number, refusal: 'channel.untestable' | 'channel.noModelList' | 'channel.noBalance') {
  if (servesOnlyJobs(type)) throw new AppError(refusal, { channelType: channelTypeWords(type) });
  return requireAdapter(type);
}

export function createProbe({ outbound, authorizer, modelSettings, proxy, saveTestResult }: ProbeDependencies): Probe {
  async function test(channel: RoutedChannel, wanted?: string, signal?: CancelSignal): Promise<ProbeResult> {
    const model = wanted || channel.testModel || channel.models[0] || unnamedModel;
    const startedAt = performance.now();
    const error = await attempt(channel, model, signal).catch(toUpstreamError);
    const ms = Math.round(performance.now() - startedAt);
    await saveTestResult(channel.id, error ? undefined : ms);
    // A refusal read from a response has no cause; what went wrong on the way has.
    const reached = error === undefined || error.cause === undefined || error.silent;
    return { ok: error === undefined, reached, model, ms, reason: error?.coded ?? '', error };
  }

  /** Resolves with what the upstream refused, throws what went wrong on the way. */
  async function attempt(
    channel: RoutedChannel,
    model: string,
    signal: CancelSignal | undefined,
  ): Promise<UpstreamError | undefined> {
    // Drawing and music are asynchronous and never free: a test would buy something (relay reference, 9).
    const adapter = adapterOf(channel.type, 'channel.untestable');
    const upstreamModel = channel.modelMapping.get(model) ?? model;
    const { own, protocol, asked, body, isResponse } = testCall(adapter, channel, upstreamModel);
    const call: UpstreamCall = {
      protocol: protocol.name,
      path: protocol.path,
      query: new URLSearchParams(),
      model: upstreamModel,
      request: own?.streamsOnly ? { ...asked, stream: true } : asked,
      fields: body.fields,
      convertedFrom: 'openai-chat',
      settings: modelSettings(),
      now: Date.now(),
    };
    const built = own
      ? own.buildRequest({ ...call, body: body.json() }, channel)
      : adapter.buildRequest({ ...call, body: body.json() }, channel);
    const overrides: BodyEdit[] = [...channel.paramOverride].map(([set, raw]) => ({ set, raw }));
    const proxyInUse = channel.setting.proxy || proxy;
    const reach = { privateAllowed: channel.privateAllowed, ...(proxyInUse ? { proxy: proxyInUse } : {}) };
    const { open } = (built.body ? new ObjectBody(built.body) : body).source([...built.edits, ...overrides]);
    const sent = await readWhole(open());
    const request = {
      url: built.url,
      method: 'POST',
      headers: { ...built.headers, ...ownUserAgent(channel), 'content-type': 'application/json' },
      body: sent,
      limits,
      ...reach,
      ...(built.socket && { socket: built.socket }),
    };
    const ask = async () => {
      if (built.credential) await prove(request, built.credential, reach);
      const response = await outbound.upstream.send(request, signal);
      const bytes = await response.readAll(responseBytes);
      const { status, headers } = response;
      if (own?.streamsOnly && status === 200) return streamRefusal(adapter, channel, own, bytes);
      return refusalOf(adapter, channel, { status, headers, text: bytes.toString('utf8') }, (document) =>
        isResponse(built.readResponse ? built.readResponse(document) : document),
      );
    };
    const refusal = await ask();
    // A token that ended before its time says nothing of the channel.
    const isEnded = refusal?.renewsCredential || refusal?.status === 401;
    const mayRenew = isEnded && built.credential && authorizer.refused(built.credential, request);
    return mayRenew ? ask() : refusal;
  }

  async function prove(request: SignedRequest, credential: UpstreamCredential, reach: ProbeReach): Promise<void> {
    const { headers, url } = await authorizer.authorize(request, credential, reach);
    Object.assign(request.headers, headers);
    if (url !== undefined) request.url = url;
  }

  async function models(target: ChannelTarget, reach: ProbeReach): Promise<string[]> {
    const { type, key } = target;
    const adapter = adapterOf(type, 'channel.noModelList');
    const list = adapter.modelList?.(target);
    if (!list) throw new AppError('channel.noModelList', { channelType: channelTypeWords(type) });
    const body = await read({ adapter, key, reach, refusal: 'channel.modelsRefused' }, list);
    const found = list.read(body);
    if (found.length === 0) throw new AppError('channel.noModelList', { channelType: channelTypeWords(type) });
    return found;
  }

  async function balance(target: ChannelTarget, reach: ProbeReach, yuanPerDollar: number): Promise<number> {
    const adapter = adapterOf(target.type, 'channel.noBalance');
    const today = new Date().toISOString().slice(0, 10);
    const query = adapter.balance?.(target, today, yuanPerDollar);
    if (!query) throw new AppError('channel.noBalance', { channelType: channelTypeWords(target.type) });
    const bodies: unknown[] = [];
    for (const request of query.requests) {
      bodies.push(await read({ adapter, key: target.key, reach, refusal: 'channel.balanceRefused' }, request));
    }
    return query.read(bodies);
  }

  /** One small response, taken from the vendor's documentation. */
  async function read(
    { adapter, key, reach, refusal }: Reading,
    { url, headers: fixed, credential }: ReadRequest,
  ): Promise<unknown> {
    const proxyInUse = reach.proxy || proxy;
    const request = { url, method: 'GET', headers: { ...fixed }, body: Buffer.alloc(0) };
    const proof = { ...reach, ...(proxyInUse && { proxy: proxyInUse }) };
    if (credential) {
      await prove(request, credential, proof).catch((error: unknown) => {
        if (!(error instanceof UpstreamError)) throw error;
        throw new AppError(refusal, { status: error.status, reason: error.coded }, { cause: error });
      });
    }
    const { status, headers, body } = await outbound.fetchJson(request.url, {
      profile: reach.privateAllowed ? 'operatorPrivate' : 'operator',
      headers: request.headers,
      timeoutMs: readMs,
      ...(proxyInUse ? { proxy: proxyInUse } : {}),
    });
    if (status >= 200 && status <= 299) return body;
    const { message } = adapter.readError(status, body, headers, { now: Date.now(), secrets: [key] });
    throw new AppError(refusal, { status, reason: message });
  }

  return { test, models, balance };
}

interface ReadRequest {
  url: string;
  headers: Record<string, string>;
  credential?: UpstreamCredential;
}

interface Reading {
  adapter: ProviderAdapter;
  key: string;
  reach: ProbeReach;
  refusal: 'channel.modelsRefused' | 'channel.balanceRefused';
}

interface ProbeResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Undefined for a stream that says something and ends well. */
async function streamRefusal(
  adapter: ProviderAdapter,
  channel: RoutedChannel,
  { codec, createStreamDecoder }: OwnChat,
  bytes: Buffer,
): Promise<UpstreamError | undefined> {
  const text = bytes.toString('utf8');
  if (text.trimStart().startsWith('{'))
    return refusalOf(adapter, channel, { status: 200, headers: {}, text }, () => false);
  const identity = { id: 'test', model: '', created: 0 };
  const events = await collectStream(bytes, createStreamDecoder?.(), {
    reader: codec.createStreamReader({ identity }),
    isError: (event) => adapter.hiddenErrorStatus(event) !== undefined,
  });
  const { error, status = 502, finished } = readingOf(events);
  if (!error && finished) return undefined;
  return adapter.readError(adapter.hiddenErrorStatus(error) ?? status, error ?? text, {}, contextOf(channel));
}

function contextOf({ key, base_url }: RoutedChannel) {
  return { now: Date.now(), secrets: [key, base_url].filter(Boolean) };
}

function refusalOf(
  adapter: ProviderAdapter,
  channel: RoutedChannel,
  { status, headers, text }: ProbeResponse,
  isResponse: (document: unknown) => boolean,
) {
  const body = parseOrText(text);
  const context = contextOf(channel);
  if (status < 200 || status > 299) {
    return adapter.readError(channel.statusMapping.get(status) ?? status, body, headers, context);
  }
  const hidden = adapter.hiddenErrorStatus(body);
  if (hidden !== undefined) return adapter.readError(hidden, body, headers, context);
  if (!isJsonObject(body) || !isResponse(body)) return adapter.readError(502, body, headers, context);
  return undefined;
}
