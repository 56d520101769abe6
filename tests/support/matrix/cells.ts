import type { ChatProtocol } from '../../../core/canonical/chat-request.ts';
import type { LocalText } from '../local-text.ts';
import type { FeatureName, UpstreamName } from './features.ts';

/** The clients of the matrix: the SDKs as people use them, each with the protocol it speaks. */
export const matrixClients = {
  openai: { protocol: 'openai-chat', label: '`openai` (chat)' },
  responses: { protocol: 'openai-responses', label: '`openai` (responses)' },
  anthropic: { protocol: 'anthropic-messages', label: '`@anthropic-ai/sdk`' },
  genai: { protocol: 'gemini', label: '`@google/genai`' },
  'ai-openai': { protocol: 'openai-chat', label: '`@ai-sdk/openai` (chat)' },
  'ai-openai-responses': { protocol: 'openai-responses', label: '`@ai-sdk/openai` (responses)' },
  'ai-anthropic': { protocol: 'anthropic-messages', label: '`@ai-sdk/anthropic`' },
  'ai-google': { protocol: 'gemini', label: '`@ai-sdk/google`' },
} as const satisfies Record<string, { protocol: ChatProtocol; label: string }>;
export type ClientName = keyof typeof matrixClients;

/** What a cell promises; the test holds every one of them. */
export type Outcome =
  | { kind: 'works' }
  /** The call is served without it, or with the next best; log and `x-tollgate-dropped` name the fields. */
  | { kind: 'lost'; fields: readonly string[] }
  /** The SDK raises its own error for a 400 that says why. */
  | { kind: 'refused'; says: RegExp }
  /** The SDK itself does not bring it back, or does not show it; the call is served anyway. */
  | { kind: 'forgotten'; fields?: readonly string[] }
  /** The client's protocol or SDK has no word for it. */
  | { kind: 'unsaid' };

interface Exception {
  /** Clients, or all clients of a protocol; all when left out. */
  clients?: readonly (ClientName | ChatProtocol)[];
  upstreams?: readonly UpstreamName[];
  features: readonly FeatureName[];
  outcome: Outcome;
  /** Where streaming is another matter. */
  streamed?: Outcome;
  /** The note on the page; cells with the same note share a number. */
  note: keyof typeof cellNotes;
}

const openAiUpstreams = ['openai-chat', 'openai-responses', 'deepseek'] as const;
const googleUpstreams = ['gemini', 'vertex-gemini'] as const;
const lost = (...fields: string[]): Outcome => ({ kind: 'lost', fields });
const unsaid: Outcome = { kind: 'unsaid' };

export const cellNotes = {
  textResults: {
    en: 'OpenAI Chat Completions accepts only text in tool results.',
    zh: 'OpenAI Chat Completions 的工具结果只能是文本。',
  },
  noErrorMark: {
    en: 'This protocol or SDK cannot mark a tool result as an error.',
    zh: '该协议或 SDK 无法把工具结果标记为错误。',
  },
  noCacheMark: {
    en: 'This protocol or SDK has no cache control. Automatic caching by the vendor is shown in the usage.',
    zh: '该协议或 SDK 没有缓存标记；供应商自动缓存的部分会显示在用量中。',
  },
  noStop: {
    en: 'The Responses API has no stop sequences.',
    zh: 'Responses API 没有停止序列。',
  },
  ownFetch: {
    en: 'The SDK downloads the image itself.',
    zh: 'SDK 自行下载图片。',
  },
  textModel: {
    en: 'The model accepts only text. The vendor rejects the call with a clear error.',
    zh: '模型只接受文本，供应商会拒绝调用并说明原因。',
  },
  cacheLost: {
    en: 'The upstream has no cache control and caches automatically. The mark is dropped.',
    zh: '上游没有缓存标记并自动缓存，标记会被省略。',
  },
  nameLost: {
    en: 'The upstream does not accept document names. The file is sent without its name.',
    zh: '上游不接受文档名称，文件发送时不带名称。',
  },
  stopLost: {
    en: 'The Responses API has no stop sequences. They are dropped.',
    zh: 'Responses API 没有停止序列，会被省略。',
  },
  mediaMoved: {
    en: 'The upstream accepts only text in tool results. The image follows in a user message.',
    zh: '上游的工具结果只能是文本，图片改为随后的用户消息发送。',
  },
  errorWord: {
    en: 'The upstream cannot mark an error. The tool result starts with `[error]`.',
    zh: '上游无法标记错误，工具结果以 `[error]` 开头。',
  },
  schemaTold: {
    en: 'The vendor does not support JSON schemas. The schema is sent as an instruction, with JSON mode.',
    zh: '供应商不支持 JSON schema，改为在指令中说明，并使用 JSON 模式。',
  },
  budgetToEffort: {
    en: 'The vendor uses effort levels instead of token budgets. The budget is converted to the nearest level.',
    zh: '供应商使用推理强度而非 token 预算，预算转换为最接近的强度。',
  },
  effortToBudget: {
    en: 'The model uses token budgets instead of effort levels. The effort is converted to a share of the output.',
    zh: '模型使用 token 预算而非推理强度，强度转换为输出的一定比例。',
  },
  summaryDropped: {
    en: 'The signature is sent back without its summary, because Google signs the call instead.',
    zh: '带回签名但不带摘要，因为 Google 签名的是调用。',
  },
  unsigned: {
    en: 'The SDK does not send back reasoning without a signature (`ai` with Anthropic: in streams). The next turn is served without it.',
    zh: 'SDK 不带回没有签名的推理（`ai` 与 Anthropic：仅流式），下一轮不含推理。',
  },
  notShown: {
    en: 'The SDK neither shows reasoning nor sends it back. The next turn is served without it.',
    zh: 'SDK 不显示也不带回推理，下一轮不含推理。',
  },
} as const satisfies Record<string, LocalText>;

/** The first line that fits a cell decides; what no line names has to work. */
const exceptions: readonly Exception[] = [
  {
    clients: ['openai-chat'],
    features: ['result-picture', 'result-error'],
    outcome: unsaid,
    note: 'textResults',
  },
  {
    clients: ['openai-responses', 'ai-google'],
    features: ['result-error'],
    outcome: unsaid,
    note: 'noErrorMark',
  },
  {
    clients: ['openai-responses', 'gemini', 'ai-openai'],
    features: ['cache'],
    outcome: unsaid,
    note: 'noCacheMark',
  },
  { clients: ['openai-responses'], features: ['stop-sequence'], outcome: unsaid, note: 'noStop' },
  { clients: ['ai-google'], features: ['picture-url'], outcome: unsaid, note: 'ownFetch' },
  {
    upstreams: ['deepseek'],
    features: ['picture', 'picture-url', 'pdf', 'result-picture'],
    outcome: { kind: 'refused', says: /unknown variant/ },
    note: 'textModel',
  },
  {
    clients: ['openai-chat'],
    upstreams: ['openai-responses', ...googleUpstreams],
    features: ['cache'],
    outcome: lost('messages.content.prompt_cache_breakpoint'),
    note: 'cacheLost',
  },
  {
    clients: ['anthropic-messages'],
    upstreams: [...openAiUpstreams, ...googleUpstreams],
    features: ['cache'],
    outcome: lost('messages.content.cache_control'),
    note: 'cacheLost',
  },
  ...(
    [
      ['openai-chat', 'messages.content.file.filename'],
      ['openai-responses', 'input.content.filename'],
      ['ai-anthropic', 'messages.content.title'],
    ] as const
  ).map(
    ([client, field]): Exception => ({
      clients: [client],
      upstreams: googleUpstreams,
      features: ['pdf'],
      outcome: lost(field),
      note: 'nameLost',
    }),
  ),
  ...(
    [
      ['openai-chat', 'stop'],
      ['anthropic-messages', 'stop_sequences'],
      ['gemini', 'generationConfig.stopSequences'],
    ] as const
  ).map(
    ([client, field]): Exception => ({
      clients: [client],
      upstreams: ['openai-responses'],
      features: ['stop-sequence'],
      outcome: lost(field),
      note: 'stopLost',
    }),
  ),
  ...(
    [
      ['openai-responses', 'input.output'],
      ['anthropic-messages', 'messages.content.content'],
      ['genai', 'contents.parts.functionResponse.parts'],
    ] as const
  ).map(
    ([client, field]): Exception => ({
      clients: [client],
      upstreams: ['openai-chat'],
      features: ['result-picture'],
      outcome: lost(`${field};emulated`),
      note: 'mediaMoved',
    }),
  ),
  ...(
    [
      ['anthropic-messages', 'messages.content.is_error'],
      ['genai', 'contents.parts.functionResponse.response.error'],
    ] as const
  ).map(
    ([client, field]): Exception => ({
      clients: [client],
      upstreams: openAiUpstreams,
      features: ['result-error'],
      outcome: lost(`${field};emulated`),
      note: 'errorWord',
    }),
  ),
  { upstreams: ['deepseek'], features: ['schema'], outcome: lost('response_format;emulated'), note: 'schemaTold' },
  {
    clients: ['ai-openai-responses'],
    upstreams: ['deepseek'],
    features: ['thinking-back'],
    outcome: { kind: 'forgotten', fields: ['reasoning_effort'] },
    note: 'unsigned',
  },
  {
    clients: ['ai-anthropic'],
    upstreams: ['deepseek'],
    features: ['thinking-back'],
    outcome: lost('thinking;emulated'),
    note: 'unsigned',
    streamed: { kind: 'forgotten', fields: ['thinking;emulated', 'reasoning_effort'] },
  },
  {
    clients: ['ai-anthropic'],
    upstreams: googleUpstreams,
    features: ['thinking-back'],
    outcome: lost('thinking;emulated', 'messages.content.thinking'),
    note: 'summaryDropped',
    streamed: lost('thinking;emulated'),
  },
  {
    clients: ['ai-openai'],
    upstreams: ['aws-claude'],
    features: ['thinking'],
    outcome: { kind: 'forgotten', fields: ['reasoning_effort;emulated'] },
    note: 'notShown',
  },
  {
    clients: ['ai-openai'],
    upstreams: ['aws-claude', 'deepseek'],
    features: ['thinking-back'],
    outcome: { kind: 'forgotten', fields: ['reasoning_effort'] },
    note: 'notShown',
  },
  {
    clients: ['ai-openai'],
    features: ['thinking', 'thinking-back'],
    outcome: { kind: 'forgotten' },
    note: 'notShown',
  },
  ...(
    [
      ['openai', 'reasoning_effort'],
      ['openai-responses', 'reasoning'],
    ] as const
  ).map(
    ([client, field]): Exception => ({
      clients: [client],
      upstreams: ['aws-claude'],
      features: ['thinking', 'thinking-back'],
      outcome: lost(`${field};emulated`),
      note: 'effortToBudget',
    }),
  ),
  ...(
    [
      ['anthropic-messages', 'thinking'],
      ['gemini', 'generationConfig.thinkingConfig'],
    ] as const
  ).map(
    ([client, field]): Exception => ({
      clients: [client],
      upstreams: openAiUpstreams,
      features: ['thinking', 'thinking-back'],
      outcome: lost(`${field};emulated`),
      note: 'budgetToEffort',
    }),
  ),
  {
    clients: ['anthropic-messages'],
    upstreams: googleUpstreams,
    features: ['thinking'],
    outcome: lost('thinking;emulated'),
    note: 'budgetToEffort',
  },
  {
    clients: ['anthropic-messages'],
    upstreams: googleUpstreams,
    features: ['thinking-back'],
    outcome: lost('thinking;emulated', 'messages.content.thinking'),
    note: 'summaryDropped',
  },
  ...(
    [
      ['openai-chat', 'messages.reasoning_content'],
      ['responses', 'input.reasoning'],
    ] as const
  ).map(
    ([client, field]): Exception => ({
      clients: [client],
      upstreams: googleUpstreams,
      features: ['thinking-back'],
      outcome: lost(field),
      note: 'summaryDropped',
    }),
  ),
];

/** Undefined for a cell that simply works. */
export function exceptionOf(client: ClientName, upstream: UpstreamName, feature: FeatureName): Exception | undefined {
  const { protocol } = matrixClients[client];
  return exceptions.find(
    ({ clients, upstreams, features }) =>
      features.includes(feature) &&
      (!clients || clients.includes(client) || clients.includes(protocol)) &&
      (!upstreams || upstreams.includes(upstream)),
  );
}
