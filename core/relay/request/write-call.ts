import type { BodyEdit } from '../../canonical/body-edit.ts';
import type { Loss } from '../../canonical/loss.ts';
import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import type { OutboundRequest } from '../../integrations/outbound/outbound-request.ts';
import type { UpstreamCall, UpstreamRequest } from '../../providers/adapter.ts';
import { ownUserAgent } from '../../providers/user-agent.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import type { Protocol } from '../../wire/protocol.ts';
import { protocols } from '../../wire/registry.ts';
import type { RelayBody, RelayCall } from '../call.ts';
import type { RelayLimits } from '../relay-options.ts';
import { type CommonCall, commonCall } from './common-form.ts';
import { type Conversion, convertCall } from './conversion.ts';
import { fileBody } from './file-body.ts';
import { longBytes, ObjectBody } from './object-body.ts';
import { type BuiltRequest, type CallForm, type FormedCall, type OutgoingCall, thinksFirst } from './outgoing-call.ts';

const noLosses: readonly Loss[] = [];

/** Headers of a client that a vendor may have a use for; everything else of them stays here. */
const usefulHeaders = ['anthropic-beta', 'anthropic-version'];

/** The call in the form the upstream knows. Undefined when it has it already. Throws AppError (`request.*`, `convert.*`). */
export function formCall(outgoing: OutgoingCall): Promise<CallForm> | undefined {
  const { run, adapter } = outgoing;
  const { common, name } = run.call.protocol;
  const converting = convertCall(run, outgoing);
  const isUnread = !run.json && adapter.needsBody?.(name);
  return converting || common || isUnread ? form(outgoing, converting) : undefined;
}

async function form(outgoing: OutgoingCall, converting: ReturnType<typeof convertCall>): Promise<CallForm> {
  const { run, adapter, upstreamModel } = outgoing;
  const { common, name } = run.call.protocol;
  const conversion = converting && (await converting);
  const formed = { conversion, common: common && (await commonCall(run, adapter, upstreamModel)) };
  if (!conversion && !run.json && adapter.needsBody?.(name)) run.json = await run.body.json();
  return formed;
}

/** The request in the words of the channel's vendor. Throws AppError when the channel cannot serve this call. */
export function buildRequest(outgoing: FormedCall, limits: RelayLimits): BuiltRequest | Promise<BuiltRequest> {
  const { run, channel, adapter, upstreamModel, options } = outgoing;
  const { conversion, common } = outgoing;
  const { call } = run;
  const body = conversion?.body ?? common?.body ?? run.body;
  const request = conversion?.isCollected ? { ...run.request, stream: true } : run.request;
  const { name, path } = spokenProtocol(outgoing);
  const asked: UpstreamCall = {
    protocol: name,
    path,
    query: call.query,
    model: upstreamModel,
    request,
    fields: request.unset ? withoutFields(body.fields, request.unset) : body.fields,
    body: (conversion ?? common)?.body.json() ?? run.json,
    headers: usefulOf(call.clientHeaders),
    convertedFrom: conversion || common ? call.protocol.name : undefined,
    settings: options.modelSettings(),
    now: Date.now(),
    forceStreamOption: limits.forceStreamOption,
    streamOptions: outgoing.streamOptions,
    profile: outgoing.profile,
  };
  const built = conversion?.own
    ? conversion.own.buildRequest({ ...asked, body: conversion.body.json() }, channel)
    : adapter.buildRequest(asked, channel);
  if (!built.body) return finish(outgoing, { built, request, sent: body }, limits);
  const sent = new ObjectBody(built.body);
  const done = () => finish(outgoing, { built, request, sent }, limits);
  return run.body.size > longBytes ? sent.prepare().then(done) : done();
}

interface WrittenCall {
  built: UpstreamRequest;
  request: RelayRequest;
  sent: RelayBody;
}

function finish(
  { run, channel, upstreamModel, options, conversion, common }: FormedCall,
  { built, request, sent }: WrittenCall,
  limits: RelayLimits,
): BuiltRequest {
  const { url, headers, edits, credential, readResponse, readFile, job, socket } = built;
  const isUntouched = sent === run.body && options.passesBodies();
  const changes = isUntouched
    ? []
    : withOverrides(withDrops(edits, run.body === sent ? request.unset : undefined), channel);
  const source = built.file ? fileBody(run.body, built.file) : sent.source(changes);
  if (channel.setting.user_agent) Object.assign(headers, ownUserAgent(channel));
  headers['content-type'] = source.contentType;
  headers['content-length'] = String(source.length);
  const headersMs = request.stream && !thinksFirst(upstreamModel) ? limits.headersMs : limits.slowHeadersMs;
  const outbound: OutboundRequest = {
    url,
    method: 'POST',
    headers,
    body: null,
    limits: { headersMs, idleMs: limits.idleMs, totalMs: limits.totalMs },
    privateAllowed: channel.privateAllowed,
    proxy: channel.setting.proxy || limits.proxy,
  };
  if (socket) outbound.socket = socket;
  return {
    source,
    credential,
    readResponse,
    job,
    readFile,
    losses: allLosses(conversion ?? common, built),
    request: outbound,
  };
}

/** The client's own, or the one its call was converted to. */
function spokenProtocol({ run, conversion, common }: FormedCall): Protocol {
  const spoken = conversion?.protocol ?? common?.protocol;
  return spoken === undefined || spoken === 'vendor' ? run.call.protocol : protocols[spoken];
}

function allLosses(converted: Conversion | CommonCall | undefined, built: UpstreamRequest): readonly Loss[] {
  return converted || built.losses ? [...(converted?.losses ?? []), ...(built.losses ?? [])] : noLosses;
}

/** What counts as not given is not shown to the adapter either, which may rename it. */
function withoutFields(fields: RequestFields, unset: readonly string[]): RequestFields {
  return {
    has: (key) => !unset.includes(key) && fields.has(key),
    value: (key) => (unset.includes(key) ? undefined : fields.value(key)),
    count: (key) => (unset.includes(key) ? undefined : fields.count(key)),
  };
}

function withDrops(edits: BodyEdit[], unset: readonly string[] | undefined): BodyEdit[] {
  if (!unset) return edits;
  const isSet = (name: string) => edits.some((edit) => 'set' in edit && edit.set === name);
  return [...unset.filter((name) => !isSet(name)).map((drop) => ({ drop })), ...edits];
}

function withOverrides(edits: BodyEdit[], { paramOverride }: RoutedChannel): BodyEdit[] {
  return paramOverride.size === 0 ? edits : [...edits, ...[...paramOverride].map(([set, raw]) => ({ set, raw }))];
}

export function usefulOf(headers: RelayCall['clientHeaders']): Record<string, string> {
  const useful: Record<string, string> = {};
  for (const name of usefulHeaders) {
    const value = headers[name];
    if (value !== undefined) useful[name] = String(value);
  }
  return useful;
}
