import { AppError } from '../errors/app-error.ts';
import { UpstreamError } from '../errors/upstream-error.ts';
import { isJsonObject, recordOf, recordsOf } from '../lib/json-value.ts';
import { coded } from '../text/coded.ts';
import type { ProviderAdapter, UpstreamCall } from './adapter.ts';
import { defaultYuanPerDollar, numberAt, simpleBalance } from './balance.ts';
import { joinUrl } from './base-url.ts';
import type { BodyEdits } from './body-edit.ts';
import { defineCompatibleProvider } from './compatible.ts';
import { typeFacts } from './type-fact.ts';
import { newerHints } from './vendor-field.ts';

const { label } = typeFacts(40);

const compatible = defineCompatibleProvider({
  ...typeFacts(40),
  protocols: [
    'openai-chat',
    'openai-completion',
    'openai-embedding',
    'openai-image',
    'openai-speech',
    'openai-transcription',
    'rerank',
  ],
  unsupported: newerHints,
  // It ends responses with `eos`.
  mendsResponses: true,
  adjust: adjustImage,
  errors: [
    { codes: ['30001'], kind: 'balance' },
    { codes: ['20041'], kind: 'policy' },
    // One model is off or needs a verified name; the account serves the others.
    { codes: ['30003'], kind: 'retry' },
  ],
  balance: (base, key, _today, yuanPerDollar = defaultYuanPerDollar) =>
    simpleBalance(joinUrl(base, '/v1/user/info'), key, (body) => {
      if (isJsonObject(body) && body.code !== 20000)
        throw new AppError('provider.badAnswer', { what: 'data.totalBalance' });
      return numberAt(body, 'data', 'totalBalance') / yuanPerDollar;
    }),
});

export const siliconCloud: ProviderAdapter = {
  ...compatible,
  // The addresses work for an hour.
  drawsByAddress: true,
  buildRequest(call, channel) {
    const built = compatible.buildRequest(call, channel);
    return call.protocol === 'openai-image'
      ? { ...built, readResponse: (response) => readPictures(response, call) }
      : built;
  },
};

const maxPictures = 4;
/** What OpenAI's models have beside prompt, size and number. */
const foreignFields = ['quality', 'style', 'user', 'background', 'moderation', 'output_format', 'response_format'];

function adjustImage(edits: BodyEdits, { protocol, fields, request }: UpstreamCall): undefined {
  if (protocol !== 'openai-image') return;
  const refuse = (field: string) =>
    new AppError('provider.fieldNotOffered', { provider: label, field }, { param: field });
  if ((request.units.images?.count ?? 1) > maxPictures) throw refuse('n');
  if (request.stream) throw refuse('stream');
  for (const field of foreignFields) edits.drop(field);
  edits.rename('n', 'batch_size');
  if (fields.value('size') === 'auto') edits.drop('size');
  else edits.rename('size', 'image_size');
}

/** Newer responses contain OpenAI's list beside their own. */
function readPictures(response: unknown, { now = 0 }: UpstreamCall): unknown {
  const { images, data } = recordOf(response);
  const pictures = recordsOf(images ?? data).filter(({ url }) => typeof url === 'string');
  if (pictures.length === 0) throw new UpstreamError({ status: 502, coded: coded('upstream.noImage'), kind: 'retry' });
  return { created: Math.floor(now / 1000), data: pictures.map(({ url }) => ({ url })) };
}
