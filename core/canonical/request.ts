import type { ChatProtocol } from './chat-request.ts';

/** What a client speaks on one route. */
export type ProtocolName =
  | ChatProtocol
  | 'openai-completion'
  | 'openai-embedding'
  | 'gemini-embedding'
  | 'openai-moderation'
  | 'openai-image'
  | 'openai-image-edit'
  | 'openai-speech'
  | 'openai-transcription'
  | 'openai-translation'
  | 'rerank'
  | 'cohere-rerank';

/** The top-level values of a request body that the relay reads; a JSON scan and a multipart form both offer them. */
export interface RequestFields {
  /** In a form, files count under the name of their field. */
  has(key: string): boolean;
  /** The parsed value, undefined when absent; one that is large is refused with AppError. */
  value(key: string): unknown;
  /** Whether a value is too large to be read by itself, beyond 64 KiB; left out where none is. */
  isLarge?(key: string): boolean;
  /** The JSON text of a value, undefined when absent. */
  raw?(key: string): string | undefined;
  /** Elements of a top-level array, undefined when it is not an array. */
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
  /** Number of choices requested, 1 when absent. */
  choices?: number;
  /** Tokens the client lets the model think for, over all choices; 0 when it asks for thinking without a number. */
  thinking?: number;
  /** Fields that count as not given, and so do not go out. */
  unset?: readonly string[];
  /** Billed units other than tokens. */
  units: RequestUnits;
}

export interface RequestUnits {
  /** Pictures asked for, with the size and quality that price them. */
  images?: { count: number; size: string; quality: string };
  /** Characters of text to speak. */
  characters?: number;
  /** About how long it takes to say them. */
  spokenSeconds?: number;
  /** A search before the response: how much of it is read, how many sources at most, and if it may be a longer one, as the call says. */
  search?: { context?: 'low' | 'medium' | 'high'; sources?: number; isPro?: true };
  /** Documents to put in order. */
  documents?: number;
}
