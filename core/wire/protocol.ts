import type { ChatClientCodec, ResponseIdentity } from '../canonical/chat-codec.ts';
import type { Loss } from '../canonical/loss.ts';
import type { ProtocolName, RelayRequest, RequestFields } from '../canonical/request.ts';
import type { Usage } from '../canonical/usage.ts';
import type { JsonObject } from '../lib/json-value.ts';

/** How one stream event's JSON bears on the call; pure, so recorded bytes are a whole test. */
export interface EventReading {
  /** Text that counts as completion when the upstream reports no usage. */
  text: string;
  usage: Usage | undefined;
  /** The completion of the usage is a placeholder: the count comes later, or never. */
  isInterim?: boolean;
  /** The event carries nothing but usage: hidden from a client that did not ask for it. */
  usageOnly: boolean;
  finished: boolean;
  /** The event is an error object of the upstream. */
  error: unknown;
  /** Status that the error stands for, where the protocol tells. */
  status?: number;
  /** The event begins a response or keeps a connection alive: it says nothing yet, so another upstream could still respond. */
  saysNothing?: boolean;
  /** Nothing comes after this event. */
  ended?: boolean;
  /** What the upstream calls its response, where the event names it. */
  responseId?: string;
  /** What it calls its model, where the event names it. */
  model?: string;
  /** Why choices ended (neutral reasons, separated by commas), where the event tells. */
  finishReason?: string;
  /** What it calls the items of a response that is complete. */
  itemIds?: readonly string[];
}

export interface CommonForm {
  protocol: ProtocolName;
  write(body: Record<string, unknown>, model: string): { body: Record<string, unknown>; losses: Loss[] };
  /** `request` is the client's body. Throws UpstreamError for what is not a response. */
  read(response: unknown, request: Record<string, unknown>): unknown;
}

/** One client protocol: checks the request, reads responses, writes errors. Pure: no network, no database, no clock. */
export interface Protocol {
  name: ProtocolName;
  /** Path at an upstream that has this protocol's own paths. */
  path: string;
  body: 'json' | 'multipart';
  /** Model for calls that name none. */
  defaultModel?: string;
  /** Throws AppError for whatever the client got wrong. `pathModel` is the model of routes that carry it in their path. */
  parse(fields: RequestFields, pathModel?: string): RelayRequest;
  /** Deeper checks, for a body the relay has parsed anyway; one linear walk. Throws AppError. */
  checkBody?(body: Record<string, unknown>): void;
  /** Usage of a whole JSON response, undefined when it has none or it is not sane (integers 0..10^7). */
  readUsage(response: unknown): Usage | undefined;
  /** Member of a whole response that `readUsage` looks at: found in the tail of a response too long to be parsed. */
  usageMember?: string;
  /** Whether a whole JSON response has what a response is made of; without it the upstream failed, whatever its status says. */
  isResponse?(response: unknown): boolean;
  /** Text of a whole JSON response that counts as completion when the upstream reports no usage. */
  readText(response: unknown): string[];
  /** The document that a response of plain text stands for, for protocols with formats of plain text. */
  textDocument?(text: string): JsonObject;
  /** Member of a whole JSON response that lists its pictures, for protocols that are paid by them. */
  pictureMember?: string;
  /** One event on its own; streams of protocols whose events build on each other are read by `createChatReader`. */
  readEvent(event: unknown): EventReading;
  /** The events of a stream whose upstream ignored `stream` and sent one document; without it the document is the one event. */
  documentChunks?(document: JsonObject, identity: ResponseIdentity): unknown[];
  /** Terminal event of a stream, '' when the protocol has none. */
  terminal: string;
  /** Whether a stream that ends without the terminal event or a finish reason is a broken one. */
  needsFinish: boolean;
  /** Of chat protocols: how their calls are converted for upstreams that speak another one. */
  chat?: ChatClientCodec;
  /** Of other protocols: the one every upstream of its kind knows, and the way there and back. Throws AppError (`convert.*`). */
  common?: CommonForm;
  /** Streams are in one JSON array instead of server-sent events. */
  streamsArray?: boolean;
}

/** Whether the arguments of calls are JSON objects in it, which lose digits where they are parsed as any other. */
export const hasCallObjects = ({ name }: Pick<Protocol, 'name'>): boolean =>
  name === 'anthropic-messages' || name === 'gemini';
