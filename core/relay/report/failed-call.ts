import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { FailedCall } from '../../services/log/failure.ts';
import { codedIn } from '../../text/coded.ts';
import { codedText, templateOf } from '../../text/text.ts';
import { operatorTrouble } from '../../wire/describe-error.ts';
import type { CallIdentity, CallSummary } from '../call.ts';
import { outcomeOf } from './report.ts';

/** nginx's number for a client that closed its connection first. */
const clientGoneStatus = 499;
/** A caller may write long names into a call; those need not be kept for each failure. */
const maxContent = 2000;

/** The row of a call that was not charged: what its client was told, in words that repeat nothing of the prompt. */
export function failedCallOf(call: CallIdentity, summary: CallSummary, error: unknown): FailedCall {
  const { status, content, code } = wordsOf(error);
  return {
    id: call.id,
    caller: call.caller,
    model: summary.model,
    status: summary.status || status,
    outcome: outcomeOf(error),
    content: content.length > maxContent ? codedIn('error', 'internal.error', {}) : content,
    code,
    durationMs: performance.now() - call.startedAt,
    protocol: call.protocol.name,
    isStream: summary.isStream ?? false,
    attempts: summary.attempts ?? [],
  };
}

function wordsOf(error: unknown): Pick<FailedCall, 'status' | 'content' | 'code'> {
  if (error instanceof UpstreamError) return upstreamWords(error);
  return ownWords(error instanceof AppError ? error : new AppError('internal.error'));
}

function ownWords(error: AppError): Pick<FailedCall, 'status' | 'content' | 'code'> {
  const { code, details } = error;
  const hint = `${code}.hint`;
  const content = templateOf('en', 'error', hint)
    ? codedText('notice', 'log.hinted', { what: error.coded, reason: codedIn('error', hint, details) })
    : error.coded;
  return { status: code === 'relay.clientGone' ? clientGoneStatus : error.status, content, code };
}

/** The message of an upstream may quote the prompt, so it is not kept; for admins what is safe of it stands with the attempt. */
function upstreamWords(error: UpstreamError): Pick<FailedCall, 'status' | 'content' | 'code'> {
  if (error.kind === 'bug') return ownWords(new AppError('internal.error'));
  if (error.status === 429) return { ...ownWords(new AppError('upstream.saturated')), status: 429 };
  if (error.concernsOperator) return ownWords(operatorTrouble(error));
  const { status } = error;
  const code = String(error.code ?? status).slice(0, 64);
  const key = status < 500 ? 'log.upstreamRefused' : 'log.upstreamFailed';
  return { status, content: codedText('notice', key, { status, code }), code };
}
