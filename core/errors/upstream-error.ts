/** How an upstream's refusal is to be treated (classes of the provider sheets); `bug`: no upstream failed but this program. */
export type UpstreamErrorKind = 'retry' | 'dead' | 'balance' | 'client' | 'policy' | 'contextLength' | 'bug';

export interface UpstreamErrorFields {
  /** HTTP status for the client when this is the last word, 400..599. */
  status: number;
  message: string;
  /** The message in no language yet, where it is ours. */
  coded?: string;
  type?: string | undefined;
  code?: string | number | null | undefined;
  param?: string | null | undefined;
  kind: UpstreamErrorKind;
  /** Clamped to 1..3600. */
  retryAfterSeconds?: number | undefined;
  /** No header and no byte within the limit: the same channel is not asked again. */
  silent?: boolean | undefined;
  /** The token that was sent has ended before its time: with a new one the same call is in order. */
  renewsCredential?: boolean | undefined;
  /** The field `stream_options` is what it does not know: without it the same call is in order. */
  refusesStreamOptions?: boolean | undefined;
  cause?: unknown;
}

const operatorStatuses: ReadonlySet<number> = new Set([401, 402, 403]);

/** An upstream that refused, failed or broke off. Retry and disable are decided here once; the relay never compares text. */
export class UpstreamError extends Error {
  readonly status: number;
  /** What admins are shown and what is kept: ours as a code, the words of an upstream as they are. */
  readonly coded: string;
  readonly type: string | undefined;
  readonly code: string | number | null | undefined;
  readonly param: string | null | undefined;
  readonly kind: UpstreamErrorKind;
  readonly retryAfterSeconds: number | undefined;
  readonly silent: boolean;
  readonly renewsCredential: boolean;
  /** For the operator's log and admins; '' until it is known that it repeats nothing of the call. */
  adminMessage = '';
  readonly refusesStreamOptions: boolean;

  constructor(fields: UpstreamErrorFields) {
    super(fields.message, { cause: fields.cause });
    this.name = 'UpstreamError';
    this.status = fields.status;
    this.coded = fields.coded ?? fields.message;
    this.type = fields.type;
    this.code = fields.code;
    this.param = fields.param;
    this.kind = fields.kind;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.silent = fields.silent ?? false;
    this.renewsCredential = fields.renewsCredential ?? false;
    this.refusesStreamOptions = fields.refusesStreamOptions ?? false;
  }

  /** Another channel may succeed where this one did not. A context-length refusal only helps on another model. */
  get retryable(): boolean {
    return this.kind === 'retry' || this.kind === 'dead' || this.kind === 'balance';
  }

  /** The operator's trouble with their account at the upstream: a client who is told so would take it for their own. */
  get concernsOperator(): boolean {
    return this.disablesChannel || (operatorStatuses.has(this.status) && this.kind !== 'policy');
  }

  get disablesChannel(): boolean {
    return this.kind === 'dead' || this.kind === 'balance';
  }

  /** Likely gone in a moment: worth one more try on the same channel when no other is left. */
  get transient(): boolean {
    return this.kind === 'retry' && !this.silent && (this.status >= 500 || this.status === 429 || this.status === 408);
  }
}
