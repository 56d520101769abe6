import { codedIn, issueAt } from '../text/coded.ts';
import { type Details, type Language, type TextKey, templateOf, textIn } from '../text/text.ts';
import { catalog, type ErrorCode } from './catalog.ts';

export type { Language } from '../text/text.ts';
export type ErrorDetails = Details;

export interface AppErrorOptions {
  cause?: unknown;
  /** Whole seconds a client should wait; becomes the Retry-After header. */
  retryAfterSeconds?: number;
  /** The request field at fault, as the OpenAI `param` member names it. */
  param?: string;
  /** What the console API returns beside the message. */
  data?: unknown;
  /** Which of several things the error is about; put before the text. */
  about?: string;
}

/** An error thrown on purpose. Its text is made at the edges, in the reader's language. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly retryAfterSeconds: number | undefined;
  readonly param: string | undefined;
  readonly data: unknown;
  readonly #about: string;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options: AppErrorOptions = {}) {
    super(textIn('en', 'error', code, details), { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.param = options.param;
    this.data = options.data;
    this.#about = options.about ?? '';
  }

  get status(): number {
    return catalog[this.code].status;
  }

  /** The code of the relay's wire format (`insufficient_user_quota`), else the catalog code. */
  get wireCode(): string {
    const entry = catalog[this.code];
    return 'wire' in entry ? entry.wire : this.code;
  }

  text(language: Language): string {
    const text = textIn(language, 'error', this.code, this.details);
    return this.#about === '' ? text : textIn(language, 'detail', 'issue.at', { place: this.#about, reason: text });
  }

  /** Its text where it stands alone, not after `error:`: an English one begins with a capital, unless it begins with a name. */
  sentence(language: Language): string {
    const text = this.text(language);
    const begins = this.#about === '' && ownBeginning.test(templateOf('en', 'error', this.code) ?? '');
    return begins ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  }

  /** Its text in no language yet, for another text to contain or the database to keep. */
  get coded(): string {
    return issueAt(this.#about, codedIn('error', this.code, this.details));
  }

  hint(language: Language): string | undefined {
    const key = `${this.code}.hint`;
    return templateOf(language, 'error', key) && textIn(language, 'error', key as HintKey, this.details);
  }
}

/** A word of ours, not a name of a user's or of a program, as `pg_dump` is. */
const ownBeginning = /^([a-z]+[ ,;:'-]|\{(who|what)\})/;

type HintKey = Extract<TextKey<'error'>, `${string}.hint`>;
