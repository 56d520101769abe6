/** What one cell of the matrix asks, in no particular protocol: each client says it the way its SDK wants it said. */
export interface Question {
  model: string;
  stream: boolean;
  system?: string;
  /** Marks the system text as the end of what is to be cached. */
  cached?: boolean;
  turns: Turn[];
  tools?: ToolDefinition[];
  choice?: 'none' | 'required' | { name: string };
  schema?: Record<string, unknown>;
  thinking?: boolean;
  stop?: string[];
  maxTokens?: number;
}

export type Turn =
  | { user: Piece[] }
  | { assistant: { text?: string; calls?: Call[] } }
  /** A response as the SDK itself gave it, put back the way the SDK's documentation says. */
  | { back: unknown }
  | { results: Result[] };

export type Piece =
  | { text: string }
  /** Base64 of a PNG. */
  | { picture: string }
  | { pictureUrl: string }
  /** Base64. */
  | { pdf: string };

export interface Call {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

export interface Result {
  id: string;
  name: string;
  text: string;
  picture?: string;
  isError?: boolean;
}

export interface ToolDefinition {
  name: string;
  description: string;
  schema: Record<string, unknown>;
}

export type Finish = 'stop' | 'length' | 'tool' | 'filter';

/** What the SDK understood. */
export interface Reply {
  text: string;
  reasoning: string;
  calls: Call[];
  finish: Finish | undefined;
  /** The stop sequence that ended the response, where the protocol tells. */
  stopSequence?: string | undefined;
  /** As the protocol tells it: the whole prompt, what of it came from the cache, the whole response. */
  usage: { prompt: number; cached: number; completion: number };
  /** Pieces of text that arrived one after the other; 1 for a whole response. */
  pieces: number;
  /** The response as a turn of the next request. */
  back: unknown;
}

/** What the SDK raised. */
export interface Raised {
  /** One of the SDK's own error types, not a failure to parse. */
  isTyped: boolean;
  kind: string;
  status: number | undefined;
  text: string;
}

export interface MatrixClient {
  ask(question: Question): Promise<Reply>;
  raised(error: unknown): Raised;
}

/** Where the gateway listens, and a key of it. */
export interface ClientTarget {
  url: string;
  key: string;
}
