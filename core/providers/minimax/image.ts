import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { type JsonObject, recordOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { aspectRatio } from '../gemini/image-size.ts';

const ratios = ['1:1', '16:9', '4:3', '3:2', '2:3', '3:4', '9:16', '21:9'];
const maxPictures = 9;

/** An OpenAI images call for `image_generation`. */
export function toImage(
  call: UpstreamCall,
  provider: string,
): Pick<Required<UpstreamRequest>, 'body' | 'readResponse'> {
  const { fields, request, model, now = 0 } = call;
  const count = request.units.images?.count ?? 1;
  const refuse = (field: string) => new AppError('provider.fieldNotOffered', { provider, field }, { param: field });
  if (request.stream) throw refuse('stream');
  if (count > maxPictures) throw refuse('n');
  const ratio = aspectRatio(fields.value('size'), ratios);
  const wantsBytes = fields.value('response_format') === 'b64_json';
  return {
    body: {
      model,
      prompt: fields.value('prompt'),
      n: count,
      ...(ratio && { aspect_ratio: ratio }),
      response_format: wantsBytes ? 'base64' : 'url',
    },
    readResponse: (response) => ({ created: Math.floor(now / 1000), data: picturesIn(response) }),
  };
}

function picturesIn(response: unknown): JsonObject[] {
  const { image_urls: urls, image_base64: packed } = recordOf(recordOf(response).data);
  const pictures = [...textsOf(urls).map((url) => ({ url })), ...textsOf(packed).map((data) => ({ b64_json: data }))];
  if (pictures.length > 0) return pictures;
  throw new UpstreamError({
    status: 400,
    coded: coded('upstream.notDrawn'),
    kind: 'policy',
    code: 'content_policy_violation',
  });
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string' && entry !== '') : [];
}
