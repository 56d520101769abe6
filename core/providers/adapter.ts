import type { BodyEdit } from '../canonical/body-edit.ts';
import type { ChatUpstreamCodec, WriteContext } from '../canonical/chat-codec.ts';
import type { ChatProtocol } from '../canonical/chat-request.ts';
import type { Loss } from '../canonical/loss.ts';
import type { ProtocolName, RelayRequest, RequestFields } from '../canonical/request.ts';
import type { ErrorContext } from '../errors/classify-upstream.ts';
import type { UpstreamError } from '../errors/upstream-error.ts';
import type { RescueLevel } from '../schemas/rescue-level.ts';
import type { StreamDecoder } from '../wire/stream-decoder.ts';
import type { ModelSettings } from './model-setting.ts';

/** What an adapter sees of a channel. `key` is in clear here and nowhere else. */
export interface ChannelTarget {
  id: number;
  type: number;
  key: string;
  /** Without trailing slash; '' = the provider's default. */
  base_url: string;
  other: string;
  openai_organization: string;
  setting: ChannelSetting;
}

export interface ChannelSetting {
  force_format?: boolean;
  thinking_to_content?: boolean;
  stream_options?: boolean;
  proxy?: string;
  user_agent?: string;
  /** How far it may go on with another channel's stream; that of the call's group when left out. */
  stream_rescue?: RescueLevel;
  /** What its vendor charges the operator, as a multiple of the list price; 1 when left out. */
  cost_ratio?: number;
  [key: string]: unknown;
}

/** All that the client sent and our request for usage, our request alone, or nothing. */
export type StreamOptions = 'all' | 'usage' | 'none';

export interface UpstreamCall {
  /** What goes out: the client's own protocol, or the one its call was converted to. */
  protocol: ProtocolName;
  /** Path at an upstream that has the protocol's own paths, with leading slash: `/v1/chat/completions`. */
  path: string;
  /** The client's query string without `?`; only parameters a provider names are ever used. */
  query: URLSearchParams;
  /** Name after the channel's model mapping. */
  model: string;
  request: RelayRequest;
  fields: RequestFields;
  /** The whole body where it has been parsed anyway: some vendors need changes inside the messages. */
  body?: Record<string, unknown> | undefined;
  /** What the client speaks, when `body` is ours instead of its own: a call that was converted, or read and rewritten. */
  convertedFrom?: ProtocolName;
  /** Options on single vendors' models; the default ones when left out. */
  settings?: ModelSettings;
  /** Headers of the client that some vendor has a use for, by their names in lower case (`anthropic-beta`). */
  headers?: Readonly<Record<string, string>>;
  /** Option FORCE_STREAM_OPTION: whether to ask for usage that the client did not ask for. On when left out. */
  forceStreamOption?: boolean;
  /** How much of `stream_options` goes out: all of it when left out, or less after this upstream refused it. */
  streamOptions?: StreamOptions;
  /** One of the adapter's `profiles`, after the first was refused; the first when left out. */
  profile?: string | undefined;
  /** Unix ms, for vendors whose credential is signed for a moment. */
  now?: number;
}

/** What a client gets as bytes although its vendor packed it into JSON. */
export class FileResponse {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** In OpenAI's words, where the vendor reports it. */
  readonly usage: Record<string, unknown> | undefined;

  constructor(bytes: Buffer, contentType: string, usage?: Record<string, unknown>) {
    this.bytes = bytes;
    this.contentType = contentType;
    this.usage = usage;
  }
}

export interface UpstreamRequest {
  url: string;
  /** Lower case. A form's content type, which names its boundary, is left to the writer of the form. */
  headers: Record<string, string>;
  edits: BodyEdit[];
  /** In place of the client's body and its edits, for a call whose form this vendor alone has. May hold `RawJson`. */
  body?: Record<string, unknown>;
  /** In place of the client's form: the bytes of one of its files alone, or as base64 under `member` of a JSON object. */
  file?: { field: string; member?: string };
  /** What of the call this vendor is not told, or is told in another way. */
  losses?: readonly Loss[];
  /** Puts this vendor's whole response into the shape of `UpstreamCall.protocol`, or makes a file response; undefined = it has that shape. */
  readResponse?(response: unknown): unknown;
  /** Set when the call only begins a job, whose result has to be asked for. */
  job?: UpstreamJob;
  /** Puts a response that is not JSON but a file into the shape of `UpstreamCall.protocol`, where that is JSON. */
  readFile?(bytes: Buffer, contentType: string): unknown;
  /** Set when the headers lack what proves who we are, because that takes the whole request or another call. */
  credential?: UpstreamCredential;
  /**
   * Over a WebSocket: the body is the one message that goes out, and each text message that comes back counts as one event of a
   * stream, up to the last one. `url` keeps the scheme of HTTP. Such an upstream always streams (`OwnChat.streamsOnly`).
   */
  socket?: { isLast(message: string): boolean };
}

/** A job at the vendor: the response that begins it, and every one after it, says where to ask next. */
export interface UpstreamJob {
  /** Of the questions, lower case. */
  headers: Record<string, string>;
  /** Undefined once the response is the result. Throws UpstreamError for a job that failed. */
  next(response: unknown): string | undefined;
}

/**
 * How a request is authorized beyond fixed headers: signed with a key of AWS or Tencent, with a token that Google gives for a service account,
 * or with a token that the vendor gives for the channel's key.
 */
export type UpstreamCredential =
  | {
      kind: 'aws';
      accessKeyId: string;
      secretAccessKey: string;
      sessionToken?: string;
      region: string;
      /** Name in the signature: `bedrock`. */
      service: string;
    }
  | {
      kind: 'tencent';
      secretId: string;
      secretKey: string;
      /** Name in the signature: `hunyuan`. */
      service: string;
      /** The vendor's own, which is signed. */
      host: string;
    }
  | { kind: 'google'; clientEmail: string; privateKey: string; keyId?: string; tokenUri: string }
  | ExchangeCredential;

/** A short-lived token in exchange for the channel's key. Kept until shortly before its end, and asked for once however many calls wait. */
export interface ExchangeCredential {
  kind: 'exchange';
  /** The call that gives the token; its address and headers contain the key, and tell one key from another. */
  request: { url: string; method: 'GET' | 'POST'; headers: Record<string, string>; body?: string };
  /** Throws UpstreamError for what is not a token; `status` is the response's. */
  read(status: number, body: unknown): { token: string; lifetimeSeconds: number };
  /** Query parameter of the call that the token goes into; left out = it goes as Bearer. */
  parameter?: string;
}

/** A chat call in a vendor's own format; `body` is what its codec wrote. */
export type OwnChatCall = Omit<UpstreamCall, 'protocol' | 'path' | 'body'> & { body: Record<string, unknown> };

/** A chat format that one vendor alone has. Every chat call is converted to it, whatever the client speaks. */
export interface OwnChat {
  codec: ChatUpstreamCodec;
  /** Throws AppError when the channel cannot serve this call. */
  buildRequest(call: OwnChatCall, channel: ChannelTarget): UpstreamRequest;
  /** Responses always come as a stream: for clients that want them whole they are collected. */
  streamsOnly?: boolean;
  /** For streams that are not server-sent events; one per stream. */
  createStreamDecoder?(): StreamDecoder;
}

/** Our code for one vendor: pure functions around its wire format. Network, retries and money belong to the relay. */
export interface ProviderAdapter {
  name: string;
  /** Shown to people: `OpenAI`, `Azure OpenAI`. */
  label: string;
  /** '' when the operator must give one. */
  defaultBaseUrl: string;
  /** Protocols this vendor speaks itself, so the client's bytes may pass as they are. */
  protocols: ReadonlySet<ProtocolName>;
  /**
   * Chat protocols this vendor speaks for one model, the one to convert to first; a client's own is taken when it is among
   * them. Left out = those in `protocols`.
   */
  chatProtocols?(model: string, channel: ChannelTarget): readonly ChatProtocol[];
  /** The chat format that this vendor alone has, for the models it is spoken in; undefined = one of `chatProtocols`. */
  ownChat?(model: string, channel: ChannelTarget): OwnChat | undefined;
  /** What the writer of a converted chat request has to know of this vendor. */
  writeContext?(model: string, channel: ChannelTarget, settings?: ModelSettings): Partial<Omit<WriteContext, 'model'>>;
  /** Set where the vendor goes on with an assistant turn that ends the messages: `mark` is the member of it that asks for that. */
  continuesTurn?(model: string, spoken: ChatProtocol, channel: ChannelTarget): { mark?: string } | undefined;
  /**
   * The largest bound of output that a call of chat or speech goes out with, where this vendor insists on one or sells what it says
   * by the token: what is held must cover it.
   */
  outputBound?(
    model: string,
    request: Pick<RelayRequest, 'maxCompletion' | 'thinking' | 'units'>,
    settings: ModelSettings,
  ): number;
  /** Images that one call for a model may ask for, where this vendor draws fewer than others. */
  maxImages?(model: string): number | undefined;
  /** Set where an image has its full size, and its full price, whatever smaller one is asked for. */
  drawsFullSize?: boolean;
  /** Whether calls of a protocol cannot be built without their parsed body, however large it is. */
  needsBody?(protocol: ProtocolName): boolean;
  /** Whether the relay has to fetch a picture or file that a client names by this address, because the vendor does not. */
  inlinesMedia?(url: string): boolean;
  /** For streams that are not server-sent events; one per stream. */
  createStreamDecoder?(): StreamDecoder;
  /** It also counts the prompts of its own chat protocol: `buildRequest` then gets the path of that call. */
  countsTokens?: boolean;
  /** Whether a model, by its name at the vendor, can be served at all; every one when left out. */
  serves?(model: string): boolean;
  /** Ways to reach a model, in their order: `UpstreamError.refusesProfile` leads from one to the next, on the same channel. */
  profiles?(model: string, channel: ChannelTarget): readonly string[];
  /** Before a channel is saved: throws AppError for a key, an address or an `other` that no call could be made with. */
  check?(channel: ChannelTarget): void;
  /** Throws AppError when the channel cannot serve this call. */
  buildRequest(call: UpstreamCall, channel: ChannelTarget): UpstreamRequest;
  /** `body` is the parsed JSON, or text when it is not JSON. Messages come out masked (keys, addresses). */
  readError(
    status: number,
    body: unknown,
    headers: Record<string, string | string[] | undefined>,
    context?: ErrorContext,
  ): UpstreamError;
  /**
   * The status that a body or a stream event stands for although it came with HTTP 200, undefined when it is a response:
   * `readError` takes it from there.
   */
  hiddenErrorStatus(body: unknown): number | undefined;
  /** Its responses have OpenAI's shape, but for lists, objects and usage that OpenAI's SDKs misread: clients get them in OpenAI's words. */
  mendsResponses?: boolean;
  /** It gives addresses of pictures only: for a client that asks for base64, the pictures are read from there. */
  drawsByAddress?: boolean;
  /** The vendor reports made-up usage: the call is counted instead. */
  usageIsFake?: boolean;
  /** Where the model list is read, undefined when the vendor has none. */
  modelList?(channel: ChannelTarget): {
    url: string;
    headers: Record<string, string>;
    credential?: UpstreamCredential;
    read(body: unknown): string[];
  };
  /** Where the balance in US dollars is read, undefined when the vendor has none. `today` is YYYY-MM-DD. */
  balance?(channel: ChannelTarget, today: string, yuanPerDollar?: number): BalanceQuery;
}

/** Calls to make in order; `read` gets their bodies in the same order. */
export interface BalanceQuery {
  requests: { url: string; headers: Record<string, string> }[];
  read(bodies: unknown[]): number;
}
