import { AppError } from '../errors/app-error.ts';
import type { UpstreamError } from '../errors/upstream-error.ts';
import { clientHeaders } from '../integrations/outbound/header-rules.ts';
import type { UpstreamAnswer, UpstreamClient } from '../integrations/outbound/upstream-client.ts';
import { UpstreamFailure } from '../integrations/outbound/upstream-client.ts';
import { Cancellation } from '../lib/cancellation.ts';
import { type AnswerFormat, createAnswerFormat } from '../protocols/openai-chat/answer-format.ts';
import type { StreamIdentity } from '../protocols/openai-chat/usage-chunk.ts';
import type { BodyEdit, ProviderAdapter, UpstreamRequest } from '../providers/adapter.ts';
import { adapterFor } from '../providers/registry.ts';
import type { RoutedChannel } from '../services/routing.ts';
import { answerHeaders } from './answer.ts';
import type { AttemptNote, Served } from './call.ts';
import { deliverPlain } from './deliver-plain.ts';
import { deliverStream } from './deliver-stream.ts';
import type { DeliveryEnd } from './delivery.ts';
import { roughTokenPrice } from './estimate.ts';
import { toUpstreamError } from './failure.ts';
import type { RelayDependencies, Run } from './relay.ts';
import { isMistyped, plainReader, streamRewriter } from './reshape.ts';
import { UsageMeter } from './usage-meter.ts';

export interface ServedAnswer {
  served: Served;
  end: DeliveryEnd;
  meter: UsageMeter;
}

/** What one attempt knows: the run, the channel, and the adapter that speaks to it. */
export interface Attempt {
  run: Run;
  channel: RoutedChannel;
  adapter: ProviderAdapter;
  upstreamModel: string;
  meter: UsageMeter;
  /** Option AutomaticDisableKeywords. */
  keywords: readonly string[];
  /** For an upstream that names neither itself nor its model. */
  identity: StreamIdentity;
  /** Set when the channel asks for answers in strict shape; else bytes pass as they are. */
  format: AnswerFormat | undefined;
}

type OutgoingRequest = Parameters<UpstreamClient['send']>[0];

/** Bodies beyond this are passed on by their scan alone (performance: parsing blocks the loop for milliseconds). */
export const parsedLimitBytes = 1024 * 1024;
const largestErrorBody = 256 * 1024;

export function upstreamModelOf(channel: RoutedChannel, model: string): string {
  return channel.modelMapping.get(model) ?? model;
}

/**
 * One attempt: builds the request for the channel's vendor, sends it, and delivers the answer as far as the bill.
 * Throws whatever went wrong as long as the client has seen nothing.
 */
export async function serveOn(
  run: Run,
  channel: RoutedChannel,
  attempts: AttemptNote[],
  othersLeft: boolean,
  dependencies: RelayDependencies,
): Promise<ServedAnswer> {
  const startedAt = performance.now();
  const upstreamModel = upstreamModelOf(channel, run.request.model);
  const adapter = adapterFor(channel.type);
  if (!adapter) throw new AppError('provider.unknown', { type: channel.type });
  const meter = new UsageMeter(upstreamModel, dependencies.counter, adapter.usageIsFake);
  const identity = { id: `chatcmpl-${run.call.id}`, model: run.request.model, created: dependencies.nowSeconds() };
  const attempt: Attempt = {
    run,
    channel,
    adapter,
    upstreamModel,
    meter,
    keywords: dependencies.options.disableKeywords(),
    identity,
    format: run.call.protocol.name === 'openai-chat' ? createAnswerFormat(channel.setting, identity) : undefined,
  };
  // For one whose stream begins too late another channel may take over; the wait for the headers is part of it.
  const firstTokenMs = othersLeft && run.request.stream ? dependencies.options.firstTokenMs() : 0;
  const answer = await send(attempt, firstTokenMs, dependencies);
  if (answer.status < 200 || answer.status > 299) throw await readRefusal(attempt, answer);
  const served: Served = { channelId: channel.id, channelName: channel.name, upstreamModel, attempts };
  const failures = attempts.length;
  const commit = (length: number | undefined) => commitAnswer(attempt, answer, failures, length);
  const leftMs = firstTokenMs === 0 ? 0 : Math.max(1, firstTokenMs - since(startedAt));
  const end = run.request.stream
    ? await deliverEvents(attempt, answer, () => commit(undefined), leftMs, dependencies)
    : await deliverWhole(attempt, answer, commit);
  attempts.push({ channel: channel.id, outcome: end.kind === 'complete' ? 'ok' : end.kind, ms: since(startedAt) });
  return { served, end, meter };
}

async function send(attempt: Attempt, firstTokenMs: number, dependencies: RelayDependencies): Promise<UpstreamAnswer> {
  const request = await buildRequest(attempt, firstTokenMs, dependencies);
  const { run } = attempt;
  const abort = new Cancellation();
  run.client.onGone(() => abort.abort());
  run.control.attach(() => abort.abort());
  try {
    return await dependencies.upstream.send(request(), abort);
  } catch (error) {
    // A kept-alive connection that the upstream closed as the call went out: most likely nobody read it, so it goes out again, once.
    if (!(error instanceof UpstreamFailure && error.sentNothing) || error.kind !== 'reset' || run.client.gone)
      throw error;
    return dependencies.upstream.send(request(), abort);
  }
}

/** Returns a maker, because a body that was partly sent must be opened anew for a second try. */
async function buildRequest(
  { run, channel, adapter, upstreamModel }: Attempt,
  firstTokenMs: number,
  { limits }: RelayDependencies,
): Promise<() => OutgoingRequest> {
  const { call, request, body } = run;
  const built: UpstreamRequest = adapter.buildRequest(
    {
      protocol: call.protocol.name,
      path: call.protocol.path,
      query: call.query,
      model: upstreamModel,
      request,
      fields: body.fields,
      body: body.size <= parsedLimitBytes ? await body.json() : undefined,
      now: Date.now(),
      forceStreamOption: limits.forceStreamOption,
    },
    channel,
  );
  const overrides: BodyEdit[] = [...channel.paramOverride].map(([set, raw]) => ({ set, raw }));
  const source = body.source(overrides.length === 0 ? built.edits : [...built.edits, ...overrides]);
  const headers: Record<string, string> = { ...built.headers, 'content-type': source.contentType };
  const proxy = channel.setting.proxy || limits.proxy;
  const headersMs = request.stream && !/^o\d/.test(upstreamModel) ? limits.headersMs : limits.slowHeadersMs;
  return () => {
    const opened = source.open();
    if (!Buffer.isBuffer(opened)) headers['content-length'] = String(source.length);
    return {
      url: built.url,
      method: 'POST',
      headers,
      body: opened,
      limits: {
        headersMs: firstTokenMs > 0 ? Math.min(firstTokenMs, headersMs) : headersMs,
        idleMs: limits.idleMs,
        ...(limits.totalMs > 0 ? { totalMs: limits.totalMs } : {}),
      },
      privateAllowed: channel.privateAllowed,
      ...(proxy ? { proxy } : {}),
    };
  };
}

/** Reads an answer that is not 2xx; the channel's status mapping is applied before anybody decides on a retry. */
async function readRefusal(attempt: Attempt, answer: UpstreamAnswer): Promise<UpstreamError> {
  let text = '';
  try {
    text = (await answer.readAll(largestErrorBody)).toString('utf8');
  } catch {
    // The status alone says enough; a body that cannot be read must not hide it.
    answer.abort();
  }
  const { channel, adapter } = attempt;
  const status = channel.statusMapping.get(answer.status) ?? answer.status;
  return adapter.readError(status, parseOrText(text), answer.headers, errorContext(attempt));
}

async function deliverEvents(
  attempt: Attempt,
  answer: UpstreamAnswer,
  commit: () => void,
  firstTokenMs: number,
  dependencies: RelayDependencies,
): Promise<DeliveryEnd> {
  const { run, meter } = attempt;
  const { call, client, control, request, charge } = run;
  const rewriter = streamRewriter(attempt);
  const price = roughTokenPrice(run.priced.prepared);
  const promptCost = price.prompt * run.promptEstimate;
  return deliverStream({
    answer,
    protocol: call.protocol,
    wantsUsage: request.wantsUsage,
    client,
    meter,
    control,
    commit,
    rewrite: rewriter.rewrite,
    usageEvent: rewriter.usageEvent,
    documentEvents: rewriter.documentEvents,
    firstTokenMs,
    isError: (event) => attempt.adapter.hiddenErrorStatus(event) !== undefined,
    onProgress() {
      charge.cover(promptCost + price.completion * meter.runningCompletion, (error) => {
        if (dependencies.options.quotaHardStop()) control.stop(error);
      });
    },
    toError: (failure) => errorOf(attempt, failure),
  });
}

function deliverWhole(
  attempt: Attempt,
  answer: UpstreamAnswer,
  commit: (length?: number) => void,
): Promise<DeliveryEnd> {
  const { client, control } = attempt.run;
  const reader = plainReader(attempt, answer);
  return deliverPlain({ answer, client, control, commit, ...reader, toError: (failure) => errorOf(attempt, failure) });
}

/** Error objects inside an answer are judged like an error status; anything else is a failure of the connection. */
export function errorOf(attempt: Attempt, failure: unknown): UpstreamError {
  if (failure instanceof Error) return toUpstreamError(failure);
  const { adapter } = attempt;
  return adapter.readError(adapter.hiddenErrorStatus(failure) ?? 502, failure, {}, errorContext(attempt));
}

function errorContext({ channel, keywords }: Attempt) {
  return { now: Date.now(), disableKeywords: keywords, secrets: [channel.key, channel.base_url].filter(Boolean) };
}

function commitAnswer(attempt: Attempt, answer: UpstreamAnswer, failures: number, length: number | undefined): void {
  const { run, channel, upstreamModel } = attempt;
  const { call, request, client } = run;
  const headers: Record<string, string | number> = {
    ...clientHeaders(answer.headers, Date.now()),
    ...answerHeaders(call.id),
  };
  if (request.stream) {
    headers['content-type'] = 'text/event-stream; charset=utf-8';
    headers['cache-control'] = 'no-cache';
    headers['x-accel-buffering'] = 'no';
  } else {
    if (length !== undefined) headers['content-length'] = length;
    if (isMistyped(call.protocol, answer)) headers['content-type'] = 'application/json; charset=utf-8';
  }
  // When it was not the first choice, the answer says what really served.
  if (failures > 0 || upstreamModel !== request.model) {
    headers['x-tollgate-served'] =
      `channel=${channel.id}; model=${encodeURIComponent(upstreamModel)}; attempt=${failures + 1}`;
  }
  client.commit(200, headers);
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
