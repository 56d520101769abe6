import type { Language } from '../text/filler.ts';
import { wordsIn } from '../text/text.ts';

/** How an upstream's refusal is to be treated (classes of the provider sheets); `bug`: no upstream failed but this program. */
export type UpstreamErrorKind = 'retry' | 'dead' | 'balance' | 'client' | 'policy' | 'contextLength' | 'bug';

/** The words of an upstream as they are; ours as a code, with their English where that is not the code's own. */
type Wording = { message: string; coded?: undefined } | { message?: string; coded: string };

interface UpstreamErrorFacts {
  /** HTTP status for the client when this is the last word, 400..599. */
  status: number;
  type?: string | undefined;
  code?: string | number | null | undefined;
  param?: string | null | undefined;
  kind: UpstreamErrorKind;
  /** Clamped to 1..3600. */
  retryAfterSeconds?: number | undefined;
  /** No header and no byte within the limit: the same channel is not asked again. */
  silent?: boolean | undefined;
  /** It is how the channel is set up: the same channel is not asked again. */
  lasting?: boolean | undefined;
  /** The token that was sent has ended before its time: with a new one the same call is in order. */
  renewsCredential?: boolean | undefined;
  /** The field `stream_options` is what it does not know: without it the same call is in order. */
  refusesStreamOptions?: boolean | undefined;
  /** The model is not to be had through the profile that was named: through another one the same call may be in order. */
  refusesProfile?: boolean | undefined;
  cause?: unknown;
}

export type UpstreamErrorFields = UpstreamErrorFacts & Wording;

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
  readonly lasting: boolean;
  readonly renewsCredential: boolean;
  /** For the operator's log and admins; '' until it is known that it repeats nothing of the call. */
  adminMessage = '';
  /** A server error or a lost or refused connection, which is often over at the next try. */
  isBrief = false;
  /** Tokens of a response that came and were not billed, which the operator pays for. */
  spent: { prompt: number; completion: number } | undefined = undefined;
  /** The channel did nothing wrong, though it could not serve this call. */
  isBlameless = false;
  /** What was asked for may have been done all the same, and would be done and paid for twice if it were asked for again. */
  mayBeDone = false;
  readonly refusesStreamOptions: boolean;
  readonly refusesProfile: boolean;
  readonly #isOurs: boolean;

  constructor(fields: UpstreamErrorFields) {
    super(fields.coded === undefined ? fields.message : (fields.message ?? sentenceIn('en', fields.coded)), {
      cause: fields.cause,
    });
    this.name = 'UpstreamError';
    this.status = fields.status;
    this.coded = fields.coded ?? fields.message;
    this.#isOurs = fields.coded !== undefined;
    this.type = fields.type;
    this.code = fields.code;
    this.param = fields.param;
    this.kind = fields.kind;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.silent = fields.silent ?? false;
    this.lasting = fields.lasting ?? false;
    this.renewsCredential = fields.renewsCredential ?? false;
    this.refusesStreamOptions = fields.refusesStreamOptions ?? false;
    this.refusesProfile = fields.refusesProfile ?? false;
  }

  /** For the client of the call: ours in its language, an upstream's as they are. */
  text(language: Language): string {
    return this.#isOurs && language !== 'en' ? sentenceIn(language, this.coded) : this.message;
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

  /** Likely gone in a moment: one more try on the same channel may be worth it. */
  get transient(): boolean {
    const mayPass = this.kind === 'retry' && !this.silent && !this.lasting;
    return mayPass && (this.status >= 500 || this.status === 429 || this.status === 408);
  }
}

/** What stands inside other texts, as a text by itself. */
const fullStop: Record<Language, string> = { en: '.', zh: '。' };

function sentenceIn(language: Language, coded: string): string {
  const text = wordsIn(language, coded);
  // The words of an upstream stay as they are.
  if (text === coded) return text;
  const end = fullStop[language];
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.。]$/.test(text) ? '' : end}`;
}
