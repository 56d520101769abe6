import type { Readable } from 'node:stream';
import type { UpstreamError } from '../errors/upstream-error.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../integrations/outbound/upstream-client.ts';
import type { UpstreamRequest as AdapterRequest, ProviderAdapter } from '../providers/adapter.ts';
import type { RoutedChannel } from '../services/routing.ts';
import type { RelayBody } from './call.ts';
import type { ClientWriter } from './client-writer.ts';
import type { RelayDependencies } from './relay.ts';

export type AskDependencies = Pick<RelayDependencies, 'upstream' | 'authorizer' | 'options' | 'limits'>;

/** A call beside those that are billed: an adapter's request, sent as it is. */
export interface UpstreamQuestion {
  channel: RoutedChannel;
  adapter: ProviderAdapter;
  method: 'GET' | 'POST' | 'DELETE';
  built: AdapterRequest;
  /** Undefined for a question without a body. */
  source: ReturnType<RelayBody['source']> | undefined;
  limits: UpstreamRequest['limits'];
  /** Whoever waits for the answer; when they leave, the question is withdrawn. */
  client: ClientWriter;
}

const largestErrorBody = 256 * 1024;

/** Resolves with an answer of status 2xx, whose body is still to be read; throws UpstreamError for every other. */
export async function askUpstream(question: UpstreamQuestion, dependencies: AskDependencies): Promise<UpstreamAnswer> {
  const request = requestOf(question, dependencies);
  await authorize(question, request, dependencies);
  const call = dependencies.upstream.start(request);
  question.client.onGone(() => call.abort());
  const answer = await call.answer;
  if (answer.status < 200 || answer.status > 299) throw await refusalOf(question, answer, dependencies);
  return answer;
}

function requestOf(
  { channel, method, built, source, limits }: UpstreamQuestion,
  own: AskDependencies,
): UpstreamRequest {
  const headers = { ...built.headers };
  // Says how a body is framed that is not there.
  if (source) headers['content-type'] = source.contentType;
  else delete headers['content-type'];
  if (source) headers['content-length'] = String(source.length);
  const { privateAllowed, setting } = channel;
  const proxy = setting.proxy || own.limits.proxy;
  return { url: built.url, method, headers, body: source?.open() ?? null, limits, privateAllowed, proxy };
}

async function authorize(
  { built: { credential }, source }: UpstreamQuestion,
  request: UpstreamRequest,
  { authorizer }: AskDependencies,
): Promise<void> {
  if (!credential) return;
  const { url, method, headers, privateAllowed, proxy } = request;
  const body = source ? await readWhole(source.open()) : Buffer.alloc(0);
  const reach = { privateAllowed, ...(proxy ? { proxy } : {}) };
  Object.assign(headers, await authorizer.authorize({ url, method, headers, body }, credential, reach));
  request.body = source ? body : null;
}

async function readWhole(body: Buffer | Readable): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

async function refusalOf(
  { channel, adapter }: UpstreamQuestion,
  answer: UpstreamAnswer,
  { options }: AskDependencies,
): Promise<UpstreamError> {
  let text = '';
  try {
    text = (await answer.readAll(largestErrorBody)).toString('utf8');
  } catch {
    // The status alone says enough; a body that cannot be read must not hide it.
    answer.abort();
  }
  const status = channel.statusMapping.get(answer.status) ?? answer.status;
  return adapter.readError(status, parseOrText(text), answer.headers, {
    now: Date.now(),
    disableKeywords: options.disableKeywords(),
    secrets: [channel.key, channel.base_url].filter(Boolean),
  });
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
