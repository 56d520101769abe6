import { AppError } from '../../errors/app-error.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';
import type { Outbound } from '../../integrations/outbound/outbound.ts';
import { UpstreamFailure } from '../../integrations/outbound/upstream-client.ts';
import { realtimeProviderFor } from '../../providers/realtime.ts';
import { adapterFor } from '../../providers/registry.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { readServerEvent } from '../../wire/realtime/read-server-event.ts';
import { type AttemptNote, noteOf, type Served, servedBy } from '../call.ts';
import type { DeliveryControl } from '../deliver/delivery.ts';
import type { SocketMessage } from './message-queue.ts';
import { Peer } from './peer.ts';
import type { RealtimeCall, RealtimeLimits } from './realtime-call.ts';
import { type ErrorReading, readUpstreamError } from './upstream-error-event.ts';

/** An upstream whose session has begun; without a listener yet. */
export interface Connected {
  channel: RoutedChannel;
  served: Served;
  peer: Peer;
  /** What it said so far, its `session.created` included. */
  first: SocketMessage[];
  reading: ErrorReading;
}

export interface ConnectDependencies {
  outbound: Pick<Outbound, 'openWebSocket'>;
  limits: RealtimeLimits;
  /** RELAY_PROXY, for channels without a proxy of their own. */
  proxy: string | undefined;
  disableKeywords(): readonly string[];
}

interface Attempt {
  call: RealtimeCall;
  control: DeliveryControl;
  upstreamModel: string;
  channel: RoutedChannel;
  attempts: AttemptNote[];
}

/** One attempt: opens the session at the channel's vendor. Throws whatever went wrong; the client has seen nothing yet. */
export async function connectUpstream(attempt: Attempt, dependencies: ConnectDependencies): Promise<Connected> {
  const { call, control, channel, upstreamModel, attempts } = attempt;
  const { outbound, limits, proxy, disableKeywords } = dependencies;
  const startedAt = performance.now();
  const provider = realtimeProviderFor(channel.type);
  const adapter = adapterFor(channel.type);
  if (!adapter) throw new AppError('provider.unknown', { type: channel.type });
  if (!provider) throw new AppError('provider.notOffered', { provider: adapter.label, path: '/v1/realtime' });
  const secrets = [channel.key, channel.base_url].filter(Boolean);
  const reading: ErrorReading = {
    channel,
    adapter,
    context: { now: Date.now(), disableKeywords: disableKeywords(), secrets },
  };
  const { url, headers } = provider({ model: upstreamModel, query: call.query, isBeta: call.isBeta }, channel);
  const abort = new AbortController();
  call.client.onGone(() => abort.abort());
  control.attach(() => abort.abort());
  const response = await outbound.openWebSocket(
    {
      url,
      headers,
      handshakeMs: limits.openMs,
      maxBytes: limits.messageBytes,
      privateAllowed: channel.privateAllowed,
      proxy: channel.setting.proxy || proxy,
    },
    abort.signal,
  );
  if ('refusal' in response) throw readUpstreamError(reading, response.refusal);
  const peer = new Peer(response.socket, limits.writeMs);
  const leftMs = Math.max(1, limits.openMs - (performance.now() - startedAt));
  const first = await awaitSession(peer, reading, abort.signal, leftMs);
  attempts.push(noteOf(channel, 'ok', Math.round(performance.now() - startedAt)));
  const served = servedBy(channel, upstreamModel, attempts);
  return { channel, served, peer, first, reading };
}

/** The upstream has taken the call once it says so; what it refuses, it refuses before that. */
function awaitSession(
  peer: Peer,
  reading: ErrorReading,
  signal: AbortSignal,
  leftMs: number,
): Promise<SocketMessage[]> {
  return new Promise((resolve, reject) => {
    const first: SocketMessage[] = [];
    let isBegun = false;
    const fail = (error: UpstreamError | UpstreamFailure) => {
      if (isBegun) return;
      leave();
      reject(error);
      peer.terminate();
    };
    const giveUp = () => fail(new UpstreamFailure('aborted'));
    const late = setTimeout(() => fail(new UpstreamFailure('headersTimeout')), leftMs);
    const leave = () => {
      clearTimeout(late);
      signal.removeEventListener('abort', giveUp);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    peer.listen({
      message(data, isBinary) {
        first.push({ data, isBinary });
        const event = readServerEvent(data.toString('utf8'));
        if (event?.kind === 'error') fail(readUpstreamError(reading, { event: event.event }));
        else if (event?.kind === 'created') {
          isBegun = true;
          leave();
          peer.pause('notReady');
          resolve(first);
        }
      },
      drained() {},
      closed: (code, reason) => fail(readUpstreamError(reading, { code, reason })),
    });
  });
}
