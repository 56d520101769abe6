import type { Loss } from '../canonical/loss.ts';
import type { AppError } from '../errors/app-error.ts';
import { UpstreamError } from '../errors/upstream-error.ts';
import type { UpstreamAnswer } from '../integrations/outbound/upstream-client.ts';
import type { StreamOptions } from '../providers/adapter.ts';
import type { RoutedChannel } from '../services/routing.ts';
import { type AnswerFormat, createAnswerFormat } from '../wire/openai-chat/response-format.ts';
import { adminMessage } from './admin-message.ts';
import { answerHeaders } from './answer-headers.ts';
import type { AttemptTurn } from './attempt.ts';
import type { Served } from './call.ts';
import type { ClientWriter } from './client-writer.ts';
import { deliverPlain, type PlainDelivery } from './deliver-plain.ts';
import { deliverStream } from './deliver-stream.ts';
import type { DeliveryControl, DeliveryEnd } from './delivery.ts';
import { documentEvents } from './document-events.ts';
import { roughTokenPrice } from './estimate.ts';
import { mayUseHostedTools } from './hosted-tool.ts';
import type { RelayLimits } from './relay-options.ts';
import { PlainReader, reserveForAnswer, streamReader } from './reshape.ts';
import { type Attempt, errorOf, identityOf, type RelayDependencies, type Run, type ServedAnswer } from './run.ts';
import { sendUpstream } from './send-upstream.ts';
import { lessStreamOptions, streamOptionsFor } from './stream-options.ts';
import { readRefusal } from './upstream-refusal.ts';
import { UsageMeter } from './usage-meter.ts';
import { adapterOf, formCall, thinksFirst, upstreamModelOf } from './write-call.ts';

const noLosses: readonly Loss[] = [];

/**
 * One attempt: builds the request for the channel's vendor, sends it, and delivers the answer as far as the bill. Goes out once
 * more when nothing but an ended token or the field `stream_options` stood in its way. Throws whatever went wrong as long as the
 * client has seen nothing.
 */
export async function serveOn(
  run: Run,
  channel: RoutedChannel,
  turn: AttemptTurn,
  dependencies: RelayDependencies,
): Promise<ServedAnswer> {
  const known = streamOptionsFor(channel, dependencies.nowSeconds());
  const form: AttemptForm = { streamOptions: known, hasRenewed: false };
  for (;;) {
    const attempt = newAttempt(run, channel, form.streamOptions, dependencies);
    try {
      const answer = await serveOnce(attempt, turn, dependencies);
      if (form.streamOptions === 'none' && known !== 'none') dependencies.health.refusedStreamOptions(channel);
      return answer;
    } catch (error) {
      if (mend(form, attempt, error)) continue;
      if (error instanceof UpstreamError) error.adminMessage = await adminMessage(error, run.body);
      throw error;
    }
  }
}

/** What of an attempt may change before the same call goes to the same channel again. */
interface AttemptForm {
  streamOptions: StreamOptions;
  hasRenewed: boolean;
}

/** True when the upstream refused something of the form alone, and the next attempt has another. */
function mend(form: AttemptForm, attempt: Attempt, failure: unknown): boolean {
  const less = lessStreamOptions(attempt, failure);
  if (less) {
    form.streamOptions = less;
    return true;
  }
  const isEnded = failure instanceof UpstreamError && failure.renewsCredential && !form.hasRenewed;
  form.hasRenewed = true;
  return isEnded && (attempt.renewCredential?.() ?? false);
}

// Field by field, here and wherever every call passes: an object put together from others costs microseconds.
function newAttempt(
  run: Run,
  channel: RoutedChannel,
  streamOptions: StreamOptions,
  { options, counter, nowSeconds }: RelayDependencies,
): Attempt {
  const upstreamModel = upstreamModelOf(channel, run.request.model);
  const adapter = adapterOf(channel);
  return {
    run,
    channel,
    adapter,
    upstreamModel,
    meter: new UsageMeter(upstreamModel, counter, adapter.usageIsFake),
    options,
    streamOptions,
    created: nowSeconds(),
    format: undefined,
    conversion: undefined,
    common: undefined,
    readAnswer: undefined,
    readFile: undefined,
    contentType: undefined,
    renewCredential: undefined,
    losses: noLosses,
  };
}

async function serveOnce(
  attempt: Attempt,
  { attempts, othersLeft, begun }: AttemptTurn,
  dependencies: RelayDependencies,
): Promise<ServedAnswer> {
  const startedAt = performance.now();
  const { options, limits } = dependencies;
  const { run, channel, meter, upstreamModel } = attempt;
  attempt.format = formatOf(attempt);
  const forming = formCall(attempt);
  if (forming) await run.control.whileWanted(forming);
  // For one whose stream begins too late another channel may take over; the wait for the headers is part of it.
  const firstTokenMs = othersLeft && run.request.stream ? options.firstTokenMs() : 0;
  const answer = await sendUpstream(attempt, firstTokenMs, dependencies);
  if (answer.status < 200 || answer.status > 299) throw await readRefusal(attempt, answer);
  const conversion = attempt.conversion ?? attempt.common;
  const served: Served = {
    channelId: channel.id,
    channelName: channel.name,
    upstreamModel,
    attempts,
    upstreamProtocol: conversion?.protocol,
    losses: attempt.losses,
  };
  const failures = attempts.length;
  const leftMs = firstTokenMs === 0 ? 0 : Math.max(1, firstTokenMs - since(startedAt));
  const end = run.request.stream
    ? await deliverEvents(attempt, answer, { failures, firstTokenMs: leftMs, begun }, limits)
    : await deliverPlain(new PlainAnswer(attempt, answer, failures, limits));
  attempts.push({ channel: channel.id, outcome: end.kind === 'complete' ? 'ok' : end.kind, ms: since(startedAt) });
  return { served, end, meter };
}

function formatOf(attempt: Attempt): AnswerFormat | undefined {
  if (attempt.run.call.protocol.name !== 'openai-chat') return undefined;
  const { force_format = false, thinking_to_content = false } = attempt.channel.setting;
  const isMended = attempt.adapter.mendsAnswers;
  if (!(force_format || thinking_to_content || isMended)) return undefined;
  return createAnswerFormat({ force_format, thinking_to_content, isMended }, identityOf(attempt));
}

interface Beginning {
  /** Channels tried before. */
  failures: number;
  firstTokenMs: number;
  begun(): void;
}

function deliverEvents(
  attempt: Attempt,
  answer: UpstreamAnswer,
  { failures, firstTokenMs, begun }: Beginning,
  limits: RelayLimits,
): Promise<DeliveryEnd> {
  const { run, meter } = attempt;
  const { client, control, charge } = run;
  const price = roughTokenPrice(run.priced.prepared, run.promptEstimate);
  const promptCost = price.prompt * run.promptEstimate;
  const onRefused = (error: AppError) => {
    if (attempt.options.quotaHardStop()) control.stop(error);
  };
  return deliverStream({
    answer,
    reader: streamReader(attempt),
    decoder: (attempt.conversion?.own ?? attempt.adapter).createStreamDecoder?.(),
    client,
    meter,
    control,
    commit: () => {
      begun();
      client.commitStream(200, answerHeaders(attempt, answer, failures, undefined));
    },
    firstTokenMs,
    firstWordMs: thinksFirst(attempt.upstreamModel)
      ? Math.max(limits.slowHeadersMs, limits.progressMs)
      : limits.progressMs,
    progressMs: limits.progressMs,
    pingMs: run.call.protocol.streamsArray ? 0 : attempt.options.pingMs(),
    onProgress: () => charge.cover(promptCost + price.completion * meter.runningCompletion, onRefused),
    toError: (failure, status) => errorOf(attempt, failure, status),
    documentEvents: (body) => documentEvents(attempt, body),
  });
}

/** A plain answer on its way to the client. */
class PlainAnswer extends PlainReader implements PlainDelivery {
  readonly answer: UpstreamAnswer;
  readonly client: ClientWriter;
  readonly control: DeliveryControl;
  readonly progressMs: number;
  private readonly failures: number;

  constructor(attempt: Attempt, answer: UpstreamAnswer, failures: number, { progressMs }: RelayLimits) {
    super(attempt, answer);
    this.progressMs = progressMs;
    this.answer = answer;
    this.client = attempt.run.client;
    this.control = attempt.run.control;
    this.failures = failures;
  }

  get isRewritten(): boolean {
    const { conversion, common, readAnswer, format, run } = this.attempt;
    return Boolean(conversion || common || readAnswer || format) || mayUseHostedTools(run);
  }

  commit(): void {
    this.client.commit(200, answerHeaders(this.attempt, this.answer, this.failures, undefined));
  }

  send(body: Buffer): void {
    this.client.answer(200, answerHeaders(this.attempt, this.answer, this.failures, body.length), body);
  }

  override notePassed(bytes: number): void {
    this.attempt.meter.delivered = true;
    super.notePassed(bytes);
  }

  reserve(bytes: number): void {
    reserveForAnswer(this.attempt.run, bytes);
  }

  toError(failure: unknown): UpstreamError {
    return errorOf(this.attempt, failure);
  }
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
