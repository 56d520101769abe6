import { classifyUpstream, type ErrorContext, type ErrorRule } from '../../errors/classify-upstream.ts';
import type { HeaderMap } from '../../errors/retry-after.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';
import { recordOf, textOf } from '../../lib/json-value.ts';
import { isErrorType, statusOfType } from '../../wire/anthropic-messages/error.ts';
import { errorStatusIn } from '../../wire/hidden-error.ts';

/** Anthropic sheet, section 7. */
export const anthropicErrors: readonly ErrorRule[] = [
  { codes: ['organization_on_hold'], kind: 'dead' },
  { codes: ['enforced_spend_limit_reached', 'contract_spend_limit_reached', 'billing_error'], kind: 'balance' },
  { status: [400], words: ['credit balance is too low', 'spend limit'], kind: 'balance' },
  { status: [400], words: ['exceed context limit'], kind: 'contextLength' },
  { codes: ['overloaded_error', 'api_error', 'timeout_error', 'rate_limit_error', 'conflict_error'], kind: 'retry' },
];

/** The status of an error that came with HTTP 200, from the vendor or from a reseller with errors of its own. */
export function hiddenAnthropicStatus(body: unknown): number | undefined {
  const { type, error } = recordOf(body);
  const name = textOf(recordOf(error).type);
  return type === 'error' || isErrorType(name) ? statusOfType(name) : errorStatusIn(body);
}

export function readAnthropicError(
  status: number,
  body: unknown,
  headers: HeaderMap,
  context?: ErrorContext,
): UpstreamError {
  return classifyUpstream({ status, body, headers: withReset(status, headers) }, anthropicErrors, context);
}

/** Some refusals only say of each limit when it is whole again: the last of those that are used up is what to wait for. */
function withReset(status: number, headers: HeaderMap): HeaderMap {
  if (status !== 429 || headers['retry-after'] !== undefined) return headers;
  const resets = ['requests', 'tokens', 'input-tokens', 'output-tokens']
    .map((name) => `anthropic-ratelimit-${name}`)
    .filter((limit) => String(headers[`${limit}-remaining`]) === '0')
    .flatMap((limit) => headers[`${limit}-reset`] ?? []);
  const last = resets.sort().at(-1);
  return last === undefined ? headers : { ...headers, 'retry-after': last };
}
