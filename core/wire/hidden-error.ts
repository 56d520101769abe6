import { isJsonObject, type JsonObject } from '../lib/json-value.ts';
import { isBrokenReason } from './openai-chat/finish-reason.ts';

/** Where no better status is known: the upstream failed, another one may not. */
const unknownFailure = 503;

/**
 * The status an error stands for that came with HTTP 200, in the shapes vendors use; undefined for a response. What a response
 * may contain beside its content (`code`, `message`) only counts when there is no content.
 */
export function errorStatusIn(body: unknown): number | undefined {
  if (Array.isArray(body)) return errorStatusIn(body[0]);
  if (!isJsonObject(body)) return undefined;
  const { error, base_resp, success, choices } = body;
  if (error) return statusOfError(error);
  if (isJsonObject(base_resp) && base_resp.status_code) return unknownFailure;
  if (Array.isArray(choices)) {
    return choices.some((choice) => isJsonObject(choice) && isBrokenReason(choice.finish_reason))
      ? unknownFailure
      : undefined;
  }
  if (success === false) return unknownFailure;
  return isBareMessage(body) ? (statusOf(body.code) ?? unknownFailure) : undefined;
}

const statusByType: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  rate_limit_error: 429,
};

function statusOfError(error: unknown): number {
  if (!isJsonObject(error)) return unknownFailure;
  const byType =
    typeof error.type === 'string' && Object.hasOwn(statusByType, error.type) ? statusByType[error.type] : undefined;
  return statusOf(error.code) ?? statusOf(error.status) ?? byType ?? unknownFailure;
}

function statusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' ? Number(value) : value;
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}

/** `{ code, message, data: null }`, as FastGPT and SiliconFlow fail. */
function isBareMessage(body: JsonObject): boolean {
  const { code, data, message, msg } = body;
  if (data !== undefined && data !== null) return false;
  if (typeof (message ?? msg) !== 'string' || code === undefined || code === null) return false;
  return code !== 0 && code !== 200 && code !== 20000 && code !== '0' && code !== '';
}
