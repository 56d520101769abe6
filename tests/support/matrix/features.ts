import type { LocalText } from '../local-text.ts';

/** The rows of the matrix, with the words of the page. */
export const features = [
  ['text', { en: 'Response, plain and streamed', zh: '应答（非流式与流式）' }],
  ['system', { en: 'System prompt', zh: '系统提示' }],
  ['turns', { en: 'Multiple turns', zh: '多轮对话' }],
  ['picture', { en: 'Image in the request', zh: '请求中的图片' }],
  ['picture-url', { en: 'Image by URL', zh: '以 URL 给出的图片' }],
  ['pdf', { en: 'PDF', zh: 'PDF' }],
  ['tool', { en: 'Tool call', zh: '工具调用' }],
  ['parallel-tools', { en: 'Parallel tool calls, with interleaved chunks', zh: '并行工具调用（分片交错）' }],
  ['empty-call', { en: 'Tool call without arguments', zh: '没有参数的工具调用' }],
  ['results', { en: 'Tool results, in any order', zh: '工具结果（任意顺序）' }],
  ['result-picture', { en: 'Image in a tool result', zh: '工具结果中的图片' }],
  ['result-error', { en: 'Tool result that is an error', zh: '表示错误的工具结果' }],
  ['choice-none', { en: 'Tool choice: none', zh: '工具选择：none' }],
  ['choice-required', { en: 'Tool choice: any tool', zh: '工具选择：任意工具' }],
  ['choice-named', { en: 'Tool choice: one tool', zh: '工具选择：指定工具' }],
  ['schema', { en: 'Structured output (JSON schema)', zh: '结构化输出（JSON schema）' }],
  ['thinking', { en: 'Reasoning shown to the client', zh: '向客户端显示推理' }],
  ['thinking-back', { en: 'Reasoning and its signature in the next turn', zh: '下一轮带回推理及其签名' }],
  ['cache', { en: 'Cache control', zh: '缓存标记' }],
  ['usage', { en: 'Usage, with cached and reasoning tokens', zh: '用量（含缓存与推理 token）' }],
  ['length', { en: 'Finish reason: token limit', zh: '结束原因：达到 token 上限' }],
  ['stop-sequence', { en: 'Stop sequences', zh: '停止序列' }],
  ['refusal', { en: 'Finish reason: refusal', zh: '结束原因：模型拒绝' }],
  ['error-400', { en: 'Upstream error 400', zh: '上游错误 400' }],
  ['error-401', { en: 'Upstream error 401, with the key hidden', zh: '上游错误 401（隐藏密钥）' }],
  ['error-429', { en: 'Upstream error 429, with Retry-After', zh: '上游错误 429（带重试时间）' }],
  ['error-500', { en: 'Upstream error 500', zh: '上游错误 500' }],
  ['empty', { en: 'Empty response', zh: '空应答' }],
  ['stream-error', { en: 'Error in the middle of a stream', zh: '流中途出错' }],
  ['cut', { en: 'Stream that is cut off', zh: '流被切断' }],
  ['stall', { en: 'Stream that stalls', zh: '流停滞' }],
] as const satisfies readonly (readonly [string, LocalText])[];

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
