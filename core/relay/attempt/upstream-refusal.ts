import type { ErrorContext } from '../../errors/classify-upstream.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';
import type { UpstreamResponse } from '../../integrations/outbound/upstream-client.ts';
import type { ProviderAdapter } from '../../providers/adapter.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import type { RelayBody } from '../call.ts';
import type { RelayOptions } from '../relay-options.ts';

/** Whose response it is that is to be judged. */
export interface Asked {
  channel: RoutedChannel;
  adapter: ProviderAdapter;
  options: Pick<RelayOptions, 'disableKeywords'>;
}

const largestErrorBody = 256 * 1024;

/** Reads a response that is not 2xx; the channel's status mapping is applied before the retry decision. */
export async function readRefusal(asked: Asked, response: UpstreamResponse): Promise<UpstreamError> {
  let text = '';
  try {
    text = (await response.readAll(largestErrorBody)).toString('utf8');
  } catch {
    // The status alone says enough; a body that cannot be read must not hide it.
    response.abort();
  }
  const { channel, adapter } = asked;
  const status = channel.statusMapping.get(response.status) ?? response.status;
  const error = adapter.readError(status, parseOrText(text), response.headers, errorContext(asked));
  error.isBrief = response.status >= 500 && response.status <= 599;
  return error;
}

export function errorContext({ channel, options }: Pick<Asked, 'channel' | 'options'>): ErrorContext {
  return {
    now: Date.now(),
    disableKeywords: options.disableKeywords(),
    secrets: [channel.key, channel.base_url].filter(Boolean),
  };
}

export function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const maxMessage = 300;
/** Longer bodies are not searched for quotes. */
const maxBodyBytes = 64 * 1024;
/** A quote of fifteen characters contains one of these pieces whole. */
const pieceLength = 12;
const step = 4;

/**
 * What an upstream says of the operator's account, for its log and its admins; '' when it repeats what the client sent, because no
 * prompt is in any log.
 */
export async function adminMessage(
  { concernsOperator, message }: UpstreamError,
  body: Pick<RelayBody, 'size' | 'mentions'>,
): Promise<string> {
  if (!concernsOperator || message === '' || body.size > maxBodyBytes) return '';
  const shown = message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message;
  return (await body.mentions(piecesOf(shown))) ? '' : shown;
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at === 0 || at + pieceLength <= text.length; at += step)
    pieces.push(text.slice(at, at + pieceLength));
  return pieces;
}
