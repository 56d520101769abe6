import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { BodyEdit } from '../canonical/body-edit.ts';
import type { ChatFormat, ChatRequest } from '../canonical/chat-request.ts';
import type { Loss } from '../canonical/loss.ts';
import type { ProtocolName, RelayRequest, RequestFields } from '../canonical/request.ts';
import type { UsageSource } from '../canonical/usage.ts';
import type { Language } from '../errors/app-error.ts';
import type { UpstreamError } from '../errors/upstream-error.ts';
import type { ConversationTurn } from '../schemas/conversation-turn.ts';
import type { FirstTokenLimit } from '../schemas/first-token.ts';
import type { Caller } from '../services/caller.ts';
import type { RoutedChannel } from '../services/routing.ts';
import type { ErrorDialect } from '../wire/error-dialect.ts';
import type { Protocol } from '../wire/protocol.ts';
import type { CallRoom } from './limit/memory-budget.ts';
import type { PromptMeasure } from './meter/estimate.ts';
import type { CallMedia } from './request/call-media.ts';
import type { CallTrace } from './telemetry/trace.ts';

export interface PromptTextReader {
  /** `key` names the text in its object. A long text comes in pieces: `isContinued` is set for all but the first. */
  text(text: string, key: string, isContinued: boolean): void;
  /** To be called between pieces of a long prompt, and waited for. */
  turn(): Promise<void> | undefined;
}

/** Bytes for an upstream; may be opened again for another attempt. */
export interface BodySource {
  length: number;
  contentType: string;
  open(): Buffer | Readable;
}

/** A request body, read once, that may be sent several times. The HTTP layer makes it; a spooled one lies in a file. */
export interface RelayBody {
  fields: RequestFields;
  measure: PromptMeasure;
  /** Bytes as they were sent, files included. */
  size: number;
  /** A file of a form; absent without one. */
  file?(field: string): Pick<BodySource, 'length' | 'open'> | undefined;
  /** The parsed JSON, shared and never changed; undefined for a form. A promise only for a body that lies in a file. */
  json(): Promise<Record<string, unknown>> | Record<string, unknown> | undefined;
  /** Hands over what a model reads of it, in order. A promise for a body that lies in a file, or when the reader is slow. */
  readTexts(reader: PromptTextReader): Promise<void> | undefined;
  /** Memory for what is made of this call, until the body is disposed of. */
  readonly room: CallRoom;
  /** Whether one of the texts is in the body as it was sent. */
  mentions(texts: readonly string[]): Promise<boolean> | boolean;
  source(edits: BodyEdit[]): BodySource;
  /** A promise only for a body that lies in a file. */
  dispose(): Promise<void> | undefined;
}

/** What log rows, log lines and figures know a call by. */
export interface CallIdentity {
  /** UUIDv7 made by this server. */
  id: string;
  protocol: { readonly name: string };
  caller: Caller;
  /** Monotonic milliseconds when the request came in. */
  startedAt: number;
  /** The client's own, as they came, where the call has any. */
  clientHeaders?: IncomingHttpHeaders;
  /** Set while telemetry is on. */
  trace?: CallTrace;
}

/** One client call as the route hands it to the relay. */
export interface RelayCall extends CallIdentity {
  protocol: Protocol;
  outgoing: ServerResponse;
  /** What every response carries beside its own headers, names and values in turn. */
  headers: readonly string[];
  query: URLSearchParams;
  clientHeaders: IncomingHttpHeaders;
  errors: ErrorDialect;
  /** Reads the body; refuses with AppError what is too large, broken or of the wrong kind. At once when all of it has arrived. */
  readBody(): RelayBody | Promise<RelayBody>;
  /** The model named by the path (`/v1/engines/{model}/embeddings`). */
  pathModel: string | undefined;
  language: Language;
}

/** A call that was read: enough of it to write it for any upstream. */
export interface ReadCall {
  call: Pick<RelayCall, 'id' | 'protocol' | 'query' | 'clientHeaders'>;
  body: RelayBody;
  /** The parsed body, unless it is too long to be parsed on the way. */
  json: Record<string, unknown> | undefined;
  /** The call as a neutral one, once an upstream of another protocol needed it. */
  chat: ChatRequest | undefined;
  /** What it names by address, once an upstream needed that. */
  media: CallMedia;
  request: RelayRequest;
  promptEstimate: number;
}

/** One try on one channel, for the log row and the receipt. */
export interface AttemptNote {
  channel: number;
  /** Which of several keys: `#2 …9f3c`. */
  key?: string;
  /** 'ok', or what went wrong: an HTTP status or a failure's name. */
  outcome: string;
  ms: number;
  /** Set on the one that served a call whose conversation decided. */
  conversation?: ConversationTurn;
  /** How long it might take until its first token; absent without a limit. */
  first_token?: FirstTokenLimit;
  /** Set on one that was asked for the rest of a response alone. */
  continued?: 'prefill' | 'instructed';
  /** Tokens of a response that broke off, said something else or was asked for the rest alone: the operator pays for them, the client does not. */
  spent?: { prompt: number; completion: number } | undefined;
  /** For admins alone: what the upstream said of the operator's own account, with secrets masked, or what the channel lacks, as a code. */
  message?: string;
}

/** What every try has: its channel and key, and how it went. */
export function noteOf(
  { id, keyLabel }: Pick<RoutedChannel, 'id' | 'keyLabel'>,
  outcome: string,
  ms: number,
): AttemptNote {
  return keyLabel === '' ? { channel: id, outcome, ms } : { channel: id, key: keyLabel, outcome, ms };
}

export interface Served {
  channelId: number;
  channelName: string;
  /** The id of the key among several; 0 for a channel with one. */
  channelKey: number;
  upstreamModel: string;
  attempts: AttemptNote[];
  /** Set when the upstream was spoken to in another protocol than the client's. */
  upstreamProtocol: ProtocolName | ChatFormat | undefined;
  /** Parts of the call that the upstream did not get, or got in another form. */
  losses: readonly Loss[];
}

/** Of a call that went to its upstream in the client's own words. */
export function servedBy(
  { id: channelId, name: channelName, keyId: channelKey }: RoutedChannel,
  upstreamModel: string,
  attempts: AttemptNote[],
): Served {
  return { channelId, channelName, channelKey, upstreamModel, attempts, upstreamProtocol: undefined, losses: [] };
}

/** What the log line of a call says. */
export interface CallSummary {
  model: string;
  channel: number;
  status: number;
  quota: number;
  promptTokens: number;
  completionTokens: number;
  usageSource: UsageSource | '';
  outcome: string;
  /** Set when a stream broke off and others were asked to go on: whether the client has all of it. */
  rescue?: 'whole' | 'broken' | undefined;
  /** Set when its conversation decided which channel it goes to. */
  conversation?: ConversationTurn | undefined;
  /** What broke a response that had begun. */
  failure?: UpstreamError | undefined;
  /** Until a stream began to respond. */
  firstTokenMs: number | undefined;
  /** Why an administrator should review this bill; '' when there is no need. */
  flags: string;
  /** The channels tried by a call that was not charged. */
  attempts?: readonly AttemptNote[];
  isStream?: boolean;
  /** Something was held for it: a call that costs nothing by its price is not. */
  isPriced?: boolean;
  /** The error is not how the call ended: something beside it failed, such as the removal of its files. */
  isAside?: true;
}

/** Of a call that was not charged. */
export const unsettled: CallSummary = {
  model: '',
  channel: 0,
  status: 0,
  quota: 0,
  promptTokens: 0,
  completionTokens: 0,
  usageSource: '',
  outcome: 'error',
  failure: undefined,
  firstTokenMs: undefined,
  flags: '',
};

/** Of what failed beside a call. */
export const aside: CallSummary = { ...unsettled, isAside: true };

/** Bodies beyond this are passed on by their scan alone (performance: parsing blocks the loop for milliseconds). */
const parsedLimitBytes = 1024 * 1024;

/**
 * What the relay has to know of a call, with its body parsed where that is quick. Throws AppError for what the client got wrong. A promise
 * only for a body that lies in a file.
 */
export function readCall(
  { protocol, pathModel }: Pick<RelayCall, 'protocol' | 'pathModel'>,
  body: RelayBody,
): ReadRequest | Promise<ReadRequest> {
  const request = protocol.parse(body.fields, pathModel);
  const checked = (json: ReadCall['json']): ReadRequest => {
    if (json) protocol.checkBody?.(json);
    return { request, json };
  };
  const json = body.size <= parsedLimitBytes ? body.json() : undefined;
  return json instanceof Promise ? json.then(checked) : checked(json);
}

type ReadRequest = Pick<ReadCall, 'request' | 'json'>;
