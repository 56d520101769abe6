import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { geminiUpstream } from '../../providers/gemini/codec.ts';
import { defineChatProtocol } from '../chat-protocol.ts';
import { isRecord, maximumTokens, readModel, requireItems, wrong } from '../openai-field.ts';
import type { Protocol } from '../protocol.ts';
import { geminiArrayClient, geminiClient } from './codec.ts';

/** A `model` in the body is nobody's choice here. */
const noFields: RequestFields = { has: () => false, value: () => undefined, count: () => undefined };

/** The path says whether the answer is a stream, and the query how a stream is framed. */
export const geminiGenerate = defineGemini('generateContent', false);
export const geminiStream = defineGemini('streamGenerateContent', true);
export const geminiArrayStream: Protocol = { ...geminiStream, chat: geminiArrayClient, streamsArray: true };

function defineGemini(path: string, stream: boolean): Protocol {
  return defineChatProtocol(geminiClient, geminiUpstream, {
    path,
    parse: (fields, pathModel) => parseGenerate(fields, pathModel, stream),
    usageMember: 'usageMetadata',
    terminal: '',
  });
}

function parseGenerate(fields: RequestFields, pathModel: string | undefined, stream: boolean): RelayRequest {
  const model = readModel(noFields, pathModel);
  requireItems(fields, 'contents');
  return { model, stream, wantsUsage: true, maxCompletion: readLimit(fields), units: {} };
}

/** Both spellings pass, as Google takes both. */
function readLimit(fields: RequestFields): number | undefined {
  const key = fields.has('generationConfig') ? 'generationConfig' : 'generation_config';
  const config = fields.value(key) ?? {};
  if (!isRecord(config)) throw wrong('request.notObject', key);
  const limit = config.maxOutputTokens ?? config.max_output_tokens ?? undefined;
  if (limit === undefined) return undefined;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > maximumTokens)
    throw wrong('request.notInteger', `${key}.maxOutputTokens`, { minimum: 1, maximum: maximumTokens });
  const choices = config.candidateCount ?? config.candidate_count;
  return limit * (typeof choices === 'number' && choices > 1 ? choices : 1);
}
