import { AppError } from '../../errors/app-error.ts';
import { safetyOf } from '../../wire/gemini/safety.ts';
import { isGoogleAddress } from '../../wire/gemini/write-content.ts';
import type { ChannelTarget, ProviderAdapter, UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { trimSlash, urlSegment } from '../base-url.ts';
import { readModelNames } from '../model-list.ts';
import { defaultModelSettings, entryFor } from '../model-setting.ts';
import { typeFacts } from '../type-fact.ts';
import { editEmbedding, toBatchEmbedding } from './embedding.ts';
import { hiddenGoogleStatus, readGeminiError } from './error-rule.ts';
import { maxPictures, toDrawing } from './image.ts';
import { speaks, speechBound, toSpeech } from './speech.ts';

const { label, defaultBaseUrl: root } = typeFacts(24);
const defaultVersion = 'v1beta';

/** The Gemini API of AI Studio. */
export const gemini: ProviderAdapter = {
  ...typeFacts(24),
  protocols: new Set(['gemini', 'gemini-embedding', 'openai-embedding', 'openai-image', 'openai-speech']),
  countsTokens: true,
  writeContext: (model, _channel, settings = defaultModelSettings) => ({
    safety: safetyOf(plainName(model), settings['gemini.safety_settings']),
  }),
  outputBound: (model, { units }) => speechBound(plainName(model), units.characters),
  maxImages: (model) => maxPictures(plainName(model)),
  drawsFullSize: true,
  needsBody: (protocol) => protocol === 'openai-embedding' || protocol === 'gemini-embedding',
  inlinesMedia: (url) => /^https?:/i.test(url) && !isGoogleAddress(url),
  buildRequest,
  readError: readGeminiError,
  hiddenErrorStatus: hiddenGoogleStatus,
  modelList: (channel) => ({
    url: `${versionRoot(channel, channel.other || defaultVersion)}/models?pageSize=1000`,
    headers: keyHeaders(channel),
    read: (body) => readModelNames(body).map(plainName),
  }),
};

function buildRequest(call: UpstreamCall, channel: ChannelTarget): UpstreamRequest {
  const { settings = defaultModelSettings } = call;
  const model = plainName(call.model);
  const headers = { ...keyHeaders(channel), 'content-type': 'application/json' };
  const at = (action: string) => ({ url: `${modelRoot(call, channel)}:${action}`, headers, edits: [] });
  switch (call.protocol) {
    case 'gemini':
      return { ...at(actionOf(call)), edits: withoutModel(call) };
    case 'gemini-embedding':
      return { ...at(call.path), edits: editEmbedding(call, `models/${model}`) };
    case 'openai-embedding':
      return { ...at('batchEmbedContents'), ...toBatchEmbedding(call, `models/${model}`, label) };
    case 'openai-image': {
      const safety = safetyOf(model, settings['gemini.safety_settings']);
      const { action, ...drawing } = toDrawing({ ...call, model }, { provider: label, safety });
      return { ...at(action), ...drawing };
    }
    case 'openai-speech':
      if (speaks(model)) return { ...at('generateContent'), ...toSpeech({ ...call, model }, label) };
      throw new AppError('provider.notOffered', { provider: label, path: `${call.path} (${model})` });
    default:
      throw new AppError('provider.notOffered', { provider: label, path: call.path });
  }
}

/** The address says it. Counting has it inside its own request. */
function withoutModel(call: UpstreamCall): UpstreamRequest['edits'] {
  return call.fields.has('model') ? [{ drop: 'model' }] : [];
}

/** Only as server-sent events are streams readable piece by piece. */
function actionOf({ path, request }: UpstreamCall): string {
  if (path.endsWith('countTokens')) return 'countTokens';
  return request.stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
}

function modelRoot({ model, settings = defaultModelSettings }: UpstreamCall, channel: ChannelTarget): string {
  const version = channel.other || entryFor(settings['gemini.version_settings'], plainName(model)) || defaultVersion;
  const [, folder, name] = /^(tunedModels)\/(.+)$/.exec(model) ?? [undefined, 'models', plainName(model)];
  return `${versionRoot(channel, version)}/${folder}/${urlSegment(name ?? '')}`;
}

/** A base that ends in a version has said which one. */
function versionRoot({ base_url }: ChannelTarget, version: string): string {
  const base = trimSlash(base_url || root);
  return /\/v\d\w*$/.test(base) ? base : `${base}/${urlSegment(version)}`;
}

/** Google's lists call a model `models/...`; all others omit the prefix. */
function plainName(model: string): string {
  return model.replace(/^models\//, '');
}

/** Never in the query, which ends up in logs. */
function keyHeaders({ key }: ChannelTarget): Record<string, string> {
  return { 'x-goog-api-key': key };
}
