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
  const response = await reach(path + queryText(query), {
    method,
    headers: callHeaders(body !== undefined),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
    // A response that redirects to a page ends the call; the caller handles the page.
    redirect: 'manual',
  });
  if (response.type === 'opaqueredirect') return { success: true, message: '', data: undefined as T };
  const envelope = await envelopeOf<T>(response);
  if (response.ok && envelope && (envelope.success || envelope.message === 'success')) return envelope;
  throw errorOf(response, envelope, method);
}

/** A file that the console API makes. */
export async function readFile(path: string, type: string, query: Query): Promise<Blob> {
  const response = await reach(path + queryText(query), { headers: callHeaders(false) });
  if (!response.ok || !response.headers.get('content-type')?.startsWith(type))
    throw errorOf(response, await envelopeOf(response), 'GET');
  return response.blob().catch(unreachable);
}

const reach = (address: string, init: RequestInit): Promise<Response> =>
  fetch(address, init).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    return unreachable();
  });

function unreachable(): never {
  throw new ApiError(i18next.t('error.unreachable'), { status: 0 });
}

/** Undefined for a proxy's own error page. */
const envelopeOf = <T>(response: Response): Promise<Envelope<T> | undefined> => response.json().catch(() => undefined);

/** Why it failed; a session that has ended leads to the sign-in page, a wait is noted. */
function errorOf(response: Response, envelope: Envelope<unknown> | undefined, method: string): ApiError {
  const isSaid = response.status === 401 && session.expire({ isReading: method === 'GET' });
  const retryAfterSeconds = response.status === 429 ? Number(response.headers.get('retry-after')) || 0 : 0;
  if (retryAfterSeconds > 0) noteWait(retryAfterSeconds);
  const refusal = envelope && refusalOf(envelope);
  return new ApiError(failureText(response, refusal), {
    status: response.status,
    ...(refusal && { refusal }),
    requestId: response.headers.get('x-request-id') ?? '',
    data: envelope?.data,
    retryAfterSeconds,
    isSaid,
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
  return message ? i18next.t('error.other', { message }) : proxyText(status);
}

/** Of a response that the server did not write: a proxy spoke in its place. */
export function proxyText(status: number): string {
  const message = i18next.t(status >= 500 ? 'error.noResponse' : 'error.notOurs', { status });
  return i18next.t('error.other', { message });
}
