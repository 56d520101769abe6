import { asOutage } from '../database/outage.ts';
import { AppError, type Language } from '../errors/app-error.ts';

export interface Envelope {
  success: boolean;
  message: string;
  data?: unknown;
}

export function ok(data?: unknown, message = ''): Envelope {
  return data === undefined ? { success: true, message } : { success: true, message, data };
}

/** Failures that keep their HTTP status in the console API; every other refusal is a 200 with success false. */
const statusKept = new Set([400, 401, 403, 404, 405, 408, 413, 414, 415, 429, 431, 500, 503]);
/** A business failure is an answer, as the consoles of this family expect. */
const businessCodes = /^(object|input|user|token|channel|option|redemption|wallet|password)\./;

export function envelopeError(error: unknown, language: Language) {
  const known = toAppError(error);
  const status = businessCodes.test(known.code) && known.status !== 401 && known.status !== 429 ? 200 : known.status;
  const headers: Record<string, string> =
    known.retryAfterSeconds === undefined ? {} : { 'retry-after': String(known.retryAfterSeconds) };
  const body: Envelope = { success: false, message: known.text(language) };
  return { status: statusKept.has(status) || status === 200 ? status : 500, headers, body };
}

/** The framework's own refusals (a body too large, of the wrong type, not JSON) keep their meaning. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, code } = (error ?? {}) as { statusCode?: number; code?: string };
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError('body.contentType', { expected: 'application/json' });
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('body.tooLarge', { limit: '64 KiB' });
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY') return new AppError('body.empty');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError('body.notJson', { reason: 'it could not be parsed' });
  return asOutage(error) ?? new AppError('internal.error', {}, { cause: error });
}
