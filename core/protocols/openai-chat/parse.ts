import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import {
  checkNumber,
  maximumChoices,
  readBoolean,
  readInteger,
  readLimit,
  readModel,
  readObject,
  requireItems,
  unsetLimits,
} from '../openai-field.ts';

export function parseChat(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel);
  requireItems(fields, 'messages');
  const choices = readInteger(fields, 'n', 1, maximumChoices) ?? 1;
  const tokens = readTokenLimit(fields);
  checkSampling(fields);
  return {
    ...{ model, ...readStream(fields), maxCompletion: tokens && tokens * choices, units: {} },
    ...unsetLimits(fields, ['max_tokens', 'max_completion_tokens']),
  };
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
