import type { ChatProtocol } from './chat-request.ts';

/** How each protocol spells a field of the neutral request; what stands under `*` is spelled alike by the others. */
const spellings = {
  maxOutput: {
    'openai-chat': 'max_completion_tokens',
    'openai-responses': 'max_output_tokens',
    gemini: 'generationConfig.maxOutputTokens',
    '*': 'max_tokens',
  },
  temperature: { gemini: 'generationConfig.temperature', '*': 'temperature' },
  topP: { gemini: 'generationConfig.topP', '*': 'top_p' },
  topK: { gemini: 'generationConfig.topK', '*': 'top_k' },
  seed: { gemini: 'generationConfig.seed', '*': 'seed' },
  frequencyPenalty: { gemini: 'generationConfig.frequencyPenalty', '*': 'frequency_penalty' },
  presencePenalty: { gemini: 'generationConfig.presencePenalty', '*': 'presence_penalty' },
  logitBias: { '*': 'logit_bias' },
  choices: { gemini: 'generationConfig.candidateCount', '*': 'n' },
  stop: { 'anthropic-messages': 'stop_sequences', gemini: 'generationConfig.stopSequences', '*': 'stop' },
  logprobs: { 'openai-responses': 'top_logprobs', gemini: 'generationConfig.responseLogprobs', '*': 'logprobs' },
  instructions: {
    'openai-responses': 'input',
    'anthropic-messages': 'system',
    gemini: 'systemInstruction',
    '*': 'messages',
  },
  messages: { 'openai-responses': 'input', gemini: 'contents', '*': 'messages' },
  tools: { '*': 'tools' },
  toolStrict: { 'openai-chat': 'tools.function.strict', '*': 'tools.strict' },
  toolGrammar: { 'openai-chat': 'tools.custom.format', '*': 'tools.format' },
  toolName: { 'openai-chat': 'tools.function.name', gemini: 'tools.functionDeclarations.name', '*': 'tools.name' },
  toolSchema: {
    'openai-chat': 'tools.function.parameters',
    'anthropic-messages': 'tools.input_schema',
    gemini: 'tools.functionDeclarations.parameters',
    '*': 'tools.parameters',
  },
  toolCache: { '*': 'tools.cache_control' },
  toolChoice: { gemini: 'toolConfig', '*': 'tool_choice' },
  parallelTools: {
    'anthropic-messages': 'tool_choice.disable_parallel_tool_use',
    '*': 'parallel_tool_calls',
  },
  output: {
    'openai-responses': 'text.format',
    'anthropic-messages': 'output_config.format',
    gemini: 'generationConfig.responseMimeType',
    '*': 'response_format',
  },
  outputSchema: {
    'openai-responses': 'text.format.schema',
    'anthropic-messages': 'output_config.format.schema',
    gemini: 'generationConfig.responseJsonSchema',
    '*': 'response_format.json_schema.schema',
  },
  verbosity: { 'openai-responses': 'text.verbosity', '*': 'verbosity' },
  audio: { '*': 'audio' },
  modalities: { gemini: 'generationConfig.responseModalities', '*': 'modalities' },
  reasoning: {
    'openai-responses': 'reasoning',
    'anthropic-messages': 'thinking',
    gemini: 'generationConfig.thinkingConfig',
    '*': 'reasoning_effort',
  },
  cacheKey: { '*': 'prompt_cache_key' },
  automaticCache: { '*': 'cache_control' },
  cacheMark: {
    'openai-chat': 'messages.content.prompt_cache_breakpoint',
    'openai-responses': 'input.content.prompt_cache_breakpoint',
    '*': 'messages.content.cache_control',
  },
  userId: { 'anthropic-messages': 'metadata.user_id', '*': 'safety_identifier' },
  serviceTier: { gemini: 'serviceTier', '*': 'service_tier' },
  metadata: { gemini: 'labels', '*': 'metadata' },
  store: { '*': 'store' },
  previousResponseId: { '*': 'previous_response_id' },
  earlierReasoning: {
    'openai-responses': 'input.reasoning',
    'anthropic-messages': 'messages.content.thinking',
    gemini: 'contents.parts.thought',
    '*': 'messages.reasoning_content',
  },
  imageDetail: { 'openai-chat': 'messages.content.image_url.detail', '*': 'input.content.detail' },
  documentName: { 'openai-responses': 'input.content.filename', '*': 'messages.content.file.filename' },
  documentTitle: { 'anthropic-messages': 'messages.content.title', '*': 'messages.content.file.filename' },
  documentContext: { '*': 'messages.content.context' },
  citations: { 'openai-responses': 'input.content.annotations', '*': 'messages.content.citations' },
  documentCitations: { 'openai-responses': 'input.content.citations', '*': 'messages.content.citations' },
  speaker: { '*': 'messages.name' },
  phase: { '*': 'input.phase' },
  toolError: { gemini: 'contents.parts.functionResponse.response.error', '*': 'messages.content.is_error' },
  toolMedia: {
    'openai-responses': 'input.output',
    gemini: 'contents.parts.functionResponse.parts',
    '*': 'messages.content.content',
  },
} as const satisfies Record<string, Partial<Record<ChatProtocol, string>> & { '*': string }>;

export type ClientField = keyof typeof spellings;

/** The name a client knows a field by, for losses and refusals. */
export function clientField(origin: ChatProtocol, field: ClientField): string {
  const spelling: Partial<Record<ChatProtocol, string>> & { '*': string } = spellings[field];
  return spelling[origin] ?? spelling['*'];
}

/** The name a client knows a tool by that the upstream would have to run; OpenAI's chat form has one under a name of its own. */
export function hostedToolField(origin: ChatProtocol, type: string): string {
  return origin === 'openai-chat' && type === 'web_search'
    ? 'web_search_options'
    : `${clientField(origin, 'tools')}: ${type}`;
}
