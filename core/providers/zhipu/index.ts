import { AppError } from '../../errors/app-error.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import type { ProviderAdapter, UpstreamCall } from '../adapter.ts';
import { joinUrl } from '../base-url.ts';
import type { BodyEdits } from '../body-edit.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { mapMessages } from '../message-fix.ts';
import { typeFacts } from '../type-fact.ts';
import { newerHints } from '../vendor-field.ts';
import { olderErrors, zhipuRules } from './error-rule.ts';
import { olderChat } from './older-chat.ts';
import { zhipuToken } from './token.ts';

/** GLM of version 4, channel type 26. */
const compatible = defineCompatibleProvider({
  ...typeFacts(26),
  protocols: ['openai-chat', 'openai-embedding', 'openai-image'],
  unsupported: [...newerHints, 'seed', 'logit_bias', 'frequency_penalty', 'presence_penalty', 'parallel_tool_calls'],
  refused: ['n', 'logprobs'],
  url: (base, { path }) => joinUrl(versionBase(base), path),
  headers: ({ key }, { now }): Record<string, string> => {
    // The vendor also takes the key itself, which serves where no moment is known.
    const token = now === undefined ? undefined : zhipuToken(key, now);
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  },
  adjust: adjustZhipu,
  messages: {
    rewrite: (messages, { model }) => (model.startsWith('glm-4v') ? mapMessages(messages, bareImages) : messages),
  },
  // It ends responses in words of its own.
  mendsResponses: true,
  errors: zhipuRules,
  modelsUrl: (base) => joinUrl(versionBase(base), '/v1/models'),
});

export const zhipuV4: ProviderAdapter = { ...compatible, drawsByAddress: true };

/** Models that version 3 alone has; all others, of older channels too, are spoken to in version 4. */
function isOlder(model: string): boolean {
  return !/^(glm-|charglm-|codegeex|emohaa|cogview|embedding)/i.test(model);
}

/** Channel type 16. */
export const zhipu: ProviderAdapter = {
  ...zhipuV4,
  ...typeFacts(16),
  ownChat: (model) => (isOlder(model) ? olderChat : undefined),
  readError: (status, body, headers, context) => {
    const isOwn = isJsonObject(body) && (body.success === false || body.event === 'error');
    return (isOwn ? olderErrors : zhipuV4).readError(status, body, headers, context);
  },
  hiddenErrorStatus: (body) => olderErrors.hiddenErrorStatus(body) ?? zhipuV4.hiddenErrorStatus(body),
};

function versionBase(base: string): string {
  return base.endsWith('/paas/v4') ? base : `${base}/api/paas/v4`;
}

function adjustZhipu(edits: BodyEdits, { protocol, fields, model }: UpstreamCall): string | undefined {
  if (protocol === 'openai-image') adjustDrawing(edits);
  if (protocol === 'openai-embedding' && model === 'embedding-2' && (fields.count('input') ?? 1) > 1)
    throw notOffered('input[1]', 'input');
  if (protocol !== 'openai-chat') return undefined;
  const temperature = fields.value('temperature');
  if (typeof temperature === 'number' && temperature > 1) edits.set('temperature', 1);
  const topP = fields.value('top_p');
  if (typeof topP === 'number' && topP >= 1) edits.set('top_p', 0.99);
  const stop = fields.value('stop');
  if (typeof stop === 'string') edits.set('stop', [stop]);
  if (fields.has('tool_choice') && fields.value('tool_choice') !== 'none') edits.set('tool_choice', 'auto');
  // The vendor's own name for it takes 6 to 128 characters.
  const user = fields.value('user');
  edits.drop('user');
  if (typeof user === 'string' && user.length >= 6 && user.length <= 128) edits.set('user_id', user);
  return undefined;
}

/** One picture by its address is all it draws. */
function adjustDrawing(edits: BodyEdits): void {
  for (const field of ['n', 'response_format', 'style', 'background', 'moderation', 'user']) edits.drop(field);
}

function notOffered(field: string, param: string): AppError {
  return new AppError('provider.fieldNotOffered', { provider: 'Zhipu', field }, { param });
}

/** These models read base64 without the `data:` prefix. */
function bareImages(message: Record<string, unknown>): Record<string, unknown> {
  const { content } = message;
  if (!Array.isArray(content) || !content.some(hasDataUrl)) return message;
  return {
    ...message,
    content: content.map((part) => {
      if (!hasDataUrl(part)) return part;
      const { url } = part.image_url;
      return { ...part, image_url: { ...part.image_url, url: url.slice(url.indexOf(',') + 1) } };
    }),
  };
}

interface ImagePart {
  image_url: { url: string };
}

function hasDataUrl(part: unknown): part is ImagePart {
  if (typeof part !== 'object' || part === null || !('image_url' in part)) return false;
  const image = part.image_url;
  if (typeof image !== 'object' || image === null || !('url' in image)) return false;
  return typeof image.url === 'string' && image.url.startsWith('data:');
}
