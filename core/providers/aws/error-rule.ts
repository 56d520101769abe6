import { classifyUpstream, type ErrorContext, type ErrorRule } from '../../errors/classify-upstream.ts';
import type { HeaderMap } from '../../errors/retry-after.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';
import { isJsonObject, textOf } from '../../lib/json-value.ts';
import { anthropicErrors } from '../anthropic/error-rule.ts';

/** AWS sheet, errors. The same exception comes with more than one status. */
const rules: readonly ErrorRule[] = [
  // Our own clock is wrong: no key is to blame, and every channel would fall.
  { words: ['signature expired', 'signature not yet current'], kind: 'retry' },
  {
    codes: [
      'UnrecognizedClientException',
      'InvalidSignatureException',
      'ExpiredToken*',
      'InvalidClientTokenId*',
      'IncompleteSignature*',
      'MissingAuthenticationToken*',
    ],
    kind: 'dead',
  },
  {
    words: ['security token included in the request is', 'your account is not authorized', 'your api key is valid'],
    kind: 'dead',
  },
  { status: [400], words: ['operation not allowed'], kind: 'dead' },
  // The model is not granted, not there or not to be had this way: by this account, in this region.
  { codes: ['AccessDeniedException', 'ResourceNotFoundException', 'ServiceQuotaExceededException'], kind: 'retry' },
  {
    codes: ['ValidationException'],
    words: ['on-demand throughput', 'model identifier is invalid'],
    kind: 'retry',
    refusesProfile: true,
  },
  { codes: ['ValidationException'], words: ['end of its life', 'counting tokens'], kind: 'retry' },
  { codes: ['ValidationException'], words: ['input is too long'], kind: 'contextLength' },
  {
    codes: ['ThrottlingException', 'ModelNotReadyException', 'ModelTimeoutException', 'ModelErrorException'],
    kind: 'retry',
  },
  ...anthropicErrors,
];

export function readAwsError(status: number, body: unknown, headers: HeaderMap, context?: ErrorContext): UpstreamError {
  return classifyUpstream({ status, body: namedError(body, headers), headers }, rules, context);
}

/** The exception's name is in a header (`ThrottlingException:http://...`), or in `__type` after a hash. */
function namedError(body: unknown, headers: HeaderMap): unknown {
  const given = headers['x-amzn-errortype'];
  const header = (Array.isArray(given) ? given[0] : given) ?? '';
  if (!isJsonObject(body)) return header === '' ? body : { message: textOf(body), type: nameIn(header) };
  // Events of a stream come in Anthropic's shape.
  if (isJsonObject(body.error)) return body;
  const type = nameIn(header || textOf(body.__type));
  return { message: textOf(body.message) || textOf(body.Message), ...(type !== '' && { type }) };
}

function nameIn(text: string): string {
  return text.split(':', 1)[0]?.split('#').at(-1) ?? '';
}

const anthropicTypes: Record<string, string> = {
  throttlingexception: 'rate_limit_error',
  modelnotreadyexception: 'overloaded_error',
  serviceunavailableexception: 'overloaded_error',
  modeltimeoutexception: 'timeout_error',
  validationexception: 'invalid_request_error',
};

/** Anthropic's word for an exception inside a stream, which AWS spells with a small first letter there. */
export function anthropicTypeOf(exception: string): string {
  const name = nameIn(exception).toLowerCase();
  return (Object.hasOwn(anthropicTypes, name) ? anthropicTypes[name] : undefined) ?? 'api_error';
}
