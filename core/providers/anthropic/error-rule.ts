import { classifyUpstream, type ErrorContext, type ErrorRule } from '../../errors/classify-upstream.ts';
import type { HeaderMap } from '../../errors/retry-after.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';

/** Anthropic sheet, section 7. */
export const anthropicErrors: readonly ErrorRule[] = [
  { codes: ['organization_on_hold'], kind: 'dead' },
  { codes: ['enforced_spend_limit_reached', 'contract_spend_limit_reached', 'billing_error'], kind: 'balance' },
  { status: [400], words: ['credit balance is too low', 'spend limit'], kind: 'balance' },
  { codes: ['overloaded_error', 'api_error', 'timeout_error', 'rate_limit_error', 'conflict_error'], kind: 'retry' },
];

const statuses: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** The status an error inside a stream stands for. */
export function statusOfType(type: string): number {
  return (Object.hasOwn(statuses, type) ? statuses[type] : undefined) ?? 500;
}

export function readAnthropicError(
  status: number,
  body: unknown,
  headers: HeaderMap,
  context?: ErrorContext,
): UpstreamError {
  return classifyUpstream({ status, body, headers }, anthropicErrors, context);
}
