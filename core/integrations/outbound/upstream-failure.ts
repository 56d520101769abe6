import { errors } from 'undici';
import { coded } from '../../text/coded.ts';
import { wordsIn } from '../../text/text.ts';
import type { AddressRefusal } from './address-rules.ts';

export type UpstreamFailureKind =
  | 'connect'
  | 'dns'
  | 'tls'
  | 'headersTimeout'
  | 'idleTimeout'
  | 'totalTimeout'
  | 'reset'
  | 'badResponse'
  | 'tooLarge'
  | 'aborted'
  | 'refusedAddress'
  | 'invalidRequest';

export interface UpstreamFailureOptions {
  sentNothing?: boolean;
  cause?: unknown;
  refusal?: AddressRefusal | undefined;
  /** What the failure says, as a code; never a key, a header or a path. */
  text?: string | undefined;
}

/** A call to an upstream that got no complete response. Its text names no address, so that it may be logged anywhere. */
export class UpstreamFailure extends Error {
  readonly kind: UpstreamFailureKind;
  /** What it says, in no language yet. */
  readonly coded: string;
  /**
   * The call may be repeated once without asking: either no byte of it left this machine, or it went out on a kept-alive
   * connection that the other side closed at that moment (less than a second, no byte of a response). Always false for a
   * body that was a stream and has been read from.
   */
  readonly sentNothing: boolean;
  /** Why a refused address was refused. */
  readonly refusal: AddressRefusal | undefined;

  constructor(
    kind: UpstreamFailureKind,
    { sentNothing = false, cause, refusal, text = coded(`upstream.${kind}`) }: UpstreamFailureOptions = {},
  ) {
    super(wordsIn('en', text), { cause });
    this.name = 'UpstreamFailure';
    this.kind = kind;
    this.coded = text;
    this.sentNothing = sentNothing;
    this.refusal = refusal;
  }

  /** The connection ended or was refused, as happens while a server starts again. */
  get isBrief(): boolean {
    return this.kind === 'reset' || describe(this.cause).code === 'ECONNREFUSED';
  }
}

export function refusedAddress(refusal: AddressRefusal): UpstreamFailure {
  const text = coded('upstream.refusedAddress', { reason: coded(`address.${refusal}`) });
  return new UpstreamFailure('refusedAddress', { sentNothing: true, refusal, text });
}

const kindsByCode: Record<string, UpstreamFailureKind> = {
  UND_ERR_HEADERS_TIMEOUT: 'headersTimeout',
  UND_ERR_BODY_TIMEOUT: 'idleTimeout',
  UND_ERR_HEADERS_OVERFLOW: 'badResponse',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'badResponse',
  ERR_ASSERTION: 'badResponse', // undici asserts on some impossible responses, such as an upgrade that was not requested
  UND_ERR_INVALID_ARG: 'invalidRequest',
  UND_ERR_NOT_SUPPORTED: 'invalidRequest',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'invalidRequest',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  EMFILE: 'connect',
  ENFILE: 'connect',
};

/** Names the kind of an error that came from undici, net or tls while a call was under way. */
export function failureKind(error: unknown): UpstreamFailureKind {
  if (error instanceof UpstreamFailure) return error.kind;
  const { code, message } = describe(error);
  const known = kindsByCode[code];
  if (known) return known;
  // undici reports an unasked 100 or 101 as a socket error; only its text tells it from a closed connection.
  if (code === 'UND_ERR_SOCKET' && (message === 'bad response' || message === 'bad upgrade')) return 'badResponse';
  // The parser's errors carry no code. A connection closed inside a chunked response is one of them.
  if (error instanceof errors.HTTPParserError) return /EOF/.test(message) ? 'reset' : 'badResponse';
  if (isTlsCode(code)) return 'tls';
  // Without a code it was thrown by the reader of the response, and undici ended the call for it.
  return code === '' ? 'aborted' : 'reset';
}

export function isTlsCode(code: string): boolean {
  return /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code) || /CERT|ISSUER/.test(code);
}

export function describe(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: '' };
  return { code: 'code' in error && typeof error.code === 'string' ? error.code : '', message: error.message };
}
