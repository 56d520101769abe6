import type { UpstreamErrorKind } from '../../../core/errors/upstream-error.ts';
import type { FakeUpstream } from '../fake-upstream.ts';
import type { RecordedRequest, Script } from '../upstream-script.ts';
import type { LackReason } from './lack-reason.ts';

/** Columns of the table of provider types. */
export const vendorFeatures = [
  'chat',
  'stream',
  'tools',
  'vision',
  'embeddings',
  'rerank',
  'images',
  'speech',
  'transcription',
  'usage',
  'errors',
  'test',
  'models',
  'balance',
] as const;
export type VendorFeature = (typeof vendorFeatures)[number];

/** One way of speaking to one channel type, in the vendor's own bytes (composed from its sheet). */
export interface VendorFixture {
  type: number;
  /** Tells a second way of the same type from the first: `native`, `v3`; '' for the first. */
  variant: string;
  /** A function of the upstream's address where the key names it. */
  channel: VendorChannel | ((upstreamUrl: string) => VendorChannel);
  /** What this vendor does not offer, or not in this way, and why; every other feature is proven. */
  lacks: Partial<Record<VendorFeature, LackReason>>;
  /** Routes that calls need besides their own: a token exchange. Set again before each test. */
  prepare?(upstream: FakeUpstream): void;
  chat?: ChatFixture;
  embeddings?: Exchange & { prompt: number };
  /** Documents `['apple', 'banana']` for the query `fruit`: the second one comes first. `prompt` where the vendor tells tokens. */
  rerank?: Exchange & { prompt?: number };
  /** One picture, by address or base64. */
  images?: Exchange;
  speech?: Exchange;
  transcription?: Exchange & { text: string };
  errors: ErrorFixture[];
  models?: Exchange & { found: string[] };
  balance?: Exchange & { dollars: number };
}

/** The upstream's response to one kind of call, and the request it must have received. */
export interface Exchange {
  model?: string;
  response: Script;
  /** Of the call itself, not of a token exchange before it. */
  asked?(request: RecordedRequest): void;
}

export interface VendorChannel {
  key: string;
  other?: string;
  openai_organization?: string;
  setting?: Record<string, unknown>;
  /** Behind the fake upstream's address in `base_url`. */
  path?: string;
}

export interface ChatFixture {
  model: string;
  /** Says `Hello from upstream.` and stops, with the usage below; asked for `Hi` under the system prompt `Be brief.` */
  text: ChatResponses;
  /** Calls `get_weather` with `{"city":"Paris"}`; only where `tools` is not lacking. */
  tool?: ChatResponses;
  /** Checks the request with a PNG picture (base64 of `89504e47`), whose response is `text`. */
  vision?: { model?: string; asked(request: RecordedRequest): void };
  usage: { prompt: number; completion: number; cached?: number; reasoning?: number };
  /** `counted`: the vendor tells no usage, or a made-up one, so that ours is billed. */
  usageSource?: 'upstream' | 'counted';
}

export interface ChatResponses {
  /** For clients that want it whole; left out where the vendor only streams. */
  whole?: Script;
  stream: Script;
  asked?(request: RecordedRequest): void;
}

export interface ErrorFixture {
  /** What goes wrong: `expired key`. */
  title: string;
  /** Instead of a response. JSON that comes with HTTP 200 is also played as the first server-sent event of a stream. */
  response: Script;
  /** As the beginning of a stream, where that is not `answer` in an event; null where the vendor only fails before a stream. */
  streamed?: Script | null;
  kind: UpstreamErrorKind;
}
