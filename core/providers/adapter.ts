import type { ProtocolName, RelayRequest, RequestFields } from '../canonical/request.ts';
import type { ErrorContext } from '../errors/classify-upstream.ts';
import type { UpstreamError } from '../errors/upstream-error.ts';

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
  [key: string]: unknown;
}

export interface UpstreamCall {
  protocol: ProtocolName;
  /** Path at an OpenAI-shaped upstream, with leading slash: `/v1/chat/completions`. */
  path: string;
  /** The client's query string without `?`; only parameters a provider names are ever used. */
  query: URLSearchParams;
  /** Name after the channel's model mapping. */
  model: string;
  request: RelayRequest;
  fields: RequestFields;
  /** The whole body where it has been parsed anyway: some vendors need changes inside the messages. */
  body?: Record<string, unknown> | undefined;
  /** Option FORCE_STREAM_OPTION: whether to ask for usage that the client did not ask for. On when left out. */
  forceStreamOption?: boolean;
  /** Unix ms, for vendors whose credential is signed for a moment. */
  now?: number;
}

/** A change of one top-level key of a JSON body (or of one form field). `raw` is JSON text. */
export type BodyEdit = { set: string; raw: string } | { drop: string };

export interface UpstreamRequest {
  url: string;
  /** Lower case. A form's content type, which names its boundary, is left to whoever writes the form. */
  headers: Record<string, string>;
  edits: BodyEdit[];
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
  /** Throws AppError when the channel cannot serve this call. */
  buildRequest(call: UpstreamCall, channel: ChannelTarget): UpstreamRequest;
  /** `body` is the parsed JSON, or text when it is none. Messages come out masked (keys, addresses). */
  readError(
    status: number,
    body: unknown,
    headers: Record<string, string | string[] | undefined>,
    context?: ErrorContext,
  ): UpstreamError;
  /**
   * The status that a body or a stream event stands for although it came with HTTP 200, undefined when it is an answer:
   * `readError` takes it from there.
   */
  hiddenErrorStatus(body: unknown): number | undefined;
  /** The vendor reports made-up usage: the call is counted instead. */
  usageIsFake?: boolean;
  /** Where the model list is read, undefined when the vendor has none. */
  modelList?(channel: ChannelTarget): {
    url: string;
    headers: Record<string, string>;
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
