import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { checkSampling, readStream } from '../openai-chat/call-fields.ts';
import {
  maxChoices,
  readInteger,
  readLimit,
  readModel,
  refuseFields,
  requireTextOrList,
  unsetLimits,
} from '../request-field.ts';
import { countTexts } from '../text-input.ts';

export function parseCompletion(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel);
  refuseFields(fields, ['models']);
  requireTextOrList(fields, 'prompt');
  const choices = readInteger(fields, 'n', 1, maxChoices) ?? 1;
  // All candidates are generated and billed, also those that are not returned.
  const candidates = Math.max(choices, readInteger(fields, 'best_of', 1, 20) ?? 1);
  const tokens = readLimit(fields, 'max_tokens');
  checkSampling(fields);
  // Each prompt of a list gets its own choice.
  const prompts = countTexts(fields, 'prompt');
  return {
    model,
    ...readStream(fields),
    maxCompletion: tokens && tokens * candidates * prompts,
    choices: choices * prompts,
    units: {},
    ...unsetLimits(fields, ['max_tokens']),
  };
}
