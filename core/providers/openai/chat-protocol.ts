import type { ChatProtocol } from '../../canonical/chat-request.ts';
import type { ChannelTarget } from '../adapter.ts';

/** Models that OpenAI offers over Responses alone (OpenAI sheet, section 12). */
const responsesOnly = /^(ft:)?(codex-|computer-use-|(o\d|gpt-\d)[\w.-]*(-codex|-pro|-deep-research)(?![a-z]))/;
/** Models with a voice or a search of their own know chat alone. */
const chatOnly = /-(audio|search)-(preview|api)|^gpt-audio/;

/**
 * What OpenAI speaks for a model. The setting `responses: false` is for look-alikes behind a channel's own address that have no
 * Responses: every call goes to them as chat.
 */
export function openAiChatProtocols(
  model: string,
  { setting }: Pick<ChannelTarget, 'setting'>,
): readonly ChatProtocol[] {
  if (setting.responses === false || chatOnly.test(model)) return ['openai-chat'];
  return responsesOnly.test(model) ? ['openai-responses'] : ['openai-chat', 'openai-responses'];
}
