import type { ChatRequest, OutputFormat, ReasoningWish, Sampling } from '../../canonical/chat-request.ts';
import type { Steps } from '../../lib/steps.ts';
import { BodyReader } from '../body-reader.ts';
import { maxChoices, maxTokenCount, wrong } from '../request-field.ts';
import { readMessages } from './read-message.ts';
import { readToolChoice, readTools } from './read-tool.ts';

/** A chat.completions call as a neutral one (OpenAI sheet, section 3). Throws AppError for what the client got wrong. */
export function* readChatRequest(given: Record<string, unknown>): Steps<ChatRequest> {
  const body = new BodyReader(given);
  requireMessages(body);
  const { instructions, messages } = yield* readMessages(body);
  // How the stream is written is between the client and us.
  body.raw('stream_options');
  // 0 counts as not given, in either spelling.
  const oldMaximum = body.integer('max_tokens', 0, maxTokenCount) || undefined;
  const [user, identifier] = [body.text('user'), body.text('safety_identifier')];
  const key = body.text('prompt_cache_key');
  return {
    origin: 'openai-chat',
    model: body.requireText('model'),
    stream: body.boolean('stream') ?? false,
    maxOutput: body.integer('max_completion_tokens', 0, maxTokenCount) || oldMaximum,
    sampling: readSampling(body),
    stop: readStop(body),
    logprobs: readLogprobs(body),
    instructions,
    messages,
    tools: yield* readTools(body),
    toolChoice: readToolChoice(body),
    parallelTools: body.boolean('parallel_tool_calls'),
    output: { ...readFormat(body.record('response_format')), ...readModalities(body) },
    reasoning: readReasoning(body.text('reasoning_effort')),
    cache: key === undefined ? undefined : { key },
    userId: identifier ?? user,
    serviceTier: body.text('service_tier'),
    metadata: readMetadata(body),
    store: body.boolean('store'),
    previousResponseId: undefined,
    extras: body.rest(),
  };
}

function requireMessages(body: BodyReader): void {
  const messages = body.list('messages');
  if (messages === undefined) throw wrong('request.fieldMissing', 'messages');
  if (messages.length === 0) throw wrong('request.fieldEmpty', 'messages');
}

function readSampling(body: BodyReader): Sampling {
  const sampling: Record<keyof Sampling, unknown> = {
    temperature: body.number('temperature', 0, 2),
    topP: body.number('top_p', 0, 1),
    topK: readTopK(body),
    seed: body.number('seed', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    frequencyPenalty: body.number('frequency_penalty', -2, 2),
    presencePenalty: body.number('presence_penalty', -2, 2),
    logitBias: body.plain('logit_bias'),
    choices: body.integer('n', 1, maxChoices),
  };
  return Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined));
}

/** Vendors that know it write 0 or -1 for none: those stay as they are, for the vendor alone. */
function readTopK(body: BodyReader): number | undefined {
  const { top_k: given } = body.whole();
  return typeof given === 'number' && given <= 0 ? undefined : body.number('top_k', 0, 1_000_000);
}

function readStop(body: BodyReader): string[] {
  const stop = body.raw('stop');
  if (stop === undefined) return [];
  if (typeof stop === 'string') return [stop];
  if (!Array.isArray(stop)) throw wrong('request.notTextOrList', 'stop');
  return body.texts('stop') ?? [];
}

function readLogprobs(body: BodyReader): ChatRequest['logprobs'] {
  const top = body.integer('top_logprobs', 0, 20);
  return body.boolean('logprobs') ? { top: top ?? 0 } : undefined;
}

const formats = ['text', 'json_object', 'json_schema'];

function readFormat(format: BodyReader | undefined): OutputFormat {
  const type = format?.requireText('type') ?? 'text';
  if (type === 'text') return { kind: 'text' };
  if (type === 'json_object') return { kind: 'json' };
  const described = format?.record('json_schema');
  if (!formats.includes(type)) throw wrong('request.notOneOf', 'response_format.type', { allowed: formats.join(', ') });
  if (!described) throw wrong('request.fieldMissing', 'response_format.json_schema');
  const [strict, description] = [described.boolean('strict'), described.text('description')];
  return {
    kind: 'schema',
    name: described.text('name') ?? 'answer',
    schema: described.plain('schema') ?? { type: 'object' },
    ...(strict !== undefined && { strict }),
    ...(description !== undefined && { description }),
  };
}

function readModalities(body: BodyReader): Pick<OutputFormat, 'verbosity' | 'modalities' | 'audio'> {
  const [verbosity, modalities, audio] = [body.text('verbosity'), body.texts('modalities'), body.plain('audio')];
  return {
    ...(verbosity !== undefined && { verbosity }),
    ...(modalities && { modalities }),
    ...(audio && { audio }),
  };
}

function readReasoning(effort: string | undefined): ReasoningWish | undefined {
  if (effort === undefined) return undefined;
  return effort === 'none' ? { mode: 'off' } : { mode: 'effort', effort };
}

function readMetadata(body: BodyReader): Record<string, string> | undefined {
  const metadata = body.plain('metadata');
  if (!metadata) return undefined;
  for (const [key, value] of Object.entries(metadata)) {
    if (typeof value !== 'string') throw wrong('request.notText', `metadata.${key}`);
  }
  return metadata as Record<string, string>;
}
