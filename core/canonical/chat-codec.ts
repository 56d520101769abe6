import type { ChatEvent } from './chat-event.ts';
import type { ChatProtocol, ChatRequest } from './chat-request.ts';
import type { Loss } from './loss.ts';
import type { Usage } from './usage.ts';

/** What names an answer, for parts of it that the upstream leaves unnamed. */
export interface AnswerIdentity {
  /** Without a protocol's prefix; ours, unique per call. */
  id: string;
  /** The name the client asked for. */
  model: string;
  /** Unix seconds. */
  created: number;
}

/** The client's side of a chat protocol: reads requests, writes answers. Pure. */
export interface ChatClientCodec {
  protocol: ChatProtocol;
  /** Throws AppError (`request.*`) for what the client got wrong. `fromPath` is what the path says (Gemini: model, stream). */
  readRequest(body: Record<string, unknown>, fromPath?: { model?: string; stream?: boolean }): ChatRequest;
  /** One writer per stream. */
  createStreamWriter(context: StreamContext): ChatStreamWriter;
  /** The whole answer as the client's protocol has it, from the events of a whole answer. */
  writeAnswer(events: readonly ChatEvent[], context: StreamContext): Record<string, unknown>;
}

/** What a writer knows of the call it answers, streamed or whole. */
export interface StreamContext {
  identity: AnswerIdentity;
  /** Estimate, for protocols that name the prompt's size at the start (Anthropic). */
  promptTokens: number;
  /** OpenAI chat: the client asked for the usage chunk. */
  wantsUsage: boolean;
  request: ChatRequest;
}

/** Turns events into the text of the client's stream. Keeps no more than it needs to (no whole answer where the protocol needs none). */
export interface ChatStreamWriter {
  /** '' when the event says nothing in this protocol. The end is written by `end`, because it waits for the bill. */
  event(event: ChatEvent): string;
  /** Whatever closes the stream after the settlement: last usage and terminal event. */
  end(usage: Usage): string;
}

/** The upstream's side: writes requests, reads answers. Pure. */
export interface ChatUpstreamCodec {
  protocol: ChatProtocol;
  /** Throws AppError (`convert.notPossible`) for what this protocol cannot say and the client cannot do without. */
  writeRequest(request: ChatRequest, context: WriteContext): { body: Record<string, unknown>; losses: Loss[] };
  /** One reader per stream. */
  createStreamReader(context: ReadContext): ChatStreamReader;
  /** Events of a whole answer, `end` included. */
  readAnswer(answer: unknown, context: ReadContext): ChatEvent[];
}

export interface WriteContext {
  /** The model's name at the upstream. */
  model: string;
  /** For protocols that insist on a bound of output when the client set none. */
  defaultMaxOutput: number;
}

export interface ReadContext {
  identity: AnswerIdentity;
  /** Tool names as they went out, to the names the client knows, where they had to be changed. */
  toolNames?: ReadonlyMap<string, string>;
}

export interface ChatStreamReader {
  /** One event of the stream: its parsed JSON, and its `event:` name where it has one. */
  event(data: unknown, name?: string): ChatEvent[];
  /** The bytes ended: what is missing to a whole answer, or an `error` for a stream that broke off. */
  end(): ChatEvent[];
}
