import type { ChatRequest, Message, Part, ToolResultPart } from '../../canonical/chat-request.ts';
import { type ClientField, clientField } from '../../canonical/client-field.ts';
import { settleToolResults } from '../../canonical/tool-order.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { flatMapInSteps, isStep, type Steps } from '../../lib/steps.ts';
import { markOf } from './cache-mark.ts';
import { ToolIds } from './tool-id.ts';
import { writeAssistantBlock, writeUserBlock } from './write-block.ts';
import type { BlockWriting, TurnWriting } from './write-context.ts';

interface Turn {
  role: 'user' | 'assistant' | 'system';
  content: JsonObject[];
}

/** What stands where Anthropic wants a turn of the user and the client has none. */
const opening = '.';
const goOn = 'Continue.';

/** The conversation as turns that alternate, every tool call directly followed by its result: each rule that is broken here is a refusal. */
export function* writeTurns(
  request: ChatRequest,
  writing: TurnWriting,
): Steps<{ messages: Turn[]; system: JsonObject[] }> {
  const { origin } = request;
  const emulate = () => writing.losses.emulate(clientField(origin, 'messages'));
  const settled = yield* settleToolResults(request.messages);
  if (settled.hasAdded || settled.hasOrphan) emulate();
  const blocks: BlockWriting = { ...writing, origin, ids: new ToolIds() };
  const turns: Turn[] = [];
  for (const [index, message] of settled.messages.entries()) {
    if (isStep(index)) yield;
    const turn = yield* writeTurn(message, blocks);
    const last = turns.at(-1);
    if (turn.content.length === 0) continue;
    if (last?.role === turn.role) for (const block of turn.content) last.content.push(block);
    else turns.push(turn);
  }
  if (turns[0]?.role !== 'user') {
    turns.unshift({ role: 'user', content: [{ type: 'text', text: opening }] });
    emulate();
  }
  if (endTurns(turns, writing)) emulate();
  const system = yield* flatMapInSteps(request.instructions, (part) => writeUserBlock(part, blocks));
  return { messages: turns, system };
}

/** The last turn is the user's where the model does not go on with its own; true when one was added. */
function endTurns(turns: Turn[], { rule, isThinking }: TurnWriting): boolean {
  const last = turns.at(-1);
  if (last?.role !== 'assistant') return false;
  if (!rule.prefill || isThinking) {
    turns.push({ role: 'user', content: [{ type: 'text', text: goOn }] });
    return true;
  }
  const block = last.content.at(-1);
  // Whitespace at the end of what the model is to go on with is refused.
  if (block?.type === 'text' && typeof block.text === 'string') block.text = block.text.trimEnd();
  return false;
}

function* writeTurn(message: Message, writing: BlockWriting): Steps<Turn> {
  const { role, parts, name, phase } = message;
  const drop = (field: ClientField) => writing.losses.drop(clientField(writing.origin, field));
  if (name !== undefined) drop('speaker');
  if (phase) drop('phase');
  switch (role) {
    case 'assistant':
      return { role, content: yield* flatMapInSteps(parts, (part) => writeAssistantBlock(part, writing)) };
    case 'system': {
      const content = yield* flatMapInSteps(parts, (part) => writeUserBlock(part, writing));
      if (!writing.rule.systemTurns) writing.losses.emulate(clientField(writing.origin, 'messages'));
      return { role: writing.rule.systemTurns ? 'system' : 'user', content };
    }
    default:
      return { role: 'user', content: yield* flatMapInSteps(parts, (part) => writeUserPart(part, writing)) };
  }
}

function writeUserPart(part: Part, writing: BlockWriting): JsonObject[] {
  return part.kind === 'toolResult' ? [writeResult(part, writing)] : writeUserBlock(part, writing);
}

function writeResult(result: ToolResultPart, writing: BlockWriting): JsonObject {
  const blocks = result.parts.flatMap((part) => writeUserBlock(part, writing));
  if (blocks.some(({ cache_control: mark }) => mark)) writing.losses.drop(clientField(writing.origin, 'cacheMark'));
  const content = blocks.map(withoutMark);
  return {
    type: 'tool_result',
    tool_use_id: writing.ids.latest(result.callId),
    ...(content.length > 0 && { content }),
    ...(result.isError && { is_error: true }),
    ...markOf(result),
  };
}

/** A mark inside of a result is refused; the result itself may have one. */
function withoutMark({ cache_control: _mark, ...block }: JsonObject): JsonObject {
  return block;
}
