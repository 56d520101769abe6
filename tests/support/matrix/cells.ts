import type { ChatProtocol } from '../../../core/canonical/chat-request.ts';
import type { FeatureName, UpstreamName } from './features.ts';

/** The clients of the matrix: the SDKs as people use them, each with the protocol it speaks. */
export const matrixClients = {
  openai: { protocol: 'openai-chat', label: '`openai` (chat)' },
  responses: { protocol: 'openai-responses', label: '`openai` (responses)' },
  anthropic: { protocol: 'anthropic-messages', label: '`@anthropic-ai/sdk`' },
  genai: { protocol: 'gemini', label: '`@google/genai`' },
  'ai-openai': { protocol: 'openai-chat', label: '`ai` with `@ai-sdk/openai` (chat)' },
  'ai-openai-responses': { protocol: 'openai-responses', label: '`ai` with `@ai-sdk/openai` (responses)' },
  'ai-anthropic': { protocol: 'anthropic-messages', label: '`ai` with `@ai-sdk/anthropic`' },
  'ai-google': { protocol: 'gemini', label: '`ai` with `@ai-sdk/google`' },
} as const satisfies Record<string, { protocol: ChatProtocol; label: string }>;
export type ClientName = keyof typeof matrixClients;

/** What a cell promises; the test holds every one of them. */
export type Outcome =
  | { kind: 'works' }
  /** The call is served without it, or with the next best; log and `x-tollgate-dropped` name the fields. */
  | { kind: 'lost'; fields: readonly string[] }
  /** The SDK raises its own error for a 400 that says why. */
  | { kind: 'refused'; says: RegExp }
  /** The SDK itself does not bring it back, or does not show it; the call is served all the same. */
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
  /** The sentence of the page; cells that say the same share a number. */
  note: string;
}

const openAiUpstreams = ['openai-chat', 'openai-responses', 'deepseek'] as const;
const googleUpstreams = ['gemini', 'vertex-gemini'] as const;
const lost = (...fields: string[]): Outcome => ({ kind: 'lost', fields });
const unsaid: Outcome = { kind: 'unsaid' };

const words = {
  textResults: "OpenAI's chat form has text alone for tool results.",
  noErrorMark: 'This protocol or SDK has no mark for a result that is an error.',
  noCacheMark: 'This protocol or SDK has no cache marks; what the vendor caches by itself is told in the usage.',
  noStop: 'The Responses API has no stop sequences.',
  ownFetch: 'The SDK fetches the picture itself.',
  textModel: 'The model reads text alone: its vendor refuses the call and says so.',
  cacheLost: 'The upstream has no such marks and caches by itself: the mark is dropped.',
  nameLost: 'Documents have no names there: the file goes without its own.',
  stopLost: 'The Responses API has no stop sequences: they are dropped.',
  mediaMoved: 'Tool results are text alone there: the picture follows as a message of the user.',
  errorWord: 'No mark for errors there: the result begins with `[error]`.',
  schemaTold: 'The vendor knows no schemas: the schema becomes an instruction and the answer is asked for as JSON.',
  budgetToEffort: 'The vendor knows efforts and no budgets: the budget of tokens becomes the effort nearest to it.',
  effortToBudget: 'The model knows budgets and no efforts: the effort becomes a share of the output.',
  summaryDropped: 'The signature goes back; the summary it came with does not, because Google signs the call instead.',
  unsigned:
    'The SDK brings no reasoning back that has no signature (`ai` with Anthropic: of streams): the next turn is served without thinking.',
  notShown: 'The SDK shows no reasoning and brings none back; the next turn is served without it.',
} as const;

/** The first line that fits a cell decides; what no line names has to work. */
const exceptions: readonly Exception[] = [
  {
    clients: ['openai-chat'],
    features: ['result-picture', 'result-error'],
    outcome: unsaid,
    note: words.textResults,
  },
  {
    clients: ['openai-responses', 'ai-google'],
    features: ['result-error'],
    outcome: unsaid,
    note: words.noErrorMark,
  },
  {
    clients: ['openai-responses', 'gemini', 'ai-openai'],
    features: ['cache'],
    outcome: unsaid,
    note: words.noCacheMark,
  },
  { clients: ['openai-responses'], features: ['stop-sequence'], outcome: unsaid, note: words.noStop },
  { clients: ['ai-google'], features: ['picture-url'], outcome: unsaid, note: words.ownFetch },
  {
    upstreams: ['deepseek'],
    features: ['picture', 'picture-url', 'pdf', 'result-picture'],
    outcome: { kind: 'refused', says: /unknown variant/ },
    note: words.textModel,
  },
  {
    clients: ['openai-chat'],
    upstreams: ['openai-responses', ...googleUpstreams],
    features: ['cache'],
    outcome: lost('messages.content.prompt_cache_breakpoint'),
    note: words.cacheLost,
  },
  {
    clients: ['anthropic-messages'],
    upstreams: [...openAiUpstreams, ...googleUpstreams],
    features: ['cache'],
    outcome: lost('messages.content.cache_control'),
    note: words.cacheLost,
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
      note: words.nameLost,
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
      note: words.stopLost,
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
      note: words.mediaMoved,
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
      note: words.errorWord,
    }),
  ),
  { upstreams: ['deepseek'], features: ['schema'], outcome: lost('response_format;emulated'), note: words.schemaTold },
  {
    clients: ['ai-openai-responses'],
    upstreams: ['deepseek'],
    features: ['thinking-back'],
    outcome: { kind: 'forgotten', fields: ['reasoning_effort'] },
    note: words.unsigned,
  },
  {
    clients: ['ai-anthropic'],
    upstreams: ['deepseek'],
    features: ['thinking-back'],
    outcome: lost('thinking;emulated'),
    note: words.unsigned,
    streamed: { kind: 'forgotten', fields: ['thinking;emulated', 'reasoning_effort'] },
  },
  {
    clients: ['ai-anthropic'],
    upstreams: googleUpstreams,
    features: ['thinking-back'],
    outcome: lost('thinking;emulated', 'messages.content.thinking'),
    note: words.summaryDropped,
    streamed: lost('thinking;emulated'),
  },
  {
    clients: ['ai-openai'],
    upstreams: ['aws-claude'],
    features: ['thinking'],
    outcome: { kind: 'forgotten', fields: ['reasoning_effort;emulated'] },
    note: words.notShown,
  },
  {
    clients: ['ai-openai'],
    upstreams: ['aws-claude', 'deepseek'],
    features: ['thinking-back'],
    outcome: { kind: 'forgotten', fields: ['reasoning_effort'] },
    note: words.notShown,
  },
  {
    clients: ['ai-openai'],
    features: ['thinking', 'thinking-back'],
    outcome: { kind: 'forgotten' },
    note: words.notShown,
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
      note: words.effortToBudget,
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
      note: words.budgetToEffort,
    }),
  ),
  {
    clients: ['anthropic-messages'],
    upstreams: googleUpstreams,
    features: ['thinking'],
    outcome: lost('thinking;emulated'),
    note: words.budgetToEffort,
  },
  {
    clients: ['anthropic-messages'],
    upstreams: googleUpstreams,
    features: ['thinking-back'],
    outcome: lost('thinking;emulated', 'messages.content.thinking'),
    note: words.summaryDropped,
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
      note: words.summaryDropped,
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
