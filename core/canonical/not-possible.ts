import { AppError } from '../errors/app-error.ts';
import { type ChatProtocol, isChatProtocol } from './chat-request.ts';

const upstreamNames: Record<ChatProtocol, string> = {
  'openai-chat': 'OpenAI Chat',
  'openai-responses': 'OpenAI Responses',
  'anthropic-messages': 'Anthropic Messages',
  gemini: 'Gemini',
};

/**
 * What the upstream's protocol cannot say and the client cannot do without. `what` is the client's name of it; `upstream` a
 * protocol, or the label of a vendor that has a format of its own.
 */
export function notPossible(what: string, upstream: ChatProtocol | (string & {})): AppError {
  const name = isChatProtocol(upstream) ? upstreamNames[upstream] : upstream;
  return new AppError('convert.notPossible', { what, upstream: name }, { param: what });
}
