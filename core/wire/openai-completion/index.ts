import { isJsonObject } from '../../lib/json-value.ts';
import { readResponseUsage } from '../openai-chat/usage.ts';
import type { Protocol } from '../protocol.ts';
import { checkTextOrTokens } from '../text-input.ts';
import { parseCompletion } from './read-request.ts';
import { choiceTexts, completionDocumentChunks, readCompletionEvent } from './read-response.ts';

export const openaiCompletion: Protocol = {
  name: 'openai-completion',
  path: '/v1/completions',
  body: 'json',
  parse: parseCompletion,
  checkBody: (body) => checkTextOrTokens(body.prompt, 'prompt'),
  isResponse: (response) => isJsonObject(response) && Array.isArray(response.choices),
  readUsage: (response) => readResponseUsage(response),
  readText: (response) => choiceTexts(response).filter((text) => text !== ''),
  readEvent: readCompletionEvent,
  documentChunks: completionDocumentChunks,
  terminal: 'data: [DONE]\n\n',
  needsFinish: true,
};
