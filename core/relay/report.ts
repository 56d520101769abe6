import { AppError } from '../errors/app-error.ts';
import { UpstreamError } from '../errors/upstream-error.ts';
import type { Logger, LogLevel } from '../lib/logger.ts';
import type { CallIdentity, CallSummary } from './call.ts';
import type { OverloadReason } from './overload.ts';

/** One line per call. The client's own mistakes are information; an upstream's failure is worth a look; a bug is an error. */
export function reportCall(logger: Logger, call: CallIdentity, summary: CallSummary, error: unknown): void {
  const level = levelOf(summary, error);
  const known = error instanceof AppError || error instanceof UpstreamError;
  const fields = {
    id: call.id,
    user: call.caller.userId,
    token: call.caller.tokenId,
    model: summary.model,
    channel: summary.channel,
    protocol: call.protocol.name,
    status: summary.status,
    outcome: summary.outcome,
    ms: Math.round(performance.now() - call.startedAt),
    prompt_tokens: summary.promptTokens,
    completion_tokens: summary.completionTokens,
    quota: summary.quota,
    flags: summary.flags || undefined,
    code: known ? codeOf(error) : undefined,
  };
  logger.log(level, 'relay', fields, known ? undefined : error);
}

/** The calls turned away are many; what is worth a look is when it begins and ends. */
export function reportOverload(logger: Logger, reasons: OverloadReason[]): void {
  if (reasons.length === 0) logger.log('info', 'new calls are served again');
  else logger.log('warn', 'new calls are turned away, because the server is overloaded', { by: reasons.join(', ') });
}

function levelOf({ flags }: CallSummary, error: unknown): LogLevel {
  if (error === undefined) return flags === '' ? 'info' : 'warn';
  if (isExpected(error)) return 'info';
  return error instanceof UpstreamError ? 'warn' : 'error';
}

function isExpected(error: unknown): boolean {
  return error instanceof AppError && (error.status < 500 || error.code === 'relay.overloaded');
}

function codeOf(error: AppError | UpstreamError): string {
  return String(error instanceof AppError ? error.code : (error.code ?? error.status));
}
