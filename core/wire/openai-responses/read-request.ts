import type { ChatRequest, OutputFormat, Part, ReasoningWish, ToolChoice } from '../../canonical/chat-request.ts';
import type { Steps } from '../../lib/steps.ts';
import { BodyReader, restOf } from '../body-reader.ts';
import { maxTokenCount, wrong } from '../request-field.ts';
import { readItems } from './read-item.ts';
import { readTools } from './read-tool.ts';

/** A Responses call as a neutral one (OpenAI sheet, section 5). Throws AppError for what the client got wrong. */
export function* readResponsesRequest(body: Record<string, unknown>): Steps<ChatRequest> {
  const reader = new BodyReader(body);
  const model = reader.requireText('model');
  const { instructions, messages } = yield* readItems(readInput(reader));
  const own = reader.text('instructions');
  const reasoning = reader.record('reasoning');
  return {
    origin: 'openai-responses',
    model,
    stream: reader.boolean('stream') ?? false,
    // 0 counts as not given.
    maxOutput: reader.integer('max_output_tokens', 0, maxTokenCount) || undefined,
    sampling: readSampling(reader),
    stop: [],
    logprobs: readLogprobs(reader),
    instructions: own ? [{ kind: 'text', text: own } satisfies Part, ...instructions] : instructions,
    messages,
    tools: yield* readTools(reader),
    toolChoice: readToolChoice(reader),
    parallelTools: reader.boolean('parallel_tool_calls'),
    output: readOutput(reader.record('text')),
    reasoning: readReasoning(reasoning),
    cache: readCache(reader),
    userId: reader.text('safety_identifier') ?? reader.text('user'),
    serviceTier: reader.text('service_tier'),
    metadata: reader.plain('metadata') as Record<string, string> | undefined,
    store: reader.boolean('store'),
    previousResponseId: reader.text('previous_response_id'),
    extras: { ...reader.rest(), ...readIncludes(reader), ...restOf('reasoning', reasoning) },
  };
}

function readInput(reader: BodyReader): Iterable<BodyReader> {
  const input = reader.raw('input');
  if (input === undefined) {
    // The stored conversation may say everything.
    if (reader.raw('previous_response_id') ?? reader.raw('conversation') ?? reader.raw('prompt')) return [];
    throw wrong('request.fieldMissing', 'input');
  }
  if (typeof input === 'string') return [new BodyReader({ type: 'message', role: 'user', content: input }, 'input')];
  if (!Array.isArray(input)) throw wrong('request.notTextOrList', 'input');
  return reader.eachRecord('input');
}

function readSampling(reader: BodyReader): ChatRequest['sampling'] {
  const temperature = reader.number('temperature', 0, 2);
  const topP = reader.number('top_p', 0, 1);
  return { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { topP }) };
}

/** Asked for by an `include` value; how many, by `top_logprobs`. */
function readLogprobs(reader: BodyReader): ChatRequest['logprobs'] {
  const top = reader.integer('top_logprobs', 0, 20);
  const isIncluded = reader.texts('include')?.includes('message.output_text.logprobs');
  return isIncluded || top !== undefined ? { top: top ?? 0 } : undefined;
}

/** What else the response is to contain; encrypted reasoning it always does. */
function readIncludes(reader: BodyReader): { include?: string[] } {
  const known = ['message.output_text.logprobs', 'reasoning.encrypted_content'];
  const include = reader.texts('include')?.filter((name) => !known.includes(name)) ?? [];
  return include.length > 0 ? { include } : {};
}

function readToolChoice(reader: BodyReader): ToolChoice | undefined {
  const choice = reader.raw('tool_choice');
  if (choice === undefined) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { mode: choice };
  if (typeof choice === 'string') throw wrong('request.notOneOf', 'tool_choice', { allowed: 'none, auto, required' });
  const named = BodyReader.of(choice, 'tool_choice');
  if (named.text('type') !== 'allowed_tools') return { mode: 'named', name: nameOf(named) };
  return {
    mode: 'allowed',
    names: named.records('tools').map(nameOf),
    required: named.text('mode') === 'required',
  };
}

/** A hosted tool has no name but its type. */
function nameOf(tool: BodyReader): string {
  return tool.text('name') ?? tool.requireText('type');
}

function readOutput(text: BodyReader | undefined): OutputFormat {
  const verbosity = text?.text('verbosity');
  const format = text?.record('format');
  const shared = verbosity === undefined ? {} : { verbosity };
  if (format?.text('type') === 'json_object') return { ...shared, kind: 'json' };
  if (format?.text('type') !== 'json_schema') return { ...shared, kind: 'text' };
  const strict = format.boolean('strict');
  const description = format.text('description');
  return {
    ...shared,
    kind: 'schema',
    name: format.text('name') ?? 'answer',
    schema: format.plain('schema') ?? {},
    ...(strict !== undefined && { strict }),
    ...(description !== undefined && { description }),
  };
}

function readReasoning(reasoning: BodyReader | undefined): ReasoningWish | undefined {
  if (!reasoning) return undefined;
  const effort = reasoning.text('effort');
  const summary = reasoning.text('summary') ?? reasoning.text('generate_summary');
  const visible =
    summary === undefined ? {} : { visible: summary === 'detailed' ? ('full' as const) : ('summary' as const) };
  if (effort === 'none') return { mode: 'off', ...visible };
  return effort === undefined ? { mode: 'auto', ...visible } : { mode: 'effort', effort, ...visible };
}

function readCache(reader: BodyReader): ChatRequest['cache'] {
  const key = reader.text('prompt_cache_key');
  return key === undefined ? undefined : { key };
}
