import { AppError } from '../errors/app-error.ts';
import {
  type UpstreamAnswer,
  type UpstreamCall,
  UpstreamFailure,
  type UpstreamRequest,
} from '../integrations/outbound/upstream-client.ts';
import { protocols } from '../protocols/registry.ts';
import type { BodyEdit, UpstreamCredential } from '../providers/adapter.ts';
import { authorize } from './authorize.ts';
import type { RelayBody } from './call.ts';
import { ObjectBody } from './object-body.ts';
import type { RelayDependencies } from './relay.ts';
import type { Attempt } from './serve-on.ts';

interface BuiltRequest {
  request: UpstreamRequest;
  source: ReturnType<RelayBody['source']>;
  credential: UpstreamCredential | undefined;
}

/** Headers of a client that a vendor may have a use for; everything else of them stays here. */
const usefulHeaders = ['anthropic-beta', 'anthropic-version', 'openai-beta'];

/** Sends one attempt's request and resolves with the head of the answer. */
export async function sendUpstream(
  attempt: Attempt,
  firstTokenMs: number,
  dependencies: RelayDependencies,
): Promise<UpstreamAnswer> {
  const { run, adapter, conversion } = attempt;
  const { client, control } = run;
  if (!conversion && !run.json && adapter.needsBody?.(run.call.protocol.name)) run.json = await run.body.json();
  const built = buildRequest(attempt, firstTokenMs, dependencies);
  if (built.credential) await authorize(built.request, built.source, built.credential, dependencies);
  if (client.gone) throw new AppError('relay.clientGone');
  const { upstream } = dependencies;
  let call: UpstreamCall | undefined;
  const abort = () => call?.abort();
  client.onGone(abort);
  control.attach(abort);
  const start = () => {
    call = upstream.start(opened(built));
    return call.answer;
  };
  const answer = await start().catch((error: unknown) => {
    // A kept-alive connection that the upstream closed as the call went out: most likely nobody read it, so it goes out again, once.
    if (!(error instanceof UpstreamFailure && error.sentNothing) || error.kind !== 'reset' || client.gone) throw error;
    return start();
  });
  if (answer.status !== 401 || !built.credential) return answer;
  // A token that was taken back before its time: with a new one the same call is in order.
  if (!dependencies.authorizer.refused(built.credential, built.request.headers)) return answer;
  answer.abort();
  await authorize(built.request, built.source, built.credential, dependencies);
  return start();
}

/** A body that was partly sent must be opened anew for a second try. */
function opened({ request, source }: BuiltRequest): UpstreamRequest {
  request.body = source.open();
  return request;
}

function buildRequest(attempt: Attempt, firstTokenMs: number, { limits }: RelayDependencies): BuiltRequest {
  const { run, channel, adapter, upstreamModel, options } = attempt;
  const conversion = attempt.conversion ?? attempt.common;
  const { call, request } = run;
  const body = conversion?.body ?? run.body;
  const protocol = conversion ? protocols[conversion.protocol] : call.protocol;
  const built = adapter.buildRequest(
    {
      protocol: protocol.name,
      path: protocol.path,
      query: call.query,
      model: upstreamModel,
      request,
      fields: body.fields,
      body: conversion ? conversion.body.json() : run.json,
      headers: usefulOf(call.clientHeaders),
      ...(conversion && { convertedFrom: call.protocol.name }),
      settings: options.modelSettings(),
      now: Date.now(),
      forceStreamOption: limits.forceStreamOption,
    },
    channel,
  );
  const { url, headers, edits, credential } = built;
  attempt.readAnswer = built.readAnswer;
  attempt.losses = [...(conversion?.losses ?? []), ...(built.losses ?? [])];
  const overrides: BodyEdit[] = [...channel.paramOverride].map(([set, raw]) => ({ set, raw }));
  const sent = built.body ? new ObjectBody(built.body) : body;
  const source = sent.source(overrides.length === 0 ? edits : [...edits, ...overrides]);
  headers['content-type'] = source.contentType;
  headers['content-length'] = String(source.length);
  const headersMs = request.stream && !/^o\d/.test(upstreamModel) ? limits.headersMs : limits.slowHeadersMs;
  return {
    source,
    credential,
    request: {
      url,
      method: 'POST',
      headers,
      body: null,
      limits: {
        headersMs: firstTokenMs > 0 ? Math.min(firstTokenMs, headersMs) : headersMs,
        idleMs: limits.idleMs,
        totalMs: limits.totalMs,
      },
      privateAllowed: channel.privateAllowed,
      proxy: channel.setting.proxy || limits.proxy,
    },
  };
}

export function usefulOf(headers: Attempt['run']['call']['clientHeaders']): Record<string, string> {
  const useful: Record<string, string> = {};
  for (const name of usefulHeaders) {
    const value = headers[name];
    if (value !== undefined) useful[name] = String(value);
  }
  return useful;
}
