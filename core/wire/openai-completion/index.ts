import { isRecord } from '../../lib/json-value.ts';
import { readAnswerUsage } from '../openai-chat/usage.ts';
import type { Protocol } from '../protocol.ts';
import { checkTextOrTokens } from '../text-input.ts';
import { parseCompletion } from './read-request.ts';
import { choiceTexts, readCompletionEvent } from './read-response.ts';

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
