import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { countOf } from '../../lib/json-value.ts';
import { budgetOf, readBilledObject } from '../billed-field.ts';
import {
  checkNumber,
  maxChoices,
  readBoolean,
  readInteger,
  readLimit,
  readModel,
  readObject,
  refuseFields,
  requireItems,
  unsetLimits,
} from '../request-field.ts';

export function parseChat(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel);
  // OpenRouter's list of models to turn to: neither the one that is paid, nor ones the key may use.
  refuseFields(fields, ['models']);
  requireItems(fields, 'messages');
  const choices = readInteger(fields, 'n', 1, maxChoices) ?? 1;
  const tokens = readTokenLimit(fields);
  const thinking = readThinking(fields);
  checkSampling(fields);
  return {
    model,
    ...readStream(fields),
    maxCompletion: tokens && tokens * choices,
    choices,
    units: readSearch(fields),
    ...(thinking !== undefined && { thinking: thinking * choices }),
    ...unsetLimits(fields, ['max_tokens', 'max_completion_tokens']),
  };
}

/** What xAI reads when a call does not say. */
const defaultSources = 15;
const maxSources = 50;

/** `web_search_options` of OpenAI and Perplexity, `search_parameters` of xAI. What is not in order is left for the upstream to refuse. */
function readSearch(fields: RequestFields): RelayRequest['units'] {
  const options = readBilledObject(fields, 'web_search_options');
  const context = options?.search_context_size;
  const type = options?.search_type;
  const live = readBilledObject(fields, 'search_parameters');
  const sources = live && live.mode !== 'off' ? (countOf(live.max_search_results) ?? defaultSources) : 0;
  const search: RelayRequest['units']['search'] = {
    ...((context === 'low' || context === 'medium' || context === 'high') && { context }),
    ...((type === 'pro' || type === 'auto') && { isPro: true }),
    ...(sources > 0 && { sources: Math.min(sources, maxSources) }),
  };
  return Object.keys(search).length > 0 ? { search } : {};
}

/** An effort, or a number of tokens in one of the fields that vendors have for it; the largest counts. */
function readThinking(fields: RequestFields): number | undefined {
  const effort = fields.has('reasoning_effort') ? (fields.value('reasoning_effort') ?? 'none') : 'none';
  const budgets = [
    readBilledObject(fields, 'thinking')?.budget_tokens,
    readBilledObject(fields, 'reasoning')?.max_tokens,
    fields.has('thinking_budget') ? fields.value('thinking_budget') : undefined,
  ];
  const budget = Math.max(...budgets.map(budgetOf));
  return budget > 0 || effort !== 'none' ? budget : undefined;
}

/** The larger of the two spellings: what is held must cover whichever one the upstream obeys. */
export function readTokenLimit(fields: RequestFields): number | undefined {
  const old = readLimit(fields, 'max_tokens');
  const current = readLimit(fields, 'max_completion_tokens');
  return old === undefined ? current : Math.max(old, current ?? 0);
}

export function readStream(fields: RequestFields): Pick<RelayRequest, 'stream' | 'wantsUsage'> {
  const stream = readBoolean(fields, 'stream');
  const options = readObject(fields, 'stream_options');
  return { stream, wantsUsage: stream && options?.include_usage === true };
}

export function checkSampling(fields: RequestFields): void {
  checkNumber(fields, 'temperature', 0, 2);
  checkNumber(fields, 'top_p', 0, 1);
  checkNumber(fields, 'frequency_penalty', -2, 2);
  checkNumber(fields, 'presence_penalty', -2, 2);
}
