import { AppError } from '../../errors/app-error.ts';
import { countOf, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { writeJson } from '../../lib/raw-json.ts';
import type { ChannelTarget, ProviderAdapter, UpstreamCall, UpstreamRequest } from '../adapter.ts';
import {
  type CloudRules,
  cloudBetas,
  editCloudBody,
  isCounting,
  plainClaude,
  refuseAddresses,
} from '../anthropic/cloud-body.ts';
import { claudeContinuesTurn } from '../anthropic/continues-turn.ts';
import { hiddenAnthropicStatus } from '../anthropic/error-rule.ts';
import { claudeOutputBound, writingOf } from '../anthropic/index.ts';
import { trimSlash, urlSegment } from '../base-url.ts';
import { BodyEdits } from '../body-edit.ts';
import { defaultModelSettings } from '../model-setting.ts';
import { typeFacts } from '../type-fact.ts';
import { readAwsError } from './error-rule.ts';
import { createEventStreamDecoder } from './event-stream.ts';
import { type AwsKey, readAwsKey } from './key.ts';
import { bedrockModelId, bedrockProfiles, clientName } from './model-id.ts';

const cloud: CloudRules = {
  version: 'bedrock-2023-05-31',
  // Whether a call streams is in the address; the others are refused.
  dropped: ['stream', 'service_tier', 'metadata'],
  betas: cloudBetas,
};

/** Claude on AWS Bedrock, channel type 33. */
export const aws: ProviderAdapter = {
  ...typeFacts(33),
  protocols: new Set(['anthropic-messages']),
  writeContext: (model, _channel, settings = defaultModelSettings) => ({
    ...writingOf(model, settings),
    searchesWeb: false,
  }),
  outputBound: claudeOutputBound,
  continuesTurn: claudeContinuesTurn,
  inlinesMedia: (url) => /^https?:/i.test(url),
  countsTokens: true,
  createStreamDecoder: createEventStreamDecoder,
  profiles: profilesOf,
  check: ({ key }) => void readAwsKey(key),
  buildRequest,
  readError: readAwsError,
  hiddenErrorStatus: hiddenAnthropicStatus,
  modelList,
};

function buildRequest(call: UpstreamCall, channel: ChannelTarget): UpstreamRequest {
  if (call.protocol !== 'anthropic-messages')
    throw new AppError('provider.notOffered', { provider: aws.label, path: call.path });
  const key = readAwsKey(channel.key);
  const { stream } = call.request;
  const headers = {
    ...bearerOf(key),
    'content-type': 'application/json',
    accept: stream ? 'application/vnd.amazon.eventstream' : 'application/json',
  };
  const credential = key.credential && { credential: key.credential };
  const at = (profile: string | undefined, action: string) => {
    const id = urlSegment(bedrockModelId(plainClaude(call), key.region, profile));
    return { url: `${baseOf(channel, key, 'bedrock-runtime')}/model/${id}/${action}`, headers, ...credential };
  };
  const edits = new BodyEdits(call);
  editCloudBody(edits, call, channel, cloud);
  // Models are counted by their own id: profiles are refused there.
  if (isCounting(call)) return { ...at('', 'count-tokens'), ...countingOf(call, edits) };
  const action = stream ? 'invoke-with-response-stream' : 'invoke';
  return { ...at(call.profile ?? ownProfile(channel), action), edits: edits.list() };
}

/** The call that is to be counted goes in one piece, as it would be sent. */
function countingOf(call: UpstreamCall, edits: BodyEdits): Pick<UpstreamRequest, 'body' | 'edits' | 'readResponse'> {
  if (!call.body) throw new AppError('provider.notOffered', { provider: aws.label, path: call.path });
  refuseAddresses(call, aws.label);
  const invoked: Record<string, unknown> = { max_tokens: 1, ...call.body };
  for (const edit of edits.list()) {
    if ('set' in edit) invoked[edit.set] = JSON.parse(edit.raw);
    else delete invoked[edit.drop];
  }
  return {
    body: { input: { invokeModel: { body: Buffer.from(writeJson(invoked)).toString('base64') } } },
    edits: [],
    readResponse(response) {
      const tokens = countOf(recordOf(response).inputTokens);
      if (tokens === undefined) throw new AppError('provider.badAnswer', { what: 'inputTokens' });
      return { input_tokens: tokens };
    },
  };
}

/** The models of the region, those that must be bought in advance left out. */
function modelList(channel: ChannelTarget): ReturnType<NonNullable<ProviderAdapter['modelList']>> {
  const key = readAwsKey(channel.key);
  return {
    url: `${baseOf(channel, key, 'bedrock').replace('//bedrock-runtime', '//bedrock')}/foundation-models?byProvider=anthropic`,
    headers: { ...bearerOf(key), accept: 'application/json' },
    ...(key.credential && { credential: key.credential }),
    read: readModels,
  };
}

function readModels(body: unknown): string[] {
  const models = recordsOf(recordOf(body).modelSummaries).filter(
    ({ inferenceTypesSupported: types }) => !Array.isArray(types) || types.some((type) => type !== 'PROVISIONED'),
  );
  const names = models.map(({ modelId }) => clientName(textOf(modelId))).filter(Boolean);
  return [...new Set(names)].sort();
}

function bearerOf({ bearer }: AwsKey): Record<string, string> {
  return bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
}

function baseOf({ base_url }: ChannelTarget, { region }: AwsKey, service: string): string {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return trimSlash(base_url) || `https://${service}.${region}.${domain}`;
}

/** An operator who names a profile may have to keep calls in a region: no other is tried. */
function profilesOf(model: string, channel: ChannelTarget): readonly string[] {
  const own = ownProfile(channel);
  return own === undefined ? bedrockProfiles(model, readAwsKey(channel.key).region) : [own];
}

/** The setting `inference_profile`: `global` for another way than the region's own, '' for none. */
function ownProfile({ setting }: ChannelTarget): string | undefined {
  const { inference_profile: profile } = setting;
  return typeof profile === 'string' && /^[a-z-]{0,20}$/.test(profile) ? profile : undefined;
}
