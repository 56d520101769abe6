import type { RelayRequest, RequestFields } from '../../canonical/request.ts';
import { checkSampling, readStream } from '../../wire/openai-chat/call-fields.ts';
import { isFinishReason } from '../../wire/openai-chat/finish-reason.ts';
import { readAnswerUsage } from '../../wire/openai-chat/usage.ts';
import type { EventReading, Protocol } from '../../wire/protocol.ts';
import {
  isRecord,
  maximumChoices,
  readInteger,
  readLimit,
  readModel,
  requireTextOrList,
  unsetLimits,
} from '../../wire/request-field.ts';
import { checkTextOrTokens, countTexts } from '../../wire/text-input.ts';

export const openaiCompletion: Protocol = {
  name: 'openai-completion',
  path: '/v1/completions',
  body: 'json',
  parse: parseCompletion,
  checkBody: (body) => checkTextOrTokens(body.prompt, 'prompt'),
  isAnswer: (answer) => isRecord(answer) && Array.isArray(answer.choices),
  readUsage: (answer) => readAnswerUsage(answer),
  readText: (answer) => choiceTexts(answer).filter((text) => text !== ''),
  readEvent: readCompletionEvent,
  terminal: 'data: [DONE]\n\n',
  needsFinish: true,
};

function parseCompletion(fields: RequestFields, pathModel?: string): RelayRequest {
  const model = readModel(fields, pathModel);
  requireTextOrList(fields, 'prompt');
  const choices = readInteger(fields, 'n', 1, maximumChoices) ?? 1;
  // All candidates are generated and billed, also those that are not returned.
  const candidates = Math.max(choices, readInteger(fields, 'best_of', 1, 20) ?? 1);
  const tokens = readLimit(fields, 'max_tokens');
  checkSampling(fields);
  // Each prompt of a list is answered on its own.
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

function readCompletionEvent(event: unknown): EventReading {
  const reading: EventReading = { text: '', usage: undefined, usageOnly: false, finished: false, error: undefined };
  if (!isRecord(event)) return reading;
  if (event.error) reading.error = event.error;
  reading.text = choiceTexts(event).join('');
  const choices = Array.isArray(event.choices) ? event.choices : [];
  reading.finished = choices.some((choice) => isRecord(choice) && isFinishReason(choice.finish_reason));
  reading.usage = readAnswerUsage(event);
  reading.usageOnly = choices.length === 0 && isRecord(event.usage) && reading.error === undefined;
  return reading;
}

function choiceTexts(answer: unknown): string[] {
  if (!isRecord(answer) || !Array.isArray(answer.choices)) return [];
  return answer.choices.map((choice) => (isRecord(choice) && typeof choice.text === 'string' ? choice.text : ''));
}
