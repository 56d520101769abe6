import { isChatProtocol } from '../canonical/chat-request.ts';
import type { RelayRequest } from '../canonical/request.ts';
import { AppError } from '../errors/app-error.ts';
import { UpstreamError } from '../errors/upstream-error.ts';
import type { Authorizer } from '../integrations/credential/authorizer.ts';
import type { Outbound } from '../integrations/outbound/outbound.ts';
import type { CancelSignal } from '../lib/cancellation.ts';
import { isRecord } from '../lib/json-value.ts';
import { chatClients } from '../protocols/chat-client.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { protocols } from '../protocols/registry.ts';
import type { BodyEdit, ChannelTarget, ProviderAdapter, UpstreamCredential } from '../providers/adapter.ts';
import { chatUpstreams, upstreamProtocol } from '../providers/chat-upstream.ts';
import type { ModelSettings } from '../providers/model-setting.ts';
import { adapterFor } from '../providers/registry.ts';
import { ownUserAgent } from '../providers/user-agent.ts';
import type { RoutedChannel } from '../services/routing.ts';
import { readWhole } from './authorize.ts';
import { toUpstreamError } from './failure.ts';
import { ObjectBody } from './object-body.ts';
import { parseOrText } from './upstream-refusal.ts';

export interface ProbeResult {
  ok: boolean;
  /** The upstream took the call and said something, or stayed silent; false when no connection came about. */
  reached: boolean;
  /** The model asked for, before the channel's mapping. */
  model: string;
  /** From sending to the whole answer. */
  ms: number;
  /** What the upstream said, without keys and addresses; '' when it answered. */
  reason: string;
  error: UpstreamError | undefined;
}

/** How far the word of whoever saved the address goes, and the way there. */
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
  authorizer: Pick<Authorizer, 'authorize'>;
  modelSettings(): ModelSettings;
  /** RELAY_PROXY, for channels without a proxy of their own. */
  proxy: string | undefined;
  /** Called for every test; a failed one has no time, because how fast a refusal comes says nothing about a channel. */
  saveTestResult(channelId: number, ms: number | undefined): Promise<void>;
}

const limits = { headersMs: 60_000, idleMs: 60_000, totalMs: 120_000 };
const answerBytes = 1_048_576;
const readMs = 15_000;
const unnamedModel = 'gpt-4o-mini';
/** Drawing and music are asynchronous and never free: a test would buy something (relay reference, 9). */
const untestableTypes = new Set([2, 5, 36]);

export function createProbe({ outbound, authorizer, modelSettings, proxy, saveTestResult }: ProbeDependencies): Probe {
  async function test(channel: RoutedChannel, wanted?: string, signal?: CancelSignal): Promise<ProbeResult> {
    const model = wanted || channel.testModel || channel.models[0] || unnamedModel;
    const startedAt = performance.now();
    const error = await attempt(channel, model, signal).catch(toUpstreamError);
    const ms = Math.round(performance.now() - startedAt);
    await saveTestResult(channel.id, error ? undefined : ms);
    // A refusal read from an answer has no cause; what went wrong on the way has.
    const reached = error === undefined || error.cause === undefined || error.silent;
    return { ok: error === undefined, reached, model, ms, reason: error?.message ?? '', error };
  }

  /** Resolves with what the upstream refused, throws what went wrong on the way. */
  async function attempt(
    channel: RoutedChannel,
    model: string,
    signal: CancelSignal | undefined,
  ): Promise<UpstreamError | undefined> {
    const adapter = adapterOf(channel.type);
    if (untestableTypes.has(channel.type)) throw new AppError('channel.untestable', { type: adapter.label });
    const upstreamModel = channel.modelMapping.get(model) ?? model;
    const { protocol, request: asked, body } = tinyCall(adapter, channel, upstreamModel);
    const built = adapter.buildRequest(
      {
        protocol: protocol.name,
        path: protocol.path,
        query: new URLSearchParams(),
        model: upstreamModel,
        request: asked,
        fields: body.fields,
        body: body.json(),
        convertedFrom: 'openai-chat',
        settings: modelSettings(),
        now: Date.now(),
      },
      channel,
    );
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
    };
    if (built.credential) {
      Object.assign(request.headers, await authorizer.authorize(request, built.credential, reach));
    }
    const answer = await outbound.upstream.send(request, signal);
    const text = (await answer.readAll(answerBytes)).toString('utf8');
    return refusalOf(adapter, channel, { ...answer, text }, (document) =>
      isAnswerOf(protocol, built.readAnswer ? built.readAnswer(document) : document),
    );
  }

  async function models(target: ChannelTarget, reach: ProbeReach): Promise<string[]> {
    const { type, key } = target;
    const adapter = adapterOf(type);
    const list = adapter.modelList?.(target);
    if (!list) throw new AppError('channel.noModelList', { type: adapter.label });
    const body = await read({ adapter, key, reach, refusal: 'channel.modelsRefused' }, list);
    const found = list.read(body);
    if (found.length === 0) throw new AppError('channel.noModelList', { type: adapter.label });
    return found;
  }

  async function balance(target: ChannelTarget, reach: ProbeReach, yuanPerDollar: number): Promise<number> {
    const adapter = adapterOf(target.type);
    const today = new Date().toISOString().slice(0, 10);
    const query = adapter.balance?.(target, today, yuanPerDollar);
    if (!query) throw new AppError('channel.noBalance', { type: adapter.label });
    const bodies: unknown[] = [];
    for (const request of query.requests) {
      bodies.push(await read({ adapter, key: target.key, reach, refusal: 'channel.balanceRefused' }, request));
    }
    return query.read(bodies);
  }

  /** One small answer from the vendor's own pages. */
  async function read(
    { adapter, key, reach, refusal }: Reading,
    { url, headers: fixed, credential }: ReadRequest,
  ): Promise<unknown> {
    const proxyInUse = reach.proxy || proxy;
    const plain = { url, method: 'GET', headers: fixed, body: Buffer.alloc(0) };
    const proven = credential
      ? await authorizer
          .authorize(plain, credential, { ...reach, ...(proxyInUse && { proxy: proxyInUse }) })
          .catch((error: unknown) => {
            if (!(error instanceof UpstreamError)) throw error;
            throw new AppError(refusal, { status: error.status, reason: error.message }, { cause: error });
          })
      : {};
    const sent = { ...fixed, ...proven };
    const { status, headers, body } = await outbound.fetchJson(url, {
      profile: reach.privateAllowed ? 'operatorPrivate' : 'operator',
      headers: sent,
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

function adapterOf(type: number): ProviderAdapter {
  const adapter = adapterFor(type);
  if (!adapter) throw new AppError('provider.unknown', { type });
  return adapter;
}

interface TinyCall {
  protocol: Protocol;
  request: RelayRequest;
  body: ObjectBody;
}

/** The cheapest call that shows that key, address and model work together, in a protocol the channel speaks. */
function tinyCall(adapter: ProviderAdapter, channel: ChannelTarget, model: string): TinyCall {
  if (/embedding|embed|bge-|^m3e/i.test(model)) return callOf(protocols['openai-embedding'], { model, input: 'hi' });
  // Models that think first refuse the older name, and spend tokens before they say anything.
  const limit = /^(o\d|gpt-5)/.test(model) ? { max_completion_tokens: 16 } : { max_tokens: 10 };
  const call = callOf(protocols['openai-chat'], { model, messages: [{ role: 'user', content: 'hi' }], ...limit });
  const spoken = upstreamProtocol(adapter, 'openai-chat', model, channel);
  if (spoken === 'openai-chat' || !isChatProtocol(spoken)) return call;
  const context = { defaultMaxOutput: 16, ...adapter.writeContext?.(model, channel), model };
  const { body } = chatUpstreams[spoken].writeRequest(
    chatClients['openai-chat'].readRequest(call.body.json()),
    context,
  );
  return { protocol: protocols[spoken], request: call.request, body: new ObjectBody(body) };
}

function callOf(protocol: Protocol, object: Record<string, unknown>): TinyCall {
  const body = new ObjectBody(object);
  return { protocol, request: protocol.parse(body.fields), body };
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

function isAnswerOf({ isAnswer }: Protocol, document: unknown): boolean {
  return isAnswer ? isAnswer(document) : isRecord(document);
}

function refusalOf(
  adapter: ProviderAdapter,
  channel: RoutedChannel,
  { status, headers, text }: Answer,
  isAnswer: (document: unknown) => boolean,
) {
  const body = parseOrText(text);
  const context = { now: Date.now(), secrets: [channel.key, channel.base_url].filter(Boolean) };
  if (status < 200 || status > 299) {
    return adapter.readError(channel.statusMapping.get(status) ?? status, body, headers, context);
  }
  const hidden = adapter.hiddenErrorStatus(body);
  if (hidden !== undefined) return adapter.readError(hidden, body, headers, context);
  if (!isRecord(body) || !isAnswer(body)) return adapter.readError(502, body, headers, context);
  return undefined;
}
