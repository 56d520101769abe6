import type { UpstreamError } from '../errors/upstream-error.ts';
import type { ModelSettings } from '../providers/model-setting.ts';
import type { FirstTokenLimit } from '../schemas/first-token.ts';
import type { RescueLevel } from '../schemas/rescue-level.ts';
import type { RoutingStrategy } from '../schemas/routing-strategy.ts';
import type { ResponseSpeed } from '../services/health/cells.ts';
import type { RoutedChannel } from '../services/routing.ts';
import type { TaskSettings } from '../wire/task-kind.ts';
import type { FirstTokenFigures } from './first-token/limit.ts';

/** The options the relay obeys, read again for each call. */
export interface RelayOptions {
  retryTimes(): number;
  /** Milliseconds until the first token after which another channel takes over, 0 = no limit. */
  firstTokenMs(): number | 'auto';
  /** Without a call, after which a conversation may go to another channel; 0 = calls are spread whatever their conversation. */
  affinitySeconds(): number;
  /** How far another upstream goes on with a stream of this group that breaks off. */
  streamRescue(group: string): RescueLevel;
  /** What decides between channels of one priority, for calls of this group. */
  routingStrategy(group: string): RoutingStrategy;
  preConsumedQuota(): number;
  quotaHardStop(): boolean;
  logConsume(): boolean;
  dataExport(): boolean;
  /** Bodies that need no conversion go out byte for byte: no model mapping, no overrides, no request for usage. */
  passesBodies(): boolean;
  /** Silence after which a stream gets a comment to keep its connection, in milliseconds; 0 = never. */
  pingMs(): number;
  /** Options on single vendors' models. */
  modelSettings(): ModelSettings;
  /** What of a paid job goes to its vendor. */
  tasks(): TaskSettings;
  /** Keywords whose appearance in an upstream's error means that the channel is dead. */
  disableKeywords(): readonly string[];
}

export interface RelayLimits {
  headersMs: number;
  /** For plain responses and reasoning models, which think before their first byte. */
  slowHeadersMs: number;
  idleMs: number;
  /** Between two pieces of content: what keeps a connection alive does not count. Also from the headers to the first word. */
  progressMs: number;
  /** Whole call, 0 = no limit. */
  totalMs: number;
  /** Of the limit that sets itself. */
  firstToken: FirstTokenFigures;
  /** For a client that takes nothing of what waits for it. */
  writeMs: number;
  /** A call that goes on for so long after its client has left is reported. */
  abandonedMs: number;
  /** What a client must have waited for a first word before its leaving says something of the channel. */
  silenceMs?: number;
  /** Pictures and files of one call that are fetched for it, together. */
  mediaBytes: number;
  forceStreamOption: boolean;
  proxy: string | undefined;
}

/** Where the relay reports what it learns of a channel. */
export interface ChannelHealth {
  /** A whole response came for the model, which is named as the caller does. */
  served(channel: RoutedChannel, model: string, speed: ResponseSpeed): void;
  /** Each try that did not lead to a response, or to one that broke off. */
  failed(channel: RoutedChannel, model: string, error: UpstreamError): void;
  /** Its upstream responds without `stream_options`, and did not with it. */
  refusedStreamOptions(channel: RoutedChannel): void;
  /** An attempt goes out with a limit until its first token. */
  limited(limit: FirstTokenLimit): void;
  /** It had none by then. */
  leftFor(limit: FirstTokenLimit): void;
}
