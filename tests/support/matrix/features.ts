/** The rows of the matrix, with the words of the page. */
export const features = [
  ['text', 'Plain answer, and streamed in pieces'],
  ['system', 'System prompt'],
  ['turns', 'Several turns'],
  ['picture', 'Picture in the call'],
  ['picture-url', 'Picture by its address'],
  ['pdf', 'PDF'],
  ['tool', 'Tool call'],
  ['parallel-tools', 'Several tool calls at once, their pieces mixed'],
  ['empty-call', 'Tool call without arguments'],
  ['results', 'Tool results, in any order'],
  ['result-picture', 'Picture in a tool result'],
  ['result-error', 'Tool result that is an error'],
  ['choice-none', 'Tool choice: none'],
  ['choice-required', 'Tool choice: any tool'],
  ['choice-named', 'Tool choice: one tool'],
  ['schema', 'Answer by a JSON schema'],
  ['thinking', 'Thinking, shown to the client'],
  ['thinking-back', 'Thinking and its signature in the next turn'],
  ['cache', 'Cache mark'],
  ['usage', 'Usage, with what was cached and thought'],
  ['length', 'End: the limit of tokens'],
  ['stop-sequence', 'Stop sequences'],
  ['refusal', 'End: the model refuses'],
  ['error-400', 'Error 400 of the upstream'],
  ['error-401', 'Error 401 of the upstream, its key hidden'],
  ['error-429', 'Error 429, with the time to wait'],
  ['error-500', 'Error 500 of the upstream'],
  ['empty', 'Empty answer'],
  ['stream-error', 'Error in the middle of a stream'],
  ['cut', 'Stream that is cut off'],
  ['stall', 'Stream that falls silent'],
] as const;

export type FeatureName = (typeof features)[number][0];

/** The columns. */
export const upstreamLabels = {
  'openai-chat': 'OpenAI Chat',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  'vertex-gemini': 'Vertex AI Gemini',
  'vertex-claude': 'Vertex AI Claude',
  'aws-claude': 'AWS Claude',
  deepseek: 'DeepSeek',
} as const;
export type UpstreamName = keyof typeof upstreamLabels;
export const upstreamNames = Object.keys(upstreamLabels) as UpstreamName[];
