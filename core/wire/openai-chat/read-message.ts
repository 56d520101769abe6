import type { Message, Part, ToolCallPart } from '../../canonical/chat-request.ts';
import { orderToolResults } from '../../canonical/tool-order.ts';
import { isJsonObject, textOf } from '../../lib/json-value.ts';
import { writeJson } from '../../lib/raw-json.ts';
import { isStep, type Steps } from '../../lib/steps.ts';
import type { BodyReader } from '../body-reader.ts';
import { wrong } from '../request-field.ts';
import { contentText } from './members.ts';
import { readContent } from './read-content.ts';
import { readReasoningDetails } from './reasoning-detail.ts';
import { readSignature } from './tool-call-parts.ts';

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];

/** The conversation; leading system and developer messages are instructions. */
export function* readMessages(body: BodyReader): Steps<{ instructions: Part[]; messages: Message[] }> {
  const calls = new FunctionCalls();
  const messages: Message[] = [];
  for (const item of body.eachRecord('messages')) {
    if (isStep(messages.length)) yield;
    messages.push(yield* readMessage(item, messages.length, calls));
  }
  const first = messages.findIndex(({ role }) => role !== 'system');
  const leading = messages.splice(0, first < 0 ? messages.length : first);
  return { instructions: leading.flatMap(({ parts }) => parts), messages: yield* orderToolResults(messages) };
}

function* readMessage(item: BodyReader, index: number, calls: FunctionCalls): Steps<Message> {
  const role = item.requireText('role');
  const name = item.text('name');
  const speaker = name === undefined ? {} : { name };
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: yield* readContent(item), ...speaker };
    case 'user':
      return { role, parts: yield* readContent(item), ...speaker };
    case 'assistant':
      return { role, parts: yield* readAssistant(item, index, calls), ...speaker };
    case 'tool':
      return {
        role,
        parts: [{ kind: 'toolResult', callId: item.requireText('tool_call_id'), parts: yield* readContent(item) }],
      };
    case 'function':
      return {
        role: 'tool',
        parts: [{ kind: 'toolResult', callId: calls.latest(name ?? ''), parts: yield* readContent(item) }],
      };
    default:
      throw wrong('request.notOneOf', item.at('role'), { allowed: roles.join(', ') });
  }
}

function* readAssistant(item: BodyReader, index: number, functionCalls: FunctionCalls): Steps<Part[]> {
  const refusal = item.text('refusal');
  const calls = yield* item.mapRecords('tool_calls', (call, position) => readCall(call, `call_${index}_${position}`));
  const old = item.record('function_call');
  const audio = item.raw('audio');
  return [
    ...readReasoning(item),
    ...(yield* readContent(item)),
    ...(refusal ? [{ kind: 'refusal', text: refusal } as const] : []),
    // Sound the upstream keeps for the conversation.
    ...(isJsonObject(audio) ? [{ kind: 'native', origin: 'openai-chat', raw: { type: 'audio', audio } } as const] : []),
    ...calls,
    ...(old ? [functionCalls.add(old, index)] : []),
  ];
}

/** What other gateways and vendors add to an assistant message. */
function readReasoning(item: BodyReader): Part[] {
  const details = readReasoningDetails(item.raw('reasoning_details'));
  if (details.length > 0) return details;
  const text = contentText(item.raw('reasoning_content') ?? item.raw('reasoning'));
  return text === '' ? [] : [{ kind: 'reasoning', text, form: 'full' }];
}

function readCall(call: BodyReader, fallbackId: string): ToolCallPart {
  const id = call.text('id') || fallbackId;
  const custom = call.record('custom');
  if (custom) {
    const input = custom.text('input') ?? '';
    return { kind: 'toolCall', id, name: custom.requireText('name'), arguments: input, custom: true };
  }
  const called = call.record('function');
  if (!called) throw wrong('request.fieldMissing', call.at('function'));
  const opaque = readSignature(call.whole());
  return {
    kind: 'toolCall',
    id,
    name: called.requireText('name'),
    arguments: argumentText(called.raw('arguments')),
    ...(opaque && { opaque }),
  };
}

/** Some clients send the object itself. */
function argumentText(value: unknown): string {
  return isJsonObject(value) ? writeJson(value) : textOf(value);
}

/** The calls of the time before tools, which had names and no ids. */
class FunctionCalls {
  readonly #ids = new Map<string, string>();

  add(call: BodyReader, index: number): ToolCallPart {
    const name = call.requireText('name');
    const id = `call_${index}_function`;
    this.#ids.set(name, id);
    return { kind: 'toolCall', id, name, arguments: argumentText(call.raw('arguments')) };
  }

  latest(name: string): string {
    return this.#ids.get(name) ?? `call_${name}`;
  }
}
