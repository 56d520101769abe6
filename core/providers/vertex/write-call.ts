import { isJsonObject, type JsonObject, recordOf } from '../../lib/json-value.ts';
import { safetyOf } from '../../wire/gemini/safety.ts';
import type { ChannelTarget, UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { type CloudRules, cloudBetas, editCloudBody, isCounting, refuseAddresses } from '../anthropic/cloud-body.ts';
import { urlSegment } from '../base-url.ts';
import { BodyEdits, editModel, editStreamOptions } from '../body-edit.ts';
import { toDrawing } from '../gemini/image.ts';
import { toSpeech } from '../gemini/speech.ts';
import { mistral } from '../mistral/index.ts';
import { defaultModelSettings } from '../model-setting.ts';
import { toVertexEmbedding } from './embedding.ts';
import type { VertexModel } from './publisher.ts';

const cloud: CloudRules = {
  version: 'vertex-2023-10-16',
  dropped: ['service_tier'],
  betas: [...cloudBetas, 'web-search-2025-03-05'],
};

/** What a call asks of one model: the end of its address, and its body. */
export interface VertexCall extends Pick<UpstreamRequest, 'edits' | 'body' | 'readResponse'> {
  version: 'v1' | 'v1beta1';
  tail: string;
}

interface Writing {
  call: UpstreamCall;
  channel: ChannelTarget;
  model: VertexModel;
  provider: string;
}

export function writeCall(writing: Writing): VertexCall {
  const { call, channel, model, provider } = writing;
  const edits = new BodyEdits(call);
  const rawPredict = call.request.stream ? 'streamRawPredict' : 'rawPredict';
  switch (model.publisher) {
    case 'anthropic':
      editCloudBody(edits, call, channel, cloud);
      if (!isCounting(call)) return { version: 'v1', tail: tailOf(model, rawPredict), edits: edits.list() };
      refuseAddresses(call, provider);
      // One address counts for all models, and so the body has to say which.
      edits.set('model', model.name);
      return { version: 'v1', tail: tailOf({ ...model, name: 'count-tokens' }, 'rawPredict'), edits: edits.list() };
    case 'mistralai': {
      const built = mistral.buildRequest({ ...call, model: model.name }, { ...channel, base_url: '' });
      return { version: 'v1', tail: tailOf(model, rawPredict), edits: built.edits };
    }
    case 'open':
      editStreamOptions(edits, call, channel);
      editModel(edits, call, model.name);
      return { version: 'v1beta1', tail: '/endpoints/openapi/chat/completions', edits: edits.list() };
    case 'google':
      return writeGoogleCall(writing, edits);
  }
}

function writeGoogleCall({ call, model, provider }: Writing, edits: BodyEdits): VertexCall {
  const at = (action: string) => ({ version: 'v1' as const, tail: tailOf(model, action), edits: [] });
  if (call.protocol === 'openai-embedding') {
    const { action, ...rest } = toVertexEmbedding(call, model.name, provider);
    return { ...at(action), ...rest };
  }
  if (call.protocol === 'openai-image') {
    const safety = safetyOf(model.name, (call.settings ?? defaultModelSettings)['gemini.safety_settings']);
    const { action, ...rest } = toDrawing({ ...call, model: model.name }, { provider, safety });
    return { ...at(action), ...rest };
  }
  if (call.protocol === 'openai-speech') {
    return { ...at('generateContent'), ...toSpeech({ ...call, model: model.name }, provider) };
  }
  if (call.path.endsWith('countTokens')) return { ...at('countTokens'), body: countingBody(call) };
  edits.drop('model');
  nameRoles(edits, call);
  // Only as server-sent events are streams readable piece by piece.
  const action = call.request.stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return { ...at(action), edits: edits.list() };
}

/** Google's other service takes a whole call under a name of its own, this one as it is. */
function countingBody({ body }: UpstreamCall): JsonObject {
  const whole = recordOf(body?.generateContentRequest ?? body?.generate_content_request ?? body);
  const { contents, systemInstruction, system_instruction = systemInstruction, tools } = whole;
  const turns = withRoles(contents) ?? contents;
  return {
    contents: turns,
    ...(system_instruction !== undefined && { systemInstruction: system_instruction }),
    ...(tools !== undefined && { tools }),
  };
}

/** Google's other service takes a turn without a role for the user's. */
function nameRoles(edits: BodyEdits, { body }: UpstreamCall): void {
  const contents = withRoles(body?.contents);
  if (contents) edits.set('contents', contents);
}

/** Undefined when every turn has one. */
function withRoles(contents: unknown): unknown[] | undefined {
  if (!Array.isArray(contents) || contents.every((content) => !isJsonObject(content) || content.role)) return undefined;
  return contents.map((content) => (isJsonObject(content) && !content.role ? { ...content, role: 'user' } : content));
}

function tailOf({ publisher, name }: VertexModel, action: string): string {
  return `/publishers/${publisher}/models/${urlSegment(name)}:${action}`;
}
