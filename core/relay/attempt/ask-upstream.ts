import type { OutboundRequest } from '../../integrations/outbound/outbound-request.ts';
import { type UpstreamResponse, wasUnread } from '../../integrations/outbound/upstream-client.ts';
import type { ProviderAdapter, UpstreamRequest } from '../../providers/adapter.ts';
import { ownUserAgent } from '../../providers/user-agent.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import type { RelayBody } from '../call.ts';
import type { ClientWriter } from '../deliver/client-writer.ts';
import type { RelayDependencies } from '../run.ts';
import { authorize } from './authorize.ts';
import { readRefusal } from './upstream-refusal.ts';

export type AskDependencies = Pick<RelayDependencies, 'upstream' | 'authorizer' | 'options' | 'limits'>;

/** A call beside those that are billed: an adapter's request, sent as it is. */
export interface UpstreamQuestion {
  channel: RoutedChannel;
  adapter: ProviderAdapter;
  method: 'GET' | 'POST' | 'DELETE';
  built: UpstreamRequest;
  /** Undefined for a question without a body. */
  source: ReturnType<RelayBody['source']> | undefined;
  limits: OutboundRequest['limits'];
  /** The caller who waits for the response; when they leave, the request is aborted. */
  client: ClientWriter;
}

/** Resolves with a response of status 2xx, whose body is still to be read; throws UpstreamError for every other. */
export async function askUpstream(
  question: UpstreamQuestion,
  dependencies: AskDependencies,
): Promise<UpstreamResponse> {
  const request = requestOf(question, dependencies);
  const { credential } = question.built;
  if (credential) await authorize(request, question.source, credential, dependencies);
  const ask = () => {
    const call = dependencies.upstream.start(request);
    question.client.onGone(() => call.abort());
    return call.response;
  };
  const again = () => {
    request.body = question.source?.open() ?? null;
    return ask();
  };
  const response = await ask().catch((error: unknown) => (wasUnread(error) ? again() : Promise.reject(error)));
  if (response.status < 200 || response.status > 299) {
    const { channel, adapter } = question;
    throw await readRefusal({ channel, adapter, options: dependencies.options }, response);
  }
  return response;
}

function requestOf(
  { channel, method, built, source, limits }: UpstreamQuestion,
  own: AskDependencies,
): OutboundRequest {
  const headers = { ...built.headers, ...ownUserAgent(channel) };
  // Framing headers for an empty body.
  if (source) headers['content-type'] = source.contentType;
  else delete headers['content-type'];
  if (source) headers['content-length'] = String(source.length);
  const { privateAllowed, setting } = channel;
  const proxy = setting.proxy || own.limits.proxy;
  return { url: built.url, method, headers, body: source?.open() ?? null, limits, privateAllowed, proxy };
}
