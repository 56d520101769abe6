import { classifyUpstream, type ErrorContext, type ErrorRule } from '../../errors/classify-upstream.ts';
import type { HeaderMap } from '../../errors/retry-after.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';
import { isJsonObject, recordOf } from '../../lib/json-value.ts';
import { anthropicErrors, hiddenAnthropicStatus } from '../anthropic/error-rule.ts';
import { geminiErrors, hiddenGoogleStatus } from '../gemini/error-rule.ts';
import { readGoogleError } from '../gemini/google-error.ts';

/** Vertex sheet, errors. */
const rules: readonly ErrorRule[] = [
  { codes: ['BILLING_DISABLED'], kind: 'balance' },
  { codes: ['SERVICE_DISABLED', 'CONSUMER_INVALID', 'CONSUMER_SUSPENDED'], kind: 'dead' },
  // The model is not enabled, its terms are not accepted, or a role lacks for it: other models may work.
  { status: [403], codes: ['PERMISSION_DENIED'], kind: 'retry' },
  ...anthropicErrors,
  ...geminiErrors,
];

export function readVertexError(
  status: number,
  body: unknown,
  headers: HeaderMap,
  context?: ErrorContext,
): UpstreamError {
  const google = readGoogleError(body, headers);
  const facts = google ? { ...google, body: wrappedError(google.body.message) ?? google.body } : { body, headers };
  return classifyUpstream({ status, ...facts }, rules, context);
}

/** Both publishers' errors can come with HTTP 200 and in a stream. */
export function hiddenVertexStatus(body: unknown): number | undefined {
  return recordOf(body).type === 'error' ? hiddenAnthropicStatus(body) : hiddenGoogleStatus(body);
}

/** Google's envelope may contain Anthropic's own error as text. */
function wrappedError(message: string): unknown {
  if (!message.startsWith('{')) return undefined;
  try {
    const inner: unknown = JSON.parse(message);
    return isJsonObject(inner) && isJsonObject(inner.error) ? inner : undefined;
  } catch {
    // A text that only begins like an object.
    return undefined;
  }
}
