import type { ChatProtocol } from '../../canonical/chat-request.ts';

/** Whose model it is, which decides address and body, with the name Vertex knows it by. */
export interface VertexModel {
  publisher: 'google' | 'anthropic' | 'mistralai' | 'open';
  name: string;
  /** Undefined for a model that does not talk. */
  protocol: ChatProtocol | undefined;
}

export function vertexModel(model: string): VertexModel {
  if (model.startsWith('claude'))
    return { publisher: 'anthropic', name: claudeName(model), protocol: 'anthropic-messages' };
  // Models of other publishers behind the OpenAI endpoint: `meta/llama-...`, `deepseek-ai/...`.
  if (model.includes('/')) return { publisher: 'open', name: model, protocol: 'openai-chat' };
  if (model.includes('llama')) return { publisher: 'open', name: `meta/${model}`, protocol: 'openai-chat' };
  if (/^(mistral|ministral|codestral)/.test(model))
    return { publisher: 'mistralai', name: model, protocol: 'openai-chat' };
  const talks = !/embedding|^imagen/.test(model);
  return { publisher: 'google', name: model, protocol: talks ? 'gemini' : undefined };
}

/** Names whose date does not simply follow an `@` (Vertex sheet, publishers). */
const irregularNames: ReadonlyMap<string, string> = new Map([
  ['claude-3-5-sonnet-20241022', 'claude-3-5-sonnet-v2@20241022'],
  ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet-v2@20241022'],
]);

/** Vertex sets the date off with an `@`. */
function claudeName(model: string): string {
  return irregularNames.get(model) ?? model.replace(/-latest$/, '').replace(/-(\d{8})$/, '@$1');
}
