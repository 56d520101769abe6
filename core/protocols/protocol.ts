import type { Usage } from '../canonical/usage.ts';

/** What a client speaks on one route. */
export type ProtocolName =
  | 'openai-chat'
  | 'openai-completion'
  | 'openai-embedding'
  | 'openai-moderation'
  | 'openai-image'
  | 'openai-image-edit'
  | 'openai-speech'
  | 'openai-transcription'
  | 'openai-translation';

/** The top-level values of a request body that the relay reads; a JSON scan and a multipart form both offer them. */
export interface RequestFields {
  /** In a form, files count under the name of their field. */
  has(key: string): boolean;
  /** The parsed value, undefined when absent or larger than 64 KiB. */
  value(key: string): unknown;
  /** Elements of a top-level array, undefined when it is none. */
  count(key: string): number | undefined;
}

/** What the relay needs to know of a call to route, price and hold it. */
export interface RelayRequest {
  model: string;
  stream: boolean;
  /** The client itself asked for the usage chunk at the end of a stream. */
  wantsUsage: boolean;
  /** Upper bound of completion tokens over all choices, undefined when the client set none. */
  maxCompletion: number | undefined;
  /** Billed units other than tokens. */
  units: RequestUnits;
}

export interface RequestUnits {
  /** Pictures asked for, with the size and quality that price them. */
  images?: { count: number; size: string; quality: string };
  /** Characters of text to speak. */
  characters?: number;
}

/** How one stream event's JSON bears on the call; pure, so recorded bytes are a whole test. */
export interface EventReading {
  /** Text that counts as completion when the upstream reports no usage. */
  text: string;
  usage: Usage | undefined;
  /** The event carries nothing but usage: hidden from a client that did not ask for it. */
  usageOnly: boolean;
  finished: boolean;
  /** The event is an error object of the upstream. */
  error: unknown;
}

/** One client protocol: checks the request, reads answers, writes errors. Pure: no network, no database, no clock. */
export interface Protocol {
  name: ProtocolName;
  /** Path at an OpenAI-shaped upstream. */
  path: string;
  body: 'json' | 'multipart';
  /** Model for calls that name none. */
  defaultModel?: string;
  /** Throws AppError for whatever the client got wrong. `pathModel` is the model of routes that carry it in their path. */
  parse(fields: RequestFields, pathModel?: string): RelayRequest;
  /** Deeper checks, for a body the relay has parsed anyway; one linear walk. Throws AppError. */
  checkBody?(body: Record<string, unknown>): void;
  /** Usage of a whole JSON answer, undefined when it has none or it is not sane (integers 0..10^7). */
  readUsage(answer: unknown): Usage | undefined;
  /** Text of a whole JSON answer that counts as completion when the upstream reports no usage. */
  readText(answer: unknown): string[];
  readEvent(event: unknown): EventReading;
  /** Terminal event of a stream, '' when the protocol has none. */
  terminal: string;
  /** Whether a stream that ends without the terminal event or a finish reason is a broken one. */
  needsFinish: boolean;
}
