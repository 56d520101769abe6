import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import { misspelled, readBilledObject, readSpelled } from '../billed-field.ts';
import { defineChatProtocol } from '../chat-protocol.ts';
import type { Protocol } from '../protocol.ts';
import { maxTokenCount, notOffered, readModel, requireItems, wrong } from '../request-field.ts';
import { geminiArrayClient, geminiClient } from './client-codec.ts';
import { geminiUpstream } from './upstream-codec.ts';

/** A `model` in the body is ignored here. */
const noFields: RequestFields = { has: () => false, value: () => undefined, count: () => undefined };

/** The path says whether the response is a stream, and the query how a stream is framed. */
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
  refuseOtherModel(fields, model);
  requireItems(fields, 'contents');
  return { model, stream, wantsUsage: true, ...readBounds(fields), units: {} };
}

/** The path names the model that is billed; an upstream may go by the body. */
function refuseOtherModel(fields: RequestFields, model: string): void {
  const named = fields.has('model') ? fields.value('model') : undefined;
  if (named === undefined || named === null || named === '') return;
  if (typeof named !== 'string' || named.replace(/^(models|tunedModels)\//, '') !== model.replace(/^models\//, ''))
    throw wrong('request.notOneOf', 'model', { allowed: model });
}

/** Both spellings pass, as Google takes both, but one at a time: whichever it obeys is what was held. */
function readBounds(fields: RequestFields): Pick<RelayRequest, 'maxCompletion' | 'choices' | 'thinking'> {
  if (fields.has('generationConfig') && fields.has('generation_config'))
    throw misspelled('generationConfig', 'generationConfig');
  const key = fields.has('generationConfig') ? 'generationConfig' : 'generation_config';
  const config = readBilledObject(fields, key);
  if (!config) return { maxCompletion: undefined };
  // Vertex serves the model that is named there, or one of its own choice.
  if (readSpelled(config, 'routingConfig', key) !== undefined) throw notOffered(`${key}.routingConfig`);
  const limit = readSpelled(config, 'maxOutputTokens', key);
  if (limit !== undefined) requireCount(limit, `${key}.maxOutputTokens`);
  const candidates = readSpelled(config, 'candidateCount', key);
  const choices = typeof candidates === 'number' && candidates > 1 ? candidates : 1;
  const thinking = readThinking(readSpelled(config, 'thinkingConfig', key), `${key}.thinkingConfig`);
  return {
    maxCompletion: typeof limit === 'number' ? limit * choices : undefined,
    choices,
    ...(thinking !== undefined && { thinking: thinking * choices }),
  };
}

function requireCount(limit: unknown, field: string): void {
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > maxTokenCount)
    throw wrong('request.notInteger', field, { minimum: 1, maximum: maxTokenCount });
}

/** -1 leaves the amount to the model, 0 turns thinking off. */
function readThinking(config: unknown, path: string): number | undefined {
  if (!isJsonObject(config)) return undefined;
  const budget = readSpelled(config, 'thinkingBudget', path);
  if (budget === 0) return undefined;
  return typeof budget === 'number' && budget > 0 ? Math.min(budget, maxTokenCount) : 0;
}
