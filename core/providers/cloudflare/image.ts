import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { type JsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import type { UpstreamCall, UpstreamRequest } from '../adapter.ts';

type Drawing = Required<Pick<UpstreamRequest, 'body' | 'readResponse' | 'readFile'>>;

/** An OpenAI images call as a run of a model, which responds with the picture itself or with its base64. */
export function toDrawing(call: UpstreamCall, provider: string): Drawing {
  const { fields, request } = call;
  const refuse = (field: string) => new AppError('provider.fieldNotOffered', { provider, field }, { param: field });
  if ((request.units.images?.count ?? 1) > 1) throw refuse('n');
  if (request.stream) throw refuse('stream');
  const [, width, height] = /^(\d+)x(\d+)$/.exec(String(fields.value('size') ?? '')) ?? [];
  return {
    body: {
      prompt: fields.value('prompt'),
      ...(width && height && { width: Number(width), height: Number(height) }),
    },
    readResponse: (response) => write(textOf(recordOf(recordOf(response).result).image), 'image/png', call),
    readFile: (bytes, contentType) => write(bytes.toString('base64'), contentType, call),
  };
}

/** Nothing is kept at the vendor: a client that wants an address gets one that contains the picture. */
function write(base64: string, contentType: string, { fields, now = 0 }: UpstreamCall): JsonObject {
  if (base64 === '') throw new UpstreamError({ status: 502, coded: coded('upstream.noImage'), kind: 'retry' });
  const mime = contentType.startsWith('image/') ? contentType.split(';', 1)[0] : 'image/png';
  const isAddress = fields.value('response_format') === 'url';
  const picture = isAddress ? { url: `data:${mime};base64,${base64}` } : { b64_json: base64 };
  return { created: Math.floor(now / 1000), data: [picture] };
}
