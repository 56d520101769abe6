import { flatMapInSteps, type Steps } from '../lib/steps.ts';
import type { ChatRequest, Part } from './chat-request.ts';
import { type ClientField, clientField } from './client-field.ts';
import type { Losses } from './loss.ts';

type Test = (request: ChatRequest, parts: readonly Part[]) => boolean;

/** Fields of which a protocol has nothing, and by what they are seen in a call. */
const tests = {
  maxOutput: ({ maxOutput }) => maxOutput !== undefined,
  temperature: ({ sampling }) => sampling.temperature !== undefined,
  topP: ({ sampling }) => sampling.topP !== undefined,
  topK: ({ sampling }) => sampling.topK !== undefined,
  seed: ({ sampling }) => sampling.seed !== undefined,
  frequencyPenalty: ({ sampling }) => sampling.frequencyPenalty !== undefined,
  presencePenalty: ({ sampling }) => sampling.presencePenalty !== undefined,
  logitBias: ({ sampling }) => sampling.logitBias !== undefined,
  stop: ({ stop }) => stop.length > 0,
  tools: ({ tools }) => tools.length > 0,
  parallelTools: ({ parallelTools }) => parallelTools === false,
  reasoning: ({ reasoning }) => reasoning !== undefined && reasoning.mode !== 'auto',
  cacheKey: ({ cache }) => cache?.key !== undefined,
  automaticCache: ({ cache }) => cache?.automatic !== undefined,
  userId: ({ userId }) => userId !== undefined,
  serviceTier: ({ serviceTier }) => serviceTier !== undefined,
  store: ({ store }) => store === true,
  metadata: ({ metadata }) => metadata !== undefined,
  verbosity: ({ output }) => output.verbosity !== undefined,
  audio: ({ output }) => output.audio !== undefined,
  speaker: ({ messages }) => messages.some(({ name }) => name !== undefined),
  phase: ({ messages }) => messages.some(({ phase }) => phase !== undefined),
  toolStrict: ({ tools }) => tools.some((tool) => tool.kind === 'function' && tool.strict === true),
  documentName: (_request, parts) => parts.some((part) => part.kind === 'document' && part.name !== undefined),
  documentTitle: (_request, parts) => parts.some((part) => part.kind === 'document' && part.title !== undefined),
  documentContext: (_request, parts) => parts.some((part) => part.kind === 'document' && part.context !== undefined),
  documentCitations: (_request, parts) => parts.some((part) => part.kind === 'document' && part.citations === true),
  citations: (_request, parts) => parts.some((part) => part.kind === 'text' && (part.citations?.length ?? 0) > 0),
  cacheMark: (_request, parts) => parts.some((part) => 'cache' in part && part.cache !== undefined),
} satisfies Partial<Record<ClientField, Test>>;

export type UnsaidField = keyof typeof tests;

/** Names the fields that a writer has no place for, as far as the call has them. */
export function* dropUnsaidFields(request: ChatRequest, unsaid: readonly UnsaidField[], losses: Losses): Steps<void> {
  const { instructions, messages } = request;
  const parts = yield* flatMapInSteps([{ parts: instructions }, ...messages], (message) =>
    message.parts.flatMap((part) => (part.kind === 'toolResult' ? [part, ...part.parts] : [part])),
  );
  for (const field of unsaid) {
    if ((tests[field] as Test)(request, parts)) losses.drop(clientField(request.origin, field));
  }
}
