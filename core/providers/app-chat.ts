import type { ChatUpstreamCodec } from '../canonical/chat-codec.ts';
import type { ChatRequest } from '../canonical/chat-request.ts';
import { type ClientField, clientField } from '../canonical/client-field.ts';
import type { Losses } from '../canonical/loss.ts';
import { notPossible } from '../canonical/not-possible.ts';
import { dropUnsaidFields, type UnsaidField } from '../canonical/unsaid.ts';
import type { Steps } from '../lib/steps.ts';

const unsaid: readonly UnsaidField[] = [
  ...(['maxOutput', 'temperature', 'topP', 'topK', 'seed', 'frequencyPenalty', 'presencePenalty'] as const),
  ...(['logitBias', 'stop', 'tools', 'parallelTools', 'reasoning', 'cacheKey', 'automaticCache'] as const),
  ...(['serviceTier', 'store', 'metadata', 'verbosity', 'audio', 'speaker', 'cacheMark', 'citations'] as const),
];

/**
 * For apps whose model, prompt and tools are at the vendor: names as lost whatever of a call concerns the model, and refuses what
 * the client cannot do without. `kept` are members of the body that the app takes.
 */
export function* dropModelFields(
  request: ChatRequest,
  { vendor, losses, kept = [] }: { vendor: string; losses: Losses; kept?: readonly string[] },
): Steps<void> {
  const { origin, sampling, logprobs, toolChoice, output, extras, previousResponseId } = request;
  const refuse = (field: ClientField) => notPossible(clientField(origin, field), vendor);
  if ((sampling.choices ?? 1) > 1) throw refuse('choices');
  if (logprobs) throw refuse('logprobs');
  if (previousResponseId !== undefined) throw refuse('previousResponseId');
  if (output.modalities?.some((name) => name.toLowerCase() !== 'text')) throw refuse('modalities');
  const isForced = toolChoice?.mode === 'allowed' ? toolChoice.required : toolChoice && toolChoice.mode !== 'none';
  if (isForced && toolChoice?.mode !== 'auto') throw refuse('toolChoice');
  yield* dropUnsaidFields(request, unsaid, losses);
  for (const field of Object.keys(extras)) if (!kept.includes(field)) losses.drop(field);
}

/** What an app without a field for the form of its responses is told instead; undefined for plain text. */
export function formatSentence({ origin, output }: ChatRequest, losses: Losses): string | undefined {
  if (output.kind === 'text') return undefined;
  losses.emulate(clientField(origin, 'output'));
  const shape =
    output.kind === 'schema' ? ` that is valid against this JSON schema: ${JSON.stringify(output.schema)}` : '';
  return `Answer with nothing but one JSON object${shape}.`;
}

/** For formats whose responses are always asked for as streams. */
export function streamCodec(
  writeRequest: ChatUpstreamCodec['writeRequest'],
  createStreamReader: ChatUpstreamCodec['createStreamReader'],
): ChatUpstreamCodec {
  return { protocol: 'vendor', writeRequest, createStreamReader, isResponse: () => false, readResponse: () => [] };
}
