import type { ChatRequest, OutputFormat, Part, ReasoningWish, Sampling } from '../../canonical/chat-request.ts';
import type { Steps } from '../../lib/steps.ts';
import { BodyReader, restOf } from '../body-reader.ts';
import { maxTokenCount, wrong } from '../request-field.ts';
import { readMark, readTextParts } from './read-request-block.ts';
import { readToolChoice, readTools } from './read-tool.ts';
import { readTurns } from './read-turn.ts';

/** A Messages call as a neutral one (Anthropic sheet, section 3). Throws AppError for what the client got wrong. */
export function* readAnthropicRequest(given: Record<string, unknown>): Steps<ChatRequest> {
  const body = new BodyReader(given);
  const model = body.requireText('model');
  const maxTokens = body.integer('max_tokens', 0, maxTokenCount);
  if (maxTokens === undefined) throw wrong('request.fieldMissing', 'max_tokens');
  const output = body.record('output_config');
  const { choice, parallel } = readToolChoice(body.record('tool_choice'));
  return {
    origin: 'anthropic-messages',
    model,
    stream: body.boolean('stream') ?? false,
    // 0 only warms a cache; elsewhere it asks for nothing.
    maxOutput: maxTokens === 0 ? undefined : maxTokens,
    sampling: readSampling(body),
    stop: body.texts('stop_sequences') ?? [],
    logprobs: undefined,
    instructions: yield* readSystem(body),
    messages: yield* readTurns(body),
    tools: yield* readTools(body),
    toolChoice: choice,
    parallelTools: parallel,
    output: readFormat(output?.record('format')),
    reasoning: readThinking(body, output?.text('effort')),
    cache: readCache(body),
    userId: body.record('metadata')?.text('user_id'),
    serviceTier: body.text('service_tier'),
    metadata: undefined,
    store: undefined,
    previousResponseId: undefined,
    extras: { ...readExtras(body), ...restOf('output_config', output) },
  };
}

function* readSystem(body: BodyReader): Steps<Part[]> {
  const system = body.raw('system');
  return system === undefined ? [] : yield* readTextParts(body, 'system');
}

function readSampling(body: BodyReader): Sampling {
  const temperature = body.number('temperature', 0, 1);
  const topP = body.number('top_p', 0, 1);
  const topK = body.integer('top_k', 0, maxTokenCount);
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
  };
}

function readFormat(format: BodyReader | undefined): OutputFormat {
  if (!format) return { kind: 'text' };
  const type = format.requireText('type');
  if (type !== 'json_schema') throw wrong('request.notOneOf', format.at('type'), { allowed: 'json_schema' });
  const schema = format.plain('schema');
  if (!schema) throw wrong('request.fieldMissing', format.at('schema'));
  return { kind: 'schema', name: 'answer', schema };
}

/** Effort may be said without thinking, and beside every kind of it. */
function readThinking(body: BodyReader, effort: string | undefined): ReasoningWish | undefined {
  const thinking = body.record('thinking');
  const said = effort === undefined ? {} : { effort };
  if (!thinking) return effort === undefined ? undefined : { mode: 'effort', effort };
  const display = thinking.text('display');
  const visible = display === undefined ? {} : ({ visible: display === 'omitted' ? 'none' : 'summary' } as const);
  switch (thinking.requireText('type')) {
    case 'disabled':
      return { mode: 'off', ...said };
    case 'enabled': {
      const budget = thinking.integer('budget_tokens', 1, maxTokenCount);
      if (budget === undefined) throw wrong('request.fieldMissing', thinking.at('budget_tokens'));
      return { mode: 'budget', budget, ...said, ...visible };
    }
    case 'adaptive':
      return { mode: 'auto', ...said, ...visible };
    default:
      return effort === undefined ? undefined : { mode: 'effort', effort };
  }
}

const knownThinking: readonly unknown[] = ['disabled', 'enabled', 'adaptive'];

/** A kind of thinking that has no place in the neutral request stays as it came, and so does the wish to warm a cache alone. */
function readExtras(body: BodyReader): Record<string, unknown> {
  const thinking = body.plain('thinking');
  const isUnknown = thinking !== undefined && !knownThinking.includes(thinking.type);
  const { max_tokens } = body.whole();
  return { ...body.rest(), ...(isUnknown && { thinking }), ...(max_tokens === 0 && { max_tokens }) };
}

function readCache(body: BodyReader): ChatRequest['cache'] {
  const { cache } = readMark(body);
  return cache ? { automatic: cache } : undefined;
}
