import { asOutage } from '../../database/outage.ts';
import { AppError, type Language } from '../../errors/app-error.ts';
import { coded } from '../../text/coded.ts';

export interface Envelope {
  success: boolean;
  message: string;
  data?: unknown;
}

export function ok(data?: unknown, message = ''): Envelope {
  return data === undefined ? { success: true, message } : { success: true, message, data };
}

/** Statuses that say something about the call itself; consoles act on them. */
const ownStatuses = new Set([401, 408, 413, 414, 415, 429, 431, 500, 503]);
/** Refusals of what was sent, not of what was asked. Every other refusal is a business failure: HTTP 200, success false. */
const ownCodes =
  /^(body|route|query)\.|^task\.file|^((option|object)\.stale|permission\.denied|session\.foreignPage|setup\.(foreignHost|throughProxy)|oauth\.state)$/;

export function envelopeError(error: unknown, language: Language) {
  const known = toAppError(error);
  const isOwn = ownStatuses.has(known.status) || ownCodes.test(known.code);
  const headers: Record<string, string> =
    known.retryAfterSeconds === undefined ? {} : { 'retry-after': String(known.retryAfterSeconds) };
  const body: Envelope = { success: false, message: known.sentence(language) };
  if (known.data !== undefined) body.data = known.data;
  return { status: isOwn ? known.status : 200, headers, body };
}

/** The framework's own refusals (a body of another type than `bodyType`, not JSON) keep their meaning. */
export function toAppError(error: unknown, bodyType = 'application/json'): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, code } = (error ?? {}) as { statusCode?: number; code?: string };
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('body.contentType', { expected: bodyType });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError('body.notJson', { reason: coded('body.unreadable') });
  return asOutage(error) ?? new AppError('internal.error', {}, { cause: error });
}
