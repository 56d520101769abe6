import type { ProtocolName } from '../../canonical/request.ts';
import { AppError } from '../../errors/app-error.ts';
import { classifyUpstream, type ErrorRule } from '../../errors/classify-upstream.ts';
import { errorStatusIn } from '../../wire/hidden-error.ts';
import type { ChannelTarget, ProviderAdapter, UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { isCloudflareGateway, trimSlash, urlSegment } from '../base-url.ts';
import { BodyEdits, editModel, editStreamOptions } from '../body-edit.ts';
import { everyProtocol, isForm } from '../compatible.ts';
import { readModelNames } from '../model-list.ts';
import { applyModelRules } from '../model-rule.ts';
import { openAiChatProtocols } from '../openai/chat-protocol.ts';
import { typeFacts } from '../type-fact.ts';

const defaultVersion = '2024-12-01-preview';
/** First dated version that knows `max_completion_tokens`. */
const newFieldsSince = '2024-09-01';
/** First dated version that has Responses. */
const responsesVersion = '2025-03-01-preview';

const notOffered: readonly ProtocolName[] = ['openai-moderation', 'rerank'];

const errorRules: readonly ErrorRule[] = [
  // The channel's version or deployment is wrong for this call; another channel may have a newer one.
  {
    status: [400],
    codes: ['OperationNotSupported', 'UnsupportedApiVersion', 'InvalidApiVersionParameter'],
    kind: 'retry',
  },
];

export const azure: ProviderAdapter = {
  ...typeFacts(3),
  protocols: new Set([...everyProtocol.filter((protocol) => !notOffered.includes(protocol)), 'openai-responses']),
  chatProtocols: (model, channel) =>
    hasResponses(channel) ? openAiChatProtocols(model, channel) : (['openai-chat'] as const),
  check: (channel) => void [baseOf(channel), versionOf({ query: new URLSearchParams() }, channel)],
  buildRequest,
  readError: (status, body, headers, context) => classifyUpstream({ status, body, headers }, errorRules, context),
  hiddenErrorStatus: errorStatusIn,
  /** Base models, not deployments: those need the management plane. Operators choose from it. */
  modelList: (channel) => ({
    url: modelsUrl(channel),
    headers: keyHeaders(channel),
    read: readModelNames,
  }),
};

function buildRequest(call: UpstreamCall, channel: ChannelTarget): UpstreamRequest {
  if (!azure.protocols.has(call.protocol))
    throw new AppError('provider.notOffered', { provider: azure.label, path: call.path });
  const edits = new BodyEdits(call);
  const model = applyModelRules(edits, call);
  const version = versionOf(call, channel);
  // The v1 form has no dated gaps.
  const isCurrent = isV1(channel) || version.slice(0, 10) >= newFieldsSince;
  if (!isCurrent && call.protocol === 'openai-chat') edits.rename('max_completion_tokens', 'max_tokens');
  editStreamOptions(edits, call, channel);
  // Not scoped to a deployment by its address, so the body names it.
  const isNamedInBody = call.protocol === 'openai-responses' && !isV1(channel);
  editModel(edits, call, isNamedInBody ? deploymentOf(model) : model);
  const headers = keyHeaders(channel);
  if (!isForm(call.protocol)) headers['content-type'] = 'application/json';
  return { url: url(call, channel, model), headers, edits: edits.list() };
}

function url(call: UpstreamCall, channel: ChannelTarget, model: string): string {
  const base = baseOf(channel);
  const task = call.path.slice('/v1/'.length);
  if (isV1(channel)) {
    const version = askedVersion(call);
    const path = base.endsWith('/openai/v1') ? task : `openai/v1/${task}`;
    return `${base}/${path}${version && !isDated(version) ? `?api-version=${version}` : ''}`;
  }
  if (call.protocol === 'openai-responses')
    return `${base}/openai/${task}?api-version=${responsesVersionOf(call, channel)}`;
  // Cloudflare's gateway addresses end at the resource and take the deployment next.
  const prefix = isCloudflareGateway(base) ? base : `${base}/openai/deployments`;
  return `${prefix}/${deploymentOf(model)}/${task}?api-version=${versionOf(call, channel)}`;
}

/** Deployment names could not contain dots when this convention began (`gpt-35-turbo`). */
export function deploymentOf(model: string): string {
  return urlSegment(model.replaceAll('.', ''));
}

function modelsUrl(channel: ChannelTarget): string {
  const base = baseOf(channel);
  if (!isV1(channel)) return `${base}/openai/models?api-version=${checkedVersion(channel.other || defaultVersion)}`;
  return base.endsWith('/openai/v1') ? `${base}/models` : `${base}/openai/v1/models`;
}

/** The client's own choice wins over the channel's, unless it means the other form: neither knows the other's versions. */
export function versionOf(call: Pick<UpstreamCall, 'query'>, { other }: ChannelTarget): string {
  const asked = askedVersion(call);
  return asked && isDated(asked) ? asked : checkedVersion((other === 'v1' ? '' : other) || defaultVersion);
}

function askedVersion({ query }: Pick<UpstreamCall, 'query'>): string {
  const asked = query.get('api-version');
  return asked ? checkedVersion(asked) : '';
}

/** `2024-10-21`, not `v1` or `preview`. */
function isDated(version: string): boolean {
  return /^\d{4}-/.test(version);
}

/** Every resource serves every version: one chosen before there were Responses need not keep them away. */
function responsesVersionOf(call: UpstreamCall, channel: ChannelTarget): string {
  const version = versionOf(call, channel);
  return version.slice(0, 10) < responsesVersion.slice(0, 10) ? responsesVersion : version;
}

/** Cloudflare's gateway knows deployments alone. */
function hasResponses(channel: ChannelTarget): boolean {
  return isV1(channel) || !isCloudflareGateway(trimSlash(channel.base_url));
}

function checkedVersion(version: string): string {
  if (!/^[\w.-]{1,40}$/.test(version))
    throw new AppError(
      'request.notOneOf',
      { field: 'api-version', allowed: '2024-10-21, ...' },
      { param: 'api-version' },
    );
  return version;
}

export function isV1({ other, base_url: base }: ChannelTarget): boolean {
  return other === 'v1' || trimSlash(base).endsWith('/openai/v1');
}

/** Entra ID tokens are JWTs and go as Bearer; resource keys have their own header. */
export function keyHeaders({ key }: ChannelTarget): Record<string, string> {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(key) ? { authorization: `Bearer ${key}` } : { 'api-key': key };
}

export function baseOf(channel: ChannelTarget): string {
  if (channel.base_url === '') throw new AppError('provider.fieldNeeded', { field: 'base_url' });
  return trimSlash(channel.base_url);
}
