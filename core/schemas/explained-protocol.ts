/** What a call to be explained may be spoken in: the protocols whose bodies are JSON. Without a schema, for help that comes at once. */
export const explainedProtocols = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'openai-completion',
  'openai-embedding',
  'openai-moderation',
  'openai-image',
  'openai-speech',
  'rerank',
  'cohere-rerank',
] as const;
export type ExplainedProtocol = (typeof explainedProtocols)[number];
