import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  ChatClientCodec,
  ChatUpstreamCodec,
  ReadContext,
  StreamContext,
  WriteContext,
} from '../../canonical/chat-codec.ts';
import { type ChatFormat, type ChatRequest, isChatProtocol } from '../../canonical/chat-request.ts';
import type { Loss } from '../../canonical/loss.ts';
import { opaqueMarks } from '../../canonical/opaque-text.ts';
import type { ProtocolName } from '../../canonical/request.ts';
import { withoutSearchOffer } from '../../canonical/search-offer.ts';
import { webSearchOf } from '../../canonical/web-search.ts';
import { recordsOf } from '../../lib/json-value.ts';
import { finishInTurns } from '../../lib/steps.ts';
import type { OwnChat, ProviderAdapter } from '../../providers/adapter.ts';
import { upstreamProtocol } from '../../providers/upstream-protocol.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { chatUpstreams } from '../../wire/chat-upstream.ts';
import type { ReadCall } from '../call.ts';
import type { RelayOptions } from '../relay-options.ts';
import { type Continuation, continued } from '../rescue/continuation.ts';
import { checkArgumentBound } from './argument-bound.ts';
import { inlineMedia, mediaAddresses } from './inline-media.ts';
import { longBytes, ObjectBody } from './object-body.ts';

/** One call put into the words of another chat format, and what is needed to put the response back. */
export interface Conversion {
  protocol: ChatFormat;
  client: ChatClientCodec;
  upstream: ChatUpstreamCodec;
  /** Set where the format is one that the vendor alone has. */
  own: OwnChat | undefined;
  body: ObjectBody;
  losses: readonly Loss[];
  read: ReadContext;
  /** The upstream streams although the client wants the response whole. */
  isCollected: boolean;
  write: StreamContext;
}

export interface ConversionTarget {
  channel: RoutedChannel;
  adapter: ProviderAdapter;
  upstreamModel: string;
  /** Unix seconds. */
  created: number;
  options: Pick<RelayOptions, 'modelSettings'>;
  /** Set when the upstream is to say the rest of a response alone. */
  continuation?: Continuation | undefined;
}

/** Output asked of upstreams that insist on a bound, when neither client nor vendor names one. */
const defaultMaxOutput = 8192;
/** What only we can read: state of one vendor, wrapped for a client of another's protocol. */
const wrappedMarks = [...opaqueMarks, '"signature":""', '"signature": ""'];
/** And pages that another vendor's model cited, of which Anthropic has no index. */
const claudeMarks = [...wrappedMarks, '"encrypted_index":""', '"encrypted_index": ""'];
const addressMark = '"http';

/**
 * Undefined when the client's bytes may pass as they are, which they may wherever the upstream speaks the client's protocol, but
 * for bodies that hold state of another vendor or name media the upstream does not fetch. Throws AppError for what the client got
 * wrong (`request.*`) and for what this upstream cannot be told (`convert.*`).
 */
export function convertCall(run: ReadCall, target: ConversionTarget): Promise<Conversion | undefined> | undefined {
  const { name } = run.call.protocol;
  if (!isChatProtocol(name)) return undefined;
  const { adapter, channel, upstreamModel } = target;
  const own = adapter.ownChat?.(upstreamModel, channel);
  if (own) return convert(run, target, own.codec, own);
  const spoken = upstreamProtocol(adapter, name, upstreamModel, channel);
  if (!isChatProtocol(spoken)) return undefined;
  const upstream = chatUpstreams[spoken];
  if (spoken !== name || target.continuation) return convert(run, target, upstream);
  const marks = foreignMarks(name);
  const isSuspect = run.body.mentions(adapter.inlinesMedia ? [...marks, addressMark] : marks);
  return isSuspect ? convertWhereNeeded(run, target, upstream) : undefined;
}

/** By which a body is known to hold what another vendor said. */
function foreignMarks(name: ProtocolName): readonly string[] {
  return name === 'anthropic-messages' ? claudeMarks : wrappedMarks;
}

async function convertWhereNeeded(
  run: ReadCall,
  target: ConversionTarget,
  upstream: ChatUpstreamCodec,
): Promise<Conversion | undefined> {
  const { inlinesMedia } = target.adapter;
  const isForeign = await run.body.mentions(foreignMarks(run.call.protocol.name));
  const isNeeded = isForeign || (inlinesMedia && mediaAddresses(await readChat(run)).some(inlinesMedia));
  return isNeeded ? convert(run, target, upstream) : undefined;
}

async function convert(
  run: ReadCall,
  target: ConversionTarget,
  first: ChatUpstreamCodec,
  own?: OwnChat,
): Promise<Conversion> {
  const { adapter, channel, upstreamModel, created, options, continuation } = target;
  const client = clientOf(run);
  const context: WriteContext = {
    defaultMaxOutput: defaultMaxOutput,
    ...adapter.writeContext?.(upstreamModel, channel, options.modelSettings()),
    model: upstreamModel,
  };
  const isLong = run.body.size > longBytes;
  const isCollected = !run.request.stream && own?.streamsOnly === true;
  let request = await readChat(run);
  const upstream = own ? first : (searchingUpstream(request, target) ?? first);
  await finishInTurns(checkArgumentBound(request.messages));
  if (continuation) request = continued(request, continuation);
  if (adapter.inlinesMedia) request = await inlineMedia(request, adapter.inlinesMedia, run.media);
  // Reading, writing and sending a long call are pieces of work with room for other calls between them.
  if (isLong) await nextTurn();
  const offer =
    upstream.protocol === 'openai-responses'
      ? { request, losses: [] }
      : withoutSearchOffer(request, upstream.searchesBesideTools?.(upstreamModel) === true);
  const { body, losses, ...changes } = await finishInTurns(
    upstream.writeRequest(isCollected ? { ...offer.request, stream: true } : offer.request, context),
  );
  if (continuation?.mark) markLast(body, continuation.mark);
  const sent = new ObjectBody(body);
  const { embed } = run.media;
  if (isLong) await nextTurn();
  if (isLong || embed) await sent.prepare(embed);
  const identity = { id: run.call.id, model: run.request.model, created };
  return {
    protocol: upstream.protocol,
    client,
    upstream,
    own,
    body: sent,
    losses: [...offer.losses, ...losses],
    read: { identity, choices: request.sampling.choices, promptTokens: run.promptEstimate, ...changes },
    isCollected,
    write: streamContext(run, identity, request),
  };
}

/** OpenAI's models search the web in Responses alone: what another vendor's client asks to be searched goes there, where there is a choice. */
function searchingUpstream(
  { origin, tools }: ChatRequest,
  { adapter, channel, upstreamModel }: ConversionTarget,
): ChatUpstreamCodec | undefined {
  if (origin === 'openai-chat' || origin === 'openai-responses') return undefined;
  if (!tools.some((tool) => tool.kind === 'hosted' && webSearchOf(tool, origin))) return undefined;
  const isOffered = adapter.chatProtocols?.(upstreamModel, channel).includes('openai-responses');
  return isOffered ? chatUpstreams['openai-responses'] : undefined;
}

function markLast({ messages }: Record<string, unknown>, mark: string): void {
  const last = recordsOf(messages).at(-1);
  if (last) last[mark] = true;
}

/** The call as a neutral one; read once, however many channels are tried. */
export async function readChat(run: ReadCall): Promise<ChatRequest> {
  if (run.chat) return run.chat;
  const json = run.json ?? (await run.body.json());
  if (run.body.size > longBytes) await nextTurn();
  const { model, stream } = run.request;
  const isNamedByPath = run.call.protocol.name === ('gemini' satisfies ProtocolName);
  // Clients made for Azure name their model in the path as well, but speak a protocol that has it in the body.
  const whole = isNamedByPath || json?.model === model ? (json ?? {}) : { ...json, model };
  run.chat = await finishInTurns(clientOf(run).readRequest(whole, isNamedByPath ? { model, stream } : undefined));
  return run.chat;
}

export function streamContext(run: ReadCall, identity: StreamContext['identity'], request: ChatRequest): StreamContext {
  return { identity, promptTokens: run.promptEstimate, wantsUsage: run.request.wantsUsage, request };
}

export function clientOf({ call: { protocol } }: ReadCall): ChatClientCodec {
  if (!protocol.chat) throw new Error(`${protocol.name} is no chat protocol`);
  return protocol.chat;
}
