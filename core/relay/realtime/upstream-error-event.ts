import type { ErrorContext } from '../../errors/classify-upstream.ts';
import { maskText } from '../../errors/mask-text.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';
import { UpstreamFailure } from '../../integrations/outbound/upstream-client.ts';
import type { WebSocketRefusal } from '../../integrations/outbound/web-socket.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import type { ProviderAdapter } from '../../providers/adapter.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { toUpstreamError } from '../attempt/failure.ts';

/** What judging an upstream's words takes. */
export interface ErrorReading {
  channel: RoutedChannel;
  adapter: ProviderAdapter;
  context: ErrorContext;
}

/** How an upstream says no: with HTTP, with an `error` event, or by closing. */
type Refusal = WebSocketRefusal | { event: JsonObject } | { code: number; reason: string };

/** Words that come with an HTTP status elsewhere; an event has none. */
const statusByCode: Readonly<Record<string, number>> = {
  invalid_api_key: 401,
  model_not_found: 404,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
};
/** Close codes of the protocol that mean the upstream's own trouble, not ours. */
const busyCodes = new Set([1012, 1013]);

/** A refusal as the relay judges every other, the channel's status mapping applied. */
export function readUpstreamError({ channel, adapter, context }: ErrorReading, refusal: Refusal): UpstreamError {
  const mapped = (status: number) => channel.statusMapping.get(status) ?? status;
  if ('event' in refusal) {
    const status = statusOfEvent(refusal.event, adapter);
    return adapter.readError(mapped(status), { error: refusal.event.error }, {}, context);
  }
  if ('status' in refusal) {
    const { status, headers, body } = refusal;
    // 2xx and 3xx are not responses to a request for a WebSocket.
    return adapter.readError(mapped(status < 400 ? 502 : status), parseOrText(body.toString('utf8')), headers, context);
  }
  const { code, reason } = refusal;
  if (reason === '') return toUpstreamError(new UpstreamFailure('reset'));
  return adapter.readError(mapped(busyCodes.has(code) ? 503 : 502), reason, {}, context);
}

/** The event with keys and addresses taken out of its text; undefined when there were none, so that its own bytes may pass. */
export function maskErrorEvent(event: JsonObject, { context }: ErrorReading): string | undefined {
  const { error } = event;
  const { message } = (error ?? {}) as { message?: unknown };
  if (typeof message !== 'string') return undefined;
  const masked = maskText(message, context.secrets);
  return masked === message
    ? undefined
    : JSON.stringify({ ...event, error: { ...(error as JsonObject), message: masked } });
}

function statusOfEvent(event: JsonObject, adapter: ProviderAdapter): number {
  const { code, type } = (event.error ?? {}) as { code?: unknown; type?: unknown };
  for (const word of [code, type]) {
    if (typeof word === 'string' && Object.hasOwn(statusByCode, word)) return statusByCode[word] ?? 502;
  }
  return adapter.hiddenErrorStatus({ error: event.error ?? true }) ?? 502;
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // pages of proxies in between are read as what they are
  }
}
