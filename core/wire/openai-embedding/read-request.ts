import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { AppError } from '../../errors/app-error.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import { readInteger, readModel, readText, requireTextOrList, wrong } from '../request-field.ts';
import { checkTextOrTokens, maxTexts } from '../text-input.ts';

export function parseEmbedding(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel);
  requireTextOrList(fields, 'input');
  readInteger(fields, 'dimensions', 1, 65_536);
  readText(fields, 'encoding_format', 32);
  // Embeddings write nothing: the hold is the prompt alone.
  return { model, stream: false, wantsUsage: false, maxCompletion: 0, units: {} };
}

export function checkEmbeddingBody({ input }: Record<string, unknown>): void {
  // Some vendors embed pictures, given as objects with one text or image member each.
  if (Array.isArray(input) && isJsonObject(input[0])) {
    input.forEach((item, index) => {
      if (!isJsonObject(item)) throw wrong('request.notObject', `input[${index}]`);
    });
    return;
  }
  checkTextOrTokens(input, 'input');
}

/** An embeddings call of which more than its top level is read. */
export interface EmbeddingCall {
  body?: Record<string, unknown> | undefined;
  fields: RequestFields;
}

/** The texts of an embeddings call. Tokens of another vendor's vocabulary mean nothing to `provider`. */
export function embeddingTexts({ body, fields }: EmbeddingCall, provider: string): string[] {
  const input = body?.input ?? fields.value('input');
  const list: unknown[] = Array.isArray(input) ? input : [input];
  if (list.length > maxTexts) throw wrong('request.tooMany', 'input', { maximum: maxTexts });
  return list.map((text) => {
    if (typeof text !== 'string')
      throw new AppError('provider.fieldNotOffered', { provider, field: 'input: token ids' }, { param: 'input' });
    return text;
  });
}
