import { estimateTokens } from '../../billing/count-tokens.ts';
import type { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { UpstreamResponse } from '../../integrations/outbound/upstream-client.ts';
import type { StreamOptions } from '../../providers/adapter.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { turnOf } from '../affinity/affinity.ts';
import { type AttemptNote, noteOf, type Served } from '../call.ts';
import { deliverPlain } from '../deliver/deliver-plain.ts';
import { deliverStream } from '../deliver/deliver-stream.ts';
import type { DeliveryEnd } from '../deliver/delivery.ts';
import { beginsDocument, documentEvents } from '../deliver/document-events.ts';
import { openStreamReader } from '../deliver/open-stream-reader.ts';
import { PlainResponse } from '../deliver/plain-response.ts';
import { responseHeaders } from '../deliver/response-headers.ts';
import { formatOf } from '../deliver/strict-form.ts';
import { FirstTokenWatch } from '../first-token/watch.ts';
import { roughTokenPrice } from '../meter/estimate.ts';
import { UsageMeter } from '../meter/usage-meter.ts';
import type { RelayLimits } from '../relay-options.ts';
import { adapterOf, ownForm, thinksFirst, upstreamModelOf } from '../request/outgoing-call.ts';
import { buildRequest, formCall } from '../request/write-call.ts';
import { chooseContinuation } from '../rescue/choose-continuation.ts';
import {
  errorOf,
  type PreparedAttempt,
  type RelayDependencies,
  type Run,
  type SentAttempt,
  type ServedResponse,
} from '../run.ts';
import type { AttemptTurn } from './attempt.ts';
import { noResponses } from './no-responses.ts';
import { renewCredential, sendUpstream } from './send-upstream.ts';
import { lessStreamOptions, streamOptionsFor } from './stream-options.ts';
import { adminMessage, readRefusal } from './upstream-refusal.ts';

/**
 * One attempt: builds the request for the channel's vendor, sends it, and delivers the response as far as the bill. Goes out once
 * more when nothing but an ended token or the field `stream_options` stood in its way. Throws whatever went wrong as long as the
 * client has seen nothing.
 */
export async function serveOn(
  run: Run,
  channel: RoutedChannel,
  turn: AttemptTurn,
  dependencies: RelayDependencies,
): Promise<ServedResponse> {
  const known = streamOptionsFor(channel, dependencies.nowSeconds());
  const form: AttemptForm = { streamOptions: known, hasRenewed: false, mayPrefill: true, refusedProfiles: [] };
  for (;;) {
    let prepared: PreparedAttempt | undefined;
    // For one whose stream begins too late another channel may take over; the wait for the headers is part of it.
    const watch = new FirstTokenWatch(run, channel, turn, dependencies);
    turn.firstToken = watch.limit;
    const traced = run.call.trace?.attempt(channel);
    try {
      const startedAt = performance.now();
      prepared = await prepare(run, channel, form, dependencies);
      traced?.sending(prepared.built.request, prepared.upstreamModel);
      const sent = sentAttempt(prepared, await sendUpstream(prepared, dependencies, (abort) => watch.sent(abort)));
      traced?.responded(sent.response.status);
      const response = await serveSent(sent, turn, { startedAt, watch }, dependencies.limits);
      traced?.served(response.end, response.meter);
      if (form.streamOptions === 'none' && known !== 'none') dependencies.health.refusedStreamOptions(channel);
      if (form.profile !== undefined) dependencies.profiles.served(prepared, form.profile);
      return response;
    } catch (failure) {
      const error = watch.failed(failure);
      traced?.failed(error, run.client.gone);
      if (prepared && mend(form, prepared, error, dependencies)) continue;
      if (error instanceof UpstreamError) error.adminMessage = await adminMessage(error, run.body);
      throw error;
    }
  }
}

/** What of an attempt may change before the same call goes to the same channel again. */
interface AttemptForm {
  streamOptions: StreamOptions;
  hasRenewed: boolean;
  /** It has not refused to go on with a turn that another upstream began. */
  mayPrefill: boolean;
  /** The way to the model, where it is not the first one. */
  profile?: string | undefined;
  refusedProfiles: readonly string[];
}

/** True when the upstream refused something of the form alone, and the next attempt has another. */
function mend(form: AttemptForm, attempt: PreparedAttempt, failure: unknown, tools: RelayDependencies): boolean {
  const less = lessStreamOptions(attempt, failure);
  if (less) {
    form.streamOptions = less;
    return true;
  }
  if (failure instanceof UpstreamError && failure.refusesProfile) {
    const sent = attempt.profile ?? attempt.adapter.profiles?.(attempt.upstreamModel, attempt.channel)[0];
    if (sent !== undefined) form.refusedProfiles = [...form.refusedProfiles, sent];
    form.profile = tools.profiles.next(attempt, form.refusedProfiles);
    return form.profile !== undefined;
  }
  const { continuation } = attempt;
  if (continuation?.kind === 'prefill' && failure instanceof UpstreamError && failure.status === 400) {
    form.mayPrefill = false;
    return true;
  }
  const isEnded = failure instanceof UpstreamError && failure.renewsCredential && !form.hasRenewed;
  form.hasRenewed = true;
  return isEnded && renewCredential(attempt.built, tools);
}

// Field by field, here and wherever every call passes: an object put together from others costs microseconds.
async function prepare(
  run: Run,
  channel: RoutedChannel,
  form: AttemptForm,
  { options, counter, nowSeconds, limits, profiles }: RelayDependencies,
): Promise<PreparedAttempt> {
  const { streamOptions, mayPrefill } = form;
  const upstreamModel = upstreamModelOf(channel, run.request.model);
  const adapter = adapterOf(channel);
  const profile = form.profile ?? profiles.first({ channel, adapter, upstreamModel });
  const created = nowSeconds();
  const continuation = run.resumed && (await chooseContinuation(run, { channel, adapter, upstreamModel, mayPrefill }));
  const forming = formCall({ run, channel, adapter, upstreamModel, options, streamOptions, created, continuation });
  const { conversion, common } = forming ? await run.control.whileWanted(forming) : ownForm;
  const formed = {
    run,
    channel,
    adapter,
    upstreamModel,
    options,
    streamOptions,
    profile,
    created,
    continuation,
    conversion,
    common,
  };
  const building = buildRequest(formed, limits);
  return {
    run,
    channel,
    adapter,
    upstreamModel,
    options,
    streamOptions,
    profile,
    created,
    continuation,
    conversion,
    common,
    meter: new UsageMeter(upstreamModel, counter, adapter.usageIsFake),
    format: formatOf(formed),
    built: building instanceof Promise ? await run.control.whileWanted(building) : building,
  };
}

function sentAttempt(prepared: PreparedAttempt, response: UpstreamResponse): SentAttempt {
  return {
    run: prepared.run,
    channel: prepared.channel,
    adapter: prepared.adapter,
    upstreamModel: prepared.upstreamModel,
    options: prepared.options,
    streamOptions: prepared.streamOptions,
    profile: prepared.profile,
    created: prepared.created,
    continuation: prepared.continuation,
    conversion: prepared.conversion,
    common: prepared.common,
    meter: prepared.meter,
    format: prepared.format,
    built: prepared.built,
    response,
  };
}

async function serveSent(
  attempt: SentAttempt,
  { attempts, begun }: AttemptTurn,
  { startedAt, watch }: { startedAt: number; watch: FirstTokenWatch },
  limits: RelayLimits,
): Promise<ServedResponse> {
  const { run, channel, meter, upstreamModel, response } = attempt;
  if (response.status < 200 || response.status > 299) {
    watch.stop();
    const refusal = await readRefusal(attempt, response);
    throw noResponses(attempt, response.status, refusal) ?? refusal;
  }
  const conversion = attempt.conversion ?? attempt.common;
  const served: Served = {
    channelId: channel.id,
    channelName: channel.name,
    channelKey: channel.keyId,
    upstreamModel,
    attempts,
    upstreamProtocol: conversion?.protocol,
    losses: attempt.built.losses,
  };
  const failures = attempts.length;
  const end = run.request.stream
    ? await deliverEvents(attempt, { failures, watch, begun }, limits).catch((error) => {
        if (error instanceof UpstreamError) error.spent = spentOn(attempt);
        throw error;
      })
    : await deliverPlain(new PlainResponse(attempt, failures, limits));
  const note: AttemptNote = noteOf(channel, end.kind === 'complete' ? 'ok' : end.kind, since(startedAt));
  attempts.push(note);
  if (run.plan.attachment) note.conversation = turnOf(run.plan.attachment, channel.id);
  if (watch.limit) note.first_token = watch.limit;
  if (attempt.continuation) note.continued = attempt.continuation.kind;
  // Of the rest alone the client pays what it got; the upstream was told what it has, too.
  if (attempt.continuation || end.kind === 'broken') note.spent = spentOn(attempt);
  if (run.request.stream) watch.served(meter);
  if (run.resumed) {
    // The client has had its first word from the upstream that broke off.
    meter.firstTokenAt = run.resumed.firstTokenAt;
    // This upstream may have said less than the client has of both, and of a rest its own count tells something else.
    if (attempt.continuation) meter.countInstead(run.resumed.delivered.text);
    else if (end.kind !== 'complete') meter.recount(run.resumed.delivered.text);
  }
  return { served, end, meter };
}

/** What an upstream that broke off will ask the operator for, as far as it can be told. */
function spentOn({ run, meter }: SentAttempt): AttemptNote['spent'] {
  if (!meter.delivered) return undefined;
  return { prompt: meter.usage?.prompt ?? run.promptEstimate, completion: meter.runningCompletion };
}

interface Beginning {
  /** Channels tried before. */
  failures: number;
  watch: FirstTokenWatch;
  begun(): void;
}

function deliverEvents(
  attempt: SentAttempt,
  { failures, watch, begun }: Beginning,
  limits: RelayLimits,
): Promise<DeliveryEnd> {
  const { run, meter, response } = attempt;
  const { client, control, charge } = run;
  const takesComments = !run.call.protocol.streamsArray;
  const price = roughTokenPrice(run.priced.prepared, run.promptEstimate);
  const before = attempt.continuation ? estimateTokens(Buffer.byteLength(attempt.continuation.delivered.text)) : 0;
  const fixedCost = price.prompt * run.promptEstimate + price.completion * before;
  const onRefused = (error: AppError) => {
    if (attempt.options.quotaHardStop()) control.stop(error);
  };
  return deliverStream({
    response,
    reader: openStreamReader(attempt),
    decoder: (attempt.conversion?.own ?? attempt.adapter).createStreamDecoder?.(),
    client,
    meter,
    control,
    isResumed: run.resumed !== undefined,
    commit: () => {
      begun();
      client.commitStream(200, responseHeaders(attempt, failures));
    },
    firstToken: watch,
    firstWordMs: thinksFirst(attempt.upstreamModel)
      ? Math.max(limits.slowHeadersMs, limits.progressMs)
      : limits.progressMs,
    progressMs: limits.progressMs,
    pingMs: takesComments ? attempt.options.pingMs() : 0,
    takesComments,
    onProgress: () => charge.cover(fixedCost + price.completion * meter.runningCompletion, onRefused),
    toError: (failure, status) => errorOf(attempt, failure, status),
    beginsDocument: (start) => beginsDocument(attempt, start),
    documentEvents: (body) => documentEvents(attempt, body),
  });
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
