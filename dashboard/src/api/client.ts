import i18next from 'i18next';
import { currentLanguage } from '../i18n/language.ts';
import { session, sessionUser } from '../state/session.ts';
import { ApiError } from './api-error.ts';
import { noteWait } from './retry.ts';

/** What every response of the console API is wrapped in. */
interface Envelope<T> {
  success: boolean;
  message: string;
  data: T;
}

type Query = Record<string, string | number | boolean | undefined>;

interface CallOptions {
  query?: Query;
  signal?: AbortSignal;
}

/** The console API: resolves with `data`, rejects with an ApiError whose message can be shown. */
export const api = {
  get: <T>(path: string, options?: CallOptions) => data<T>('GET', path, undefined, options),
  post: <T = void>(path: string, body?: unknown, options?: CallOptions) => data<T>('POST', path, body ?? {}, options),
  put: <T = void>(path: string, body?: unknown, options?: CallOptions) => data<T>('PUT', path, body ?? {}, options),
  delete: <T = void>(path: string, options?: CallOptions) => data<T>('DELETE', path, undefined, options),
  /** The whole response, for the few calls whose message says what was done, or that response beside `data`. */
  whole: <T, Beside = unknown>(path: string, options?: CallOptions) =>
    send<T>('GET', path, undefined, options) as Promise<Envelope<T> & Beside>,
  wholePost: <T, Beside = unknown>(path: string, body: unknown, options?: CallOptions) =>
    send<T>('POST', path, body, options) as Promise<Envelope<T> & Beside>,
};

async function data<T>(method: string, path: string, body: unknown, options?: CallOptions): Promise<T> {
  return (await send<T>(method, path, body, options)).data;
}

async function send<T>(
  method: string,
  path: string,
  body: unknown,
  { query = {}, signal }: CallOptions = {},
): Promise<Envelope<T>> {
  const response = await fetch(path + queryText(query), {
    method,
    headers: callHeaders(body !== undefined),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
    // A response that redirects to a page ends the call; the caller handles the page.
    redirect: 'manual',
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ApiError(i18next.t('error.unreachable'), { status: 0 });
  });
  if (response.type === 'opaqueredirect') return { success: true, message: '', data: undefined as T };
  const requestId = response.headers.get('x-request-id') ?? '';
  const envelope = (await response.json().catch(() => undefined)) as Envelope<T> | undefined; // a proxy's own error page
  if (response.ok && envelope && (envelope.success || envelope.message === 'success')) return envelope;
  if (response.status === 401) session.expire();
  const retryAfterSeconds = response.status === 429 ? Number(response.headers.get('retry-after')) || 0 : 0;
  if (retryAfterSeconds > 0) noteWait(retryAfterSeconds);
  const refusal = envelope && refusalOf(envelope);
  throw new ApiError(failureText(response, refusal), {
    status: response.status,
    ...(refusal && { refusal }),
    requestId,
    data: envelope?.data,
    retryAfterSeconds,
  });
}

/** The two payment calls say `success` or `error` as their message, and why as their data. */
const refusalOf = ({ message, data }: Envelope<unknown>): string =>
  message === 'error' && typeof data === 'string' ? data : message;

/** Of every call of the console, the streamed ones of the playground too. */
export function callHeaders(hasBody: boolean): Record<string, string> {
  const user = sessionUser.get();
  return {
    'cache-control': 'no-store',
    'accept-language': currentLanguage(),
    ...(user && { 'new-api-user': String(user.id) }),
    ...(hasBody && { 'content-type': 'application/json' }),
  };
}

function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/** The texts of the accounts spec, section 8. A refusal of the server's own speaks for itself. */
function failureText({ status, headers }: Response, message: string | undefined): string {
  if (status === 401) return i18next.t('error.signedOut');
  if (status === 405) return i18next.t('error.demo');
  if (status === 429) {
    const seconds = Number(headers.get('retry-after'));
    return seconds > 0 ? i18next.t('error.tooManyWait', { seconds }) : i18next.t('error.tooMany');
  }
  if (status === 500) return i18next.t('error.server');
  if (message && status < 500) return message;
  return i18next.t('error.other', { message: message || `HTTP ${status}` });
}
