/** The four protocols people speak for chat, and so the four that upstreams speak. */
export const chatProtocols = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const;
export type ChatProtocol = (typeof chatProtocols)[number];

/** What a chat upstream is spoken to in: one of the protocols, or a format that its vendor alone has. */
export type ChatFormat = ChatProtocol | 'vendor';

export function isChatProtocol(name: string): name is ChatProtocol {
  return (chatProtocols as readonly string[]).includes(name);
}

/**
 * One chat call between any client protocol and any upstream protocol. What a field cannot express is in `extras`, under the
 * protocol it came from, and goes out again only to that protocol.
 */
export interface ChatRequest {
  /** Protocol of the client. */
  origin: ChatProtocol;
  model: string;
  stream: boolean;
  /** Upper bound of completion tokens, hidden reasoning included. */
  maxOutput: number | undefined;
  sampling: Sampling;
  stop: string[];
  /** Likelihoods of the chosen tokens, and of the `top` best ones. */
  logprobs: { top: number } | undefined;
  /** Leading system texts, in order. */
  instructions: Part[];
  messages: Message[];
  tools: Tool[];
  toolChoice: ToolChoice | undefined;
  /** Undefined = as the upstream does it; false = one call at a time. */
  parallelTools: boolean | undefined;
  output: OutputFormat;
  reasoning: ReasoningWish | undefined;
  /** Marks the last cacheable block of every request (Anthropic), or names a shared prefix (OpenAI). */
  cache: { key?: string; automatic?: CacheMark } | undefined;
  /** The end user of the client's product; hashed before it goes to another protocol's upstream. */
  userId: string | undefined;
  serviceTier: string | undefined;
  metadata: Record<string, string> | undefined;
  store: boolean | undefined;
  /** Only an upstream that stored the earlier turn can continue it. */
  previousResponseId: string | undefined;
  /** Top-level members that have no place above. */
  extras: Record<string, unknown>;
}

export interface Sampling {
  temperature?: number;
  topP?: number;
  topK?: number;
  seed?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  /** Token id to bias. */
  logitBias?: Record<string, number>;
  /** Number of choices requested; 1 when absent. */
  choices?: number;
}

export interface Message {
  /** `system` here is at its place in the conversation; leading ones are in `instructions`. */
  role: 'user' | 'assistant' | 'system' | 'tool';
  parts: Part[];
  /** Which of several people or agents speaks (OpenAI). */
  name?: string;
  /** OpenAI Responses: commentary before tool calls, or the final response. */
  phase?: 'commentary' | 'final_answer';
}

/** How long a prefix may be kept: Anthropic's two lifetimes. */
export type CacheMark = '5m' | '1h';

/** State only its maker can read: signatures, encrypted reasoning. Goes back to the same origin or nowhere. */
export interface Opaque {
  origin: ChatProtocol;
  /** Thought signature, encrypted reasoning content or redacted thinking, as it came. */
  value: string;
  kind: 'signature' | 'encrypted' | 'redacted';
  /** The item's own id where the protocol names one. */
  id?: string;
}

export type Part =
  | { kind: 'text'; text: string; cache?: CacheMark; citations?: unknown[] }
  | { kind: 'image'; source: MediaSource; detail?: string; cache?: CacheMark; extras?: Record<string, unknown> }
  | { kind: 'audio'; data: string; format: string; extras?: Record<string, unknown> }
  | {
      kind: 'document';
      source: MediaSource;
      name?: string;
      title?: string;
      context?: string;
      citations?: boolean;
      cache?: CacheMark;
      extras?: Record<string, unknown>;
    }
  | { kind: 'reasoning'; text: string; form: 'summary' | 'full'; opaque?: Opaque }
  | ToolCallPart
  | ToolResultPart
  | { kind: 'refusal'; text: string }
  /** Calls and results of tools the upstream runs itself, and whatever else only its own protocol understands. */
  | { kind: 'native'; origin: ChatProtocol; raw: unknown };

/** `extras`: how Google is to read it (frame rate, section, resolution); they go out again only to it. */
export type MediaPart = Extract<Part, { kind: 'image' | 'audio' | 'document' }>;

export interface ToolCallPart {
  kind: 'toolCall';
  /** As the client or the upstream spelled it. */
  id: string;
  name: string;
  /** JSON text of the arguments, word for word; free text for a custom tool. '' means no arguments. */
  arguments: string;
  custom?: boolean;
  opaque?: Opaque;
  cache?: CacheMark;
}

export interface ToolResultPart {
  kind: 'toolResult';
  callId: string;
  /** Undefined where the protocol names calls by id alone. */
  name?: string;
  parts: Part[];
  isError?: boolean;
  cache?: CacheMark;
}

/** A picture or file: its bytes (base64 without line breaks), an address, or a file the upstream keeps. */
export type MediaSource =
  | { type: 'data'; mime: string; data: string }
  | { type: 'url'; url: string; mime?: string }
  | { type: 'file'; id: string; mime?: string };

export type Tool =
  | {
      kind: 'function';
      /** `namespace__tool` for a tool of an OpenAI namespace. */
      name: string;
      namespace?: string;
      description?: string;
      /** JSON Schema; undefined = no arguments. */
      schema?: Record<string, unknown>;
      strict?: boolean;
      cache?: CacheMark;
      /** Members of the definition that have no place above; they go out again only to the client's own protocol. */
      extras?: Record<string, unknown>;
    }
  | { kind: 'custom'; name: string; description?: string; grammar?: unknown }
  /** Run by the upstream: web search, code, pictures. `raw` is the definition as the client wrote it. */
  | { kind: 'hosted'; type: string; raw: Record<string, unknown> };

export type HostedTool = Extract<Tool, { kind: 'hosted' }>;

export type ToolChoice =
  | { mode: 'auto' | 'none' | 'required' }
  | { mode: 'named'; name: string }
  | { mode: 'allowed'; names: string[]; required: boolean };

export type OutputFormat = { verbosity?: string; modalities?: string[]; audio?: Record<string, unknown> } & (
  | { kind: 'text' }
  | { kind: 'json' }
  | { kind: 'schema'; name: string; schema: Record<string, unknown>; strict?: boolean; description?: string }
);

export interface ReasoningWish {
  mode: 'off' | 'auto' | 'effort' | 'budget';
  /** `minimal` to `max`: the wish itself in mode effort; beside it in the others (Anthropic says both). */
  effort?: string;
  /** Tokens, for mode budget. */
  budget?: number;
  /** Whether the client wants to read it. */
  visible?: 'none' | 'summary' | 'full';
}
