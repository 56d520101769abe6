import type { ProtocolName } from './request.ts';

/** `words` are read by the model; of `schemas`, whose lists are short, it also reads the names that the client made up. */
interface PromptMembers {
  words: readonly string[];
  schemas?: readonly string[];
}

/**
 * The members of a request that a model reads, for each wire format: what a prompt's size is estimated from, and where words are
 * looked for that an operator does not accept.
 */
const promptMembers: Record<ProtocolName, PromptMembers> = {
  'openai-chat': { words: ['messages', 'prediction'], schemas: ['tools', 'functions', 'response_format'] },
  'openai-responses': { words: ['input', 'instructions', 'prompt'], schemas: ['tools', 'text'] },
  'anthropic-messages': { words: ['system', 'messages'], schemas: ['tools', 'output_format', 'output_config'] },
  gemini: {
    words: ['contents', 'systemInstruction', 'system_instruction'],
    schemas: ['tools', 'generationConfig', 'generation_config'],
  },
  'openai-completion': { words: ['prompt', 'suffix'] },
  'openai-embedding': { words: ['input', 'instruction'] },
  'gemini-embedding': { words: ['content', 'requests', 'title'] },
  'openai-moderation': { words: ['input'] },
  'openai-image': { words: ['prompt', 'negative_prompt'] },
  'openai-image-edit': { words: ['prompt', 'prompt[]', 'negative_prompt'] },
  'openai-speech': { words: ['input', 'instructions'] },
  'openai-transcription': { words: ['prompt'] },
  'openai-translation': { words: ['prompt'] },
  rerank: { words: ['query', 'documents'] },
  'cohere-rerank': { words: ['query', 'documents'] },
};

/** Of paid jobs, which have no protocol. */
const taskWords = ['gpt_description_prompt', 'tags'];

const members = Object.values(promptMembers);

/** Of all formats together: an upstream may read more than the format it is called in. */
export const promptWords: ReadonlySet<string> = new Set([...members.flatMap(({ words }) => words), ...taskWords]);
export const promptSchemas: ReadonlySet<string> = new Set(members.flatMap(({ schemas = [] }) => schemas));

/** By these keys media is named or carried, in whatever format. */
const mediaKeys = new Set([
  'url',
  'uri',
  'image_url',
  'file_url',
  'file_uri',
  'fileUri',
  'video_url',
  'data',
  'file_data',
  'b64_json',
  'image',
  'audio',
  'bytes',
  'signature',
  'thoughtSignature',
  'thought_signature',
  'encrypted_content',
]);

/** Whether a text under this key, or a piece of a long one, is the bytes of a picture, a sound or a file, and no words. */
export function isMediaText(text: string, key: string): boolean {
  if (!mediaKeys.has(key)) return false;
  const start = text.startsWith('data:') ? dataUrlHead.exec(text)?.[0].length : 0;
  return start !== undefined && (start > 0 || text.length > shortBytes) && !notBase64.test(text.slice(start));
}

/** Of a text file a model reads the words, so it is not media here. */
const dataUrlHead = /^data:(?:image|audio|video|application)\/[\w.+-]{1,100}(?:;[\w=.+-]{1,100}){0,5};base64,/i;
const notBase64 = /[^A-Za-z0-9+/=_\r\n-]/;
/** A shorter one may be a word. */
const shortBytes = 256;

/** Names that the formats themselves give; all others in a schema are the client's. */
export const schemaKeys: ReadonlySet<string> = new Set([
  'type',
  'function',
  'name',
  'description',
  'parameters',
  'input_schema',
  'schema',
  'json_schema',
  'format',
  'properties',
  'required',
  'items',
  'enum',
  'const',
  'anyOf',
  'allOf',
  'oneOf',
  'not',
  '$ref',
  '$defs',
  'default',
  'additionalProperties',
  'strict',
  'title',
  'examples',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'definitions',
  'functionDeclarations',
  'function_declarations',
  'nullable',
  'responseSchema',
  'response_schema',
  'responseJsonSchema',
  'temperature',
  'maxOutputTokens',
  'cache_control',
]);
