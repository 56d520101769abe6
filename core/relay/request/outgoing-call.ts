import type { Loss } from '../../canonical/loss.ts';
import type { OutboundRequest } from '../../integrations/outbound/outbound-request.ts';
import type { ProviderAdapter, StreamOptions, UpstreamCredential, UpstreamRequest } from '../../providers/adapter.ts';
import { requireAdapter } from '../../providers/registry.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import type { ReadCall, RelayBody } from '../call.ts';
import type { RelayOptions } from '../relay-options.ts';
import type { Continuation } from '../rescue/continuation.ts';
import type { CommonCall } from './common-form.ts';
import type { Conversion } from './conversion.ts';

/** A call on its way to one channel. */
export interface OutgoingCall {
  readonly run: ReadCall;
  readonly channel: RoutedChannel;
  readonly adapter: ProviderAdapter;
  readonly upstreamModel: string;
  readonly options: Pick<RelayOptions, 'modelSettings' | 'passesBodies'>;
  readonly streamOptions: StreamOptions;
  /** Set after the upstream refused the first way to its model. */
  readonly profile?: string | undefined;
  /** Unix seconds. */
  readonly created: number;
  /** Set when the upstream is to say the rest of a response alone. */
  readonly continuation: Continuation | undefined;
}

/** The form a call goes out in; with neither member it is the client's own. */
export interface CallForm {
  /** Set when the upstream is spoken to in another chat protocol than the client's. */
  readonly conversion: Conversion | undefined;
  /** Set when a call that is not chat goes out in another form than the client's. */
  readonly common: CommonCall | undefined;
}

export interface FormedCall extends OutgoingCall, CallForm {}

export const ownForm: CallForm = { conversion: undefined, common: undefined };

/** A call as it goes out, but for what proves who we are where that takes more than a key. */
export interface BuiltRequest {
  request: OutboundRequest;
  source: ReturnType<RelayBody['source']>;
  credential: UpstreamCredential | undefined;
  readResponse: UpstreamRequest['readResponse'];
  job: UpstreamRequest['job'];
  readFile: UpstreamRequest['readFile'];
  /** Parts of the call that the upstream does not get, or gets in another form. */
  losses: readonly Loss[];
}

export function upstreamModelOf(channel: RoutedChannel, model: string): string {
  return channel.modelMapping.get(model) ?? model;
}

/** OpenAI's reasoning models are silent until they have thought. */
export function thinksFirst(upstreamModel: string): boolean {
  return /^o\d/.test(upstreamModel);
}

export function adapterOf({ type }: RoutedChannel): ProviderAdapter {
  return requireAdapter(type);
}
