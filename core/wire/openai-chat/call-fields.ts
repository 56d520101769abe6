import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { budgetOf, readBilledObject } from '../billed-field.ts';
import {
  checkNumber,
  maxChoices,
  readBoolean,
  readInteger,
  readLimit,
  readModel,
  readObject,
  requireItems,
  unsetLimits,
} from '../request-field.ts';

export function parseChat(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel);
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
    units: {},
    ...(thinking !== undefined && { thinking: thinking * choices }),
    ...unsetLimits(fields, ['max_tokens', 'max_completion_tokens']),
  };
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
