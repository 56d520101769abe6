import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { Logger, LogLevel } from '../../lib/logger.ts';
import type { FailedOutcome } from '../../schemas/log.ts';
import type { CallIdentity, CallSummary } from '../call.ts';
import type { RunningCall } from '../deliver/delivery.ts';
import type { OverloadReason } from '../limit/overload.ts';

/** One line per call. The client's own mistakes are information; an upstream's failure is worth a look; a bug is an error. */
export function reportCall(logger: Logger, call: CallIdentity, summary: CallSummary, error: unknown): void {
  const failure = error ?? summary.failure;
  const known = failure instanceof AppError || failure instanceof UpstreamError;
  const bug = bugOf(failure);
  const fields = {
    id: call.id,
    trace_id: call.trace?.traceId,
    user: call.caller.userId,
    token: call.caller.tokenId,
    model: summary.model,
    channel: summary.channel,
    // Of a call that no channel served.
    tried: summary.attempts?.map(({ channel }) => channel).join() || undefined,
    protocol: call.protocol.name,
    stream: summary.isStream,
    status: summary.status,
    outcome: summary.outcome,
    ms: Math.round(performance.now() - call.startedAt),
    first_token_ms: summary.firstTokenMs === undefined ? undefined : Math.round(summary.firstTokenMs),
    prompt_tokens: summary.promptTokens,
    completion_tokens: summary.completionTokens,
    quota: summary.quota,
    flags: summary.flags || undefined,
    code: known ? codeOf(failure) : undefined,
    // As the upstream said it, where the client is told something else.
    upstream_status: failure instanceof UpstreamError ? failure.status : undefined,
    // Of the operator's own account; any other message may quote the prompt.
    upstream_message: (failure instanceof UpstreamError && failure.adminMessage) || undefined,
  };
  logger.log(bug === undefined ? levelOf(summary, error) : 'error', 'relay', fields, bug);
}

/** It keeps its hold and its place among those allowed at once, and nothing else would tell. */
export function reportAbandoned(logger: Logger, { id, caller }: RunningCall, goneMs: number): void {
  const fields = { id, user: caller.userId, token: caller.tokenId, seconds: Math.round(goneMs / 1000) };
  logger.log('error', 'a relay call has not ended although its client has left', fields);
}

/** One of them may be right; so many are not. */
export function reportUncharged(logger: Logger, calls: number, { model, channel }: CallSummary): void {
  const text = 'responses are delivered at a price, and none of the last ones was charged';
  logger.log('error', text, { calls, model, channel });
}

/** Nothing was charged, and no row remembers the job: only this line tells the operator what their account may be charged with. */
export function reportUnknownJob(logger: Logger, { id, caller }: CallIdentity, channel: number): void {
  const fields = { id, user: caller.userId, token: caller.tokenId, channel };
  const text = 'a job was not charged because the upstream has not said whether it took it; the upstream may run it';
  logger.log('warn', text, fields);
}

/** Another channel may have succeeded; only this line reports the error. */
export function reportBug(logger: Logger, channel: number, error: unknown): void {
  logger.log('error', 'a try on a channel met an unexpected error', { channel }, error);
}

/** What was not thrown on purpose; undefined when all is as it should be or may be. */
export function bugOf(error: unknown): unknown {
  if (error instanceof AppError) return undefined;
  if (!(error instanceof UpstreamError)) return error;
  // Where an upstream's odd response trips our reader, the upstream is left alone like a broken one; the mistake is still ours.
  const isOurs = error.kind === 'bug' || error.cause instanceof TypeError || error.cause instanceof ReferenceError;
  return isOurs ? (error.cause ?? error) : undefined;
}

/** The calls turned away are many; what is worth a look is when it begins and ends. */
export function reportOverload(logger: Logger, reasons: OverloadReason[]): void {
  if (reasons.length === 0) logger.log('info', 'new calls are served again');
  else logger.log('warn', 'new calls are turned away, because the server is overloaded', { by: reasons.join(', ') });
}

function levelOf({ flags, failure }: CallSummary, error: unknown): LogLevel {
  if (error === undefined) return flags === '' && failure === undefined ? 'info' : 'warn';
  if (isExpected(error)) return 'info';
  return error instanceof UpstreamError ? 'warn' : 'error';
}

function isExpected(error: unknown): boolean {
  return error instanceof AppError && (error.status < 500 || error.code === 'relay.overloaded');
}

function codeOf(error: AppError | UpstreamError): string {
  return String(error instanceof AppError ? error.code : (error.code ?? error.status));
}

/** Whose side a call ended on. */
export function outcomeOf(error: unknown): FailedOutcome {
  if (error instanceof UpstreamError) return 'upstream';
  if (!(error instanceof AppError)) return 'error';
  if (error.code === 'relay.overloaded') return 'shed';
  if (error.code === 'relay.clientGone') return 'clientGone';
  if (error.status === 429) return 'limited';
  return error.status < 500 ? 'refused' : 'unavailable';
}
