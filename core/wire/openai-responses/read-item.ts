import type { Message, Opaque, Part, ToolCallPart } from '../../canonical/chat-request.ts';
import { unwrapOpaque } from '../../canonical/opaque-text.ts';
import { orderToolResults } from '../../canonical/tool-order.ts';
import { isStep, type Steps } from '../../lib/steps.ts';
import type { BodyReader } from '../body-reader.ts';
import { attachSignatures } from '../call-signature.ts';
import { wrong } from '../request-field.ts';
import { readContent } from './read-content.ts';
import { flatName } from './read-tool.ts';

/** The conversation that a list of items tells; leading system and developer messages are instructions. */
export function* readItems(items: Iterable<BodyReader>): Steps<{ instructions: Part[]; messages: Message[] }> {
  const messages: Message[] = [];
  let read = 0;
  for (const item of items) {
    if (isStep(read++)) yield;
    const message = yield* readItem(item);
    const last = messages.at(-1);
    // An assistant's turn is spread over many items: reasoning, text, calls.
    const joins = last && last.role === message.role && message.role !== 'user' && message.role !== 'system';
    if (joins) for (const part of message.parts) last.parts.push(part);
    else messages.push(message);
    if (joins && message.phase) last.phase = message.phase;
  }
  for (const [index, message] of messages.entries()) {
    if (isStep(index)) yield;
    if (message.role === 'assistant') message.parts = yield* attachSignatures(message.parts);
  }
  const first = messages.findIndex(({ role }) => role !== 'system');
  const leading = messages.splice(0, first < 0 ? messages.length : first);
  return { instructions: leading.flatMap(({ parts }) => parts), messages: yield* orderToolResults(messages) };
}

function* readItem(item: BodyReader): Steps<Message> {
  const type = item.text('type') ?? 'message';
  switch (type) {
    case 'message':
      return yield* readMessage(item);
    case 'function_call':
    case 'custom_tool_call':
      return { role: 'assistant', parts: [readCall(item, type === 'custom_tool_call')] };
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', parts: [yield* readOutput(item)] };
    case 'reasoning':
      return { role: 'assistant', parts: [yield* readReasoning(item)] };
    default:
      return { role: 'assistant', parts: [{ kind: 'native', origin: 'openai-responses', raw: item.whole() }] };
  }
}

const roles = { user: 'user', assistant: 'assistant', system: 'system', developer: 'system' } as const;

function* readMessage(item: BodyReader): Steps<Message> {
  const named = item.requireText('role');
  if (!Object.hasOwn(roles, named))
    throw wrong('request.notOneOf', item.at('role'), { allowed: Object.keys(roles).join(', ') });
  const phase = item.text('phase');
  return {
    role: roles[named as keyof typeof roles],
    parts: yield* readContent(item, 'content'),
    ...((phase === 'commentary' || phase === 'final_answer') && { phase }),
  };
}

function readCall(item: BodyReader, custom: boolean): ToolCallPart {
  return {
    kind: 'toolCall',
    id: item.requireText('call_id'),
    name: flatName(item.requireText('name'), item.text('namespace')),
    arguments: item.text(custom ? 'input' : 'arguments') ?? '',
    ...(custom && { custom }),
  };
}

function* readOutput(item: BodyReader): Steps<Part> {
  const isFailed = item.text('status') === 'incomplete';
  return {
    kind: 'toolResult',
    callId: item.requireText('call_id'),
    parts: yield* readContent(item, 'output'),
    ...(isFailed && { isError: true }),
  };
}

function* readReasoning(item: BodyReader): Steps<Part> {
  const full = yield* item.mapRecords('content', (part) => part.text('text') ?? '');
  const summary = yield* item.mapRecords('summary', (part) => part.text('text') ?? '');
  const opaque = readEncrypted(item);
  return {
    kind: 'reasoning',
    text: (full.length > 0 ? full : summary).join('\n\n'),
    form: full.length > 0 ? 'full' : 'summary',
    ...(opaque && { opaque }),
  };
}

function readEncrypted(item: BodyReader): Opaque | undefined {
  const content = item.text('encrypted_content');
  if (!content) return undefined;
  const id = item.text('id');
  const opaque = unwrapOpaque(content, 'openai-responses', 'encrypted');
  return opaque && id && opaque.origin === 'openai-responses' ? { ...opaque, id } : opaque;
}
