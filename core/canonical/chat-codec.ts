import type { Steps } from '../lib/steps.ts';
import type { ChatEvent } from './chat-event.ts';
import type { ChatFormat, ChatProtocol, ChatRequest } from './chat-request.ts';
import type { Loss } from './loss.ts';
import type { Usage } from './usage.ts';

/** What names a response, for parts of it that the upstream leaves unnamed. */
export interface ResponseIdentity {
  /** Without a protocol's prefix; ours, unique per call. */
  id: string;
  /** The name the client asked for. */
  model: string;
  /** Unix seconds. */
  created: number;
}

/** The client's side of a chat protocol: reads requests, writes responses. Pure. */
export interface ChatClientCodec {
  protocol: ChatProtocol;
  /** Throws AppError (`request.*`) for what the client got wrong. `fromPath` is what the path says (Gemini: model, stream). */
  readRequest(body: Record<string, unknown>, fromPath?: { model?: string; stream?: boolean }): Steps<ChatRequest>;
  /** One writer per stream. */
  createStreamWriter(context: StreamContext): ChatStreamWriter;
  /** The whole response as the client's protocol has it, from the events of a whole response. */
  writeResponse(events: readonly ChatEvent[], context: StreamContext): Record<string, unknown>;
}

/** What a writer knows of the call whose response it writes, streamed or whole. */
export interface StreamContext {
  identity: ResponseIdentity;
  /** Estimate, for protocols that name the prompt's size at the start (Anthropic). */
  promptTokens: number;
  /** OpenAI chat: the client asked for the usage chunk. */
  wantsUsage: boolean;
  request: ChatRequest;
}

/** Turns events into the text of the client's stream. Keeps no more than it needs to (no whole response where the protocol needs none). */
export interface ChatStreamWriter {
  /**
   * '' when the event says nothing in this protocol. The end is written by `end`, because it waits for the bill; an `error` is
   * written by the protocol's error writer, because it has to be masked and put into the client's language first.
   */
  event(event: ChatEvent): string;
  /** One event of a stream that went out as it came, before what it says is told: for protocols whose events name one another. */
  passed?(event: unknown): void;
  /**
   * The events so far were not written by it, though it was told them all: what it holds back for a later event has gone out, and what
   * it would begin with the next event has begun. False when it cannot go on from there.
   */
  takeOver?(): boolean;
  /** Whatever closes the stream after the settlement: last usage and terminal event. */
  end(usage: Usage): string;
}

/** The upstream's side: writes requests, reads responses. Pure. */
export interface ChatUpstreamCodec {
  protocol: ChatFormat;
  /** Throws AppError (`convert.notPossible`) for what this protocol cannot say and the client cannot do without. */
  writeRequest(request: ChatRequest, context: WriteContext): Steps<WrittenRequest>;
  /** Whether the model searches the web where it has other tools beside. */
  searchesBesideTools?(model: string): boolean;
  /** One reader per stream. */
  createStreamReader(context: ReadContext): ChatStreamReader;
  /** Whether a whole response has what a response is made of, be it empty. */
  isResponse(response: unknown): boolean;
  /** Events of a whole response, `end` included. */
  readResponse(response: unknown, context: ReadContext): ChatEvent[];
}

export interface WriteContext {
  /** The model's name at the upstream. */
  model: string;
  /** For protocols that insist on a bound of output when the client set none. */
  defaultMaxOutput: number;
  /** Gemini: harm category to threshold, for calls that name none themselves. */
  safety?: Readonly<Record<string, string>>;
  /** Anthropic: share of the output that a model named `...-thinking` thinks with; 0 = the ending is a part of the name. */
  thinkingShare?: number;
  /** Anthropic: false where the cloud that serves the model has no search of the web. */
  searchesWeb?: boolean;
  /** OpenAI chat: the vendor wants the reasoning of earlier turns back as text (DeepSeek, Kimi). */
  replaysReasoning?: boolean;
}

/** What a request made of the client's tools; needed to read the response. */
export interface ToolChanges {
  /** Tool names as they went out, to the names the client knows, where they had to be changed. */
  toolNames?: ReadonlyMap<string, string>;
  /** Custom tools that went out as functions with one text `input`: names as they went out. */
  customTools?: ReadonlySet<string>;
  /** A tool the model was made to call because the upstream knows no other way to a JSON response: its arguments are the text. */
  responseTool?: string;
}

export interface WrittenRequest extends ToolChanges {
  /** May hold `RawJson`: goes out through `writeJson`. */
  body: Record<string, unknown>;
  losses: Loss[];
}

export interface ReadContext extends ToolChanges {
  identity: ResponseIdentity;
  /** Number of choices requested, 1 when absent. */
  choices?: number | undefined;
  /** Our estimate of the prompt, for vendors that tell the sum of both counts alone. */
  promptTokens?: number;
}

export interface ChatStreamReader {
  /** What it reads later depends on the text of every event before: none may be kept from it. */
  readonly needsEveryText?: boolean;
  /** Something has come that is told with a later event: what was told is not all that the upstream said. */
  holdsBack?(): boolean;
  /** One event of the stream: its parsed JSON (`[DONE]` as that text), and its `event:` name where it has one. */
  event(data: unknown, name?: string): ChatEvent[];
  /**
   * Of a stream that broke off: how its choices end, where the upstream has said so and it would be told with the end. A client that was
   * passed the stream as it is knows it. Nothing is read after this.
   */
  ending?(): ChatEvent[];
  /** The bytes ended: what is missing to a whole response, or an `error` for a stream that broke off. */
  end(): ChatEvent[];
}
