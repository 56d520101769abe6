import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { emptyUsage, type Usage } from '../../canonical/usage.ts';
import { countOf, isJsonObject, recordOf } from '../../lib/json-value.ts';
import { noEvent } from '../event-reading.ts';
import type { Protocol } from '../protocol.ts';
import { readModel, requireItems, wrong } from '../request-field.ts';
import { maxTexts } from '../text-input.ts';
import { fromOpenAiEmbedding, toOpenAiEmbedding } from './convert.ts';
import { embedRequests } from './read-request.ts';

/** Counts beyond this are not sane (M7). */
const maxPlausible = 10_000_000;

/** A `model` in the body is ignored here. */
const noFields: RequestFields = { has: () => false, value: () => undefined, count: () => undefined };

/** One content, one vector. */
export const geminiEmbedding: Protocol = {
  name: 'gemini-embedding',
  path: 'embedContent',
  body: 'json',
  parse: (fields, pathModel) => parseEmbedding(fields, pathModel, 'content'),
  checkBody: (body) => void embedRequests(body),
  isResponse: (response) =>
    isJsonObject(response) && (isJsonObject(response.embedding) || Array.isArray(response.embeddings)),
  readUsage: readEmbeddingUsage,
  usageMember: 'usageMetadata',
  readText: () => [],
  readEvent: noEvent,
  terminal: '',
  needsFinish: false,
  common: { protocol: 'openai-embedding', write: toOpenAiEmbedding, read: fromOpenAiEmbedding },
};

/** As many vectors as there are requests: what Google's SDKs send for a single content, too. */
export const geminiBatchEmbedding: Protocol = {
  ...geminiEmbedding,
  path: 'batchEmbedContents',
  parse: (fields, pathModel) => parseEmbedding(fields, pathModel, 'requests'),
};

function parseEmbedding(fields: RequestFields, pathModel: string | undefined, key: string): RelayRequest {
  const model = readModel(noFields, pathModel);
  if (key === 'requests') requireItems(fields, key);
  else if (!fields.has(key)) throw wrong('request.fieldMissing', key);
  if ((fields.count(key) ?? 0) > maxTexts) throw wrong('request.tooMany', key, { maximum: maxTexts });
  // Embeddings write nothing: the hold is the prompt alone.
  return { model, stream: false, wantsUsage: false, maxCompletion: 0, units: {} };
}

/** Newer models say what they counted; the classic response contains vectors alone, and the prompt is counted here. */
function readEmbeddingUsage(response: unknown): Usage | undefined {
  const usage = isJsonObject(response) ? recordOf(response.usageMetadata) : {};
  const prompt = countOf(usage.promptTokenCount) ?? countOf(usage.totalTokenCount);
  return prompt === undefined || prompt === 0 || prompt > maxPlausible ? undefined : { ...emptyUsage, prompt };
}
