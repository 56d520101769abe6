import { AppError } from '../../errors/app-error.ts';
import { recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { safetyOf } from '../../wire/gemini/safety.ts';
import { isGoogleAddress } from '../../wire/gemini/write-content.ts';
import type { ChannelTarget, ProviderAdapter, UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { plainClaude } from '../anthropic/cloud-body.ts';
import { claudeContinuesTurn } from '../anthropic/continues-turn.ts';
import { claudeOutputBound, writingOf } from '../anthropic/index.ts';
import { trimSlash, urlSegment } from '../base-url.ts';
import { maxPictures } from '../gemini/image.ts';
import { speaks, speechBound } from '../gemini/speech.ts';
import { defaultModelSettings } from '../model-setting.ts';
import { typeFacts } from '../type-fact.ts';
import { hiddenVertexStatus, readVertexError } from './error-rule.ts';
import { readVertexKey, type VertexKey } from './key.ts';
import { type VertexModel, vertexModel } from './publisher.ts';
import { hostOf, regionOf } from './region.ts';
import { type VertexCall, writeCall } from './write-call.ts';

/** Gemini, Claude and others on Google's Vertex AI, channel type 41. */
export const vertex: ProviderAdapter = {
  ...typeFacts(41),
  protocols: new Set([
    'gemini',
    'anthropic-messages',
    'openai-chat',
    'openai-embedding',
    'openai-image',
    'openai-speech',
  ]),
  chatProtocols: (model) => {
    const { protocol } = vertexModel(model);
    return protocol ? [protocol] : [];
  },
  writeContext: (model, _channel, settings = defaultModelSettings) => ({
    ...(model.startsWith('claude') && writingOf(model, settings)),
    ...(model.startsWith('gemini') && { safety: safetyOf(model, settings['gemini.safety_settings']) }),
  }),
  continuesTurn: claudeContinuesTurn,
  outputBound: (model, request, settings) =>
    model.startsWith('claude')
      ? claudeOutputBound(model, request, settings)
      : speechBound(model, request.units.characters),
  maxImages: maxPictures,
  drawsFullSize: true,
  needsBody: (protocol) => protocol === 'openai-embedding',
  inlinesMedia: (url) => /^https?:/i.test(url) && !isGoogleAddress(url),
  countsTokens: true,
  check: ({ key, other }) => void [readVertexKey(key), regionOf(other, [])],
  buildRequest,
  readError: readVertexError,
  hiddenErrorStatus: hiddenVertexStatus,
  modelList,
};

function buildRequest(call: UpstreamCall, channel: ChannelTarget): UpstreamRequest {
  const key = readVertexKey(channel.key);
  const model = vertexModel(plainClaude(call));
  if (!isServed(call, model, key)) {
    const path = `${call.path} (${call.model})`;
    throw new AppError('provider.notOffered', { provider: vertex.label, path });
  }
  const { version, tail, ...rest } = writeCall({ call, channel, model, provider: vertex.label });
  return {
    url: `${rootOf(call, channel, key)(version)}${tail}`,
    headers: { ...headersOf(key), 'content-type': 'application/json' },
    ...(key.kind === 'account' && { credential: key.credential }),
    ...rest,
  };
}

function isServed({ protocol }: UpstreamCall, model: VertexModel, key: VertexKey): boolean {
  const isGoogle = model.publisher === 'google';
  if (key.kind === 'express' && !isGoogle) return false;
  if (protocol === 'openai-embedding') return isGoogle && model.protocol === undefined;
  if (protocol === 'openai-speech') return isGoogle && speaks(model.name);
  return protocol === 'openai-image' ? isGoogle : protocol === model.protocol;
}

/** The address up to the publisher, for a version of the API. */
function rootOf(
  call: UpstreamCall,
  channel: ChannelTarget,
  key: VertexKey,
): (version: VertexCall['version']) => string {
  if (key.kind === 'express') {
    const host = ownHost(channel) || hostOf('global');
    return (version) => `${host}/${version}`;
  }
  const region = regionOf(channel.other, [call.request.model, call.model]);
  const host = ownHost(channel) || hostOf(region);
  const project = urlSegment(key.project);
  return (version) => `${host}/${version}/projects/${project}/locations/${region}`;
}

function ownHost({ base_url }: ChannelTarget): string {
  return trimSlash(base_url).replace(/\/v1(beta1)?$/, '');
}

function headersOf(key: VertexKey): Record<string, string> {
  return key.kind === 'express' ? { 'x-goog-api-key': key.key } : {};
}

/** Google's own models; the list of another publisher would be a second call. */
function modelList(channel: ChannelTarget): ReturnType<NonNullable<ProviderAdapter['modelList']>> {
  const key = readVertexKey(channel.key);
  return {
    url: `${ownHost(channel) || hostOf('global')}/v1beta1/publishers/google/models?pageSize=100`,
    headers: { ...headersOf(key), ...(key.kind === 'account' && { 'x-goog-user-project': key.project }) },
    ...(key.kind === 'account' && { credential: key.credential }),
    read: readModels,
  };
}

function readModels(body: unknown): string[] {
  const names = recordsOf(recordOf(body).publisherModels).map(({ name }) => textOf(name).split('/').at(-1) ?? '');
  return [...new Set(names)].filter((name) => /^gemini|embedding/.test(name)).sort();
}
