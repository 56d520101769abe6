import type { UpstreamCall } from '../adapter.ts';
import { joinUrl } from '../base-url.ts';
import type { BodyEdits } from '../body-edit.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { mapMessages } from '../message-fix.ts';
import { newerHints } from '../vendor-field.ts';
import { zhipuToken } from './token.ts';

/** GLM of version 4, channel type 26. */
export const zhipuV4 = defineCompatibleProvider({
  name: 'zhipu-v4',
  label: 'Zhipu GLM-4V',
  defaultBaseUrl: 'https://open.bigmodel.cn',
  protocols: ['openai-chat', 'openai-embedding'],
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
  errors: [
    { codes: ['1113', '1308', '1309', '1310'], kind: 'balance' },
    { codes: ['1110', '1111', '1112', '1121'], kind: 'dead' },
    { status: [401], codes: ['1000', '1001', '1002', '1003', '1004'], kind: 'dead' },
    { codes: ['1261'], kind: 'contextLength' },
    { codes: ['1300', '1301'], kind: 'policy' },
    { codes: ['1302', '1303', '1304', '1305', '1312', '1313'], kind: 'retry' },
    { codes: ['500', '1120', '1200', '1230', '1234'], kind: 'retry' },
    { codes: ['1210', '1212', '1213', '1214', '1215', '1311'], kind: 'client' },
    { status: [434, 435], kind: 'client' },
  ],
  modelsUrl: (base) => joinUrl(versionBase(base), '/v1/models'),
});

function versionBase(base: string): string {
  return base.endsWith('/paas/v4') ? base : `${base}/api/paas/v4`;
}

function adjustZhipu(edits: BodyEdits, { protocol, fields }: UpstreamCall): string | undefined {
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
