import { AppError } from '../errors/app-error.ts';
import type { ChatProtocol } from './chat-request.ts';

const upstreamNames: Record<ChatProtocol, string> = {
  'openai-chat': 'OpenAI Chat',
  'openai-responses': 'OpenAI Responses',
  'anthropic-messages': 'Anthropic Messages',
  gemini: 'Gemini',
};

/** What the upstream's protocol cannot say and the client cannot do without. `what` is the client's name of it. */
export function notPossible(what: string, upstream: ChatProtocol): AppError {
  return new AppError('convert.notPossible', { what, upstream: upstreamNames[upstream] }, { param: what });
}
