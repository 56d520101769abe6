import { madeCallId } from '../../canonical/call-id.ts';
import { countOf, isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { bareText } from './choice-words.ts';
import { contentText, reasoningText } from './members.ts';
import { ToolCallSlots } from './tool-call-slots.ts';

/** More choices than may be asked for. */
const maxChoices = 128;

interface ChoiceState {
  calls: ToolCallSlots;
  hasRole: boolean;
  /** Something came that a message in place of a delta would repeat. */
  hasWords: boolean;
}

/** Events of a stream that is otherwise passed on as it is. In order: it remembers. */
export interface ChunkMender {
  /** Whether OpenAI's SDKs may throw on the event or lose something of it; called for each that is parsed. */
  isStray(event: unknown): boolean;
  /** Such an event as OpenAI writes it; undefined when it is so already. */
  mend(event: unknown): JsonObject | undefined;
}

/**
 * OpenAI's SDKs put tool calls together by number, want a role once in each choice, and read nothing that stands beside a delta:
 * a whole message, the text of the older completions, parts in a list.
 */
export function createChunkMender(id: string): ChunkMender {
  const states = new Map<number, ChoiceState>();

  function stateOf(index: number): ChoiceState {
    const known = states.get(index);
    if (known) return known;
    const state = { calls: new ToolCallSlots(madeCallId(id, index)), hasRole: false, hasWords: false };
    if (states.size < maxChoices) states.set(index, state);
    return state;
  }

  function isStrayChoice(choice: unknown): boolean {
    if (!isJsonObject(choice)) return false;
    const { index, delta } = choice;
    if (countOf(index) === undefined || !isJsonObject(delta)) return true;
    const { role, content, tool_calls: calls } = delta;
    const state = stateOf(index as number);
    if (role ? false : !state.hasRole || role === '') return true;
    if (Array.isArray(calls) || Array.isArray(content)) return true;
    state.hasRole = true;
    state.hasWords ||= hasWords(delta);
    return false;
  }

  function mendChoice(choice: unknown, position: number): unknown {
    if (!isJsonObject(choice)) return choice;
    const index = countOf(choice.index) ?? position;
    const state = stateOf(index);
    const { message, text: _text, ...rest } = choice;
    const repeated = isJsonObject(message) && state.hasWords;
    const given = isJsonObject(choice.delta) ? choice.delta : isJsonObject(message) ? message : bareText(choice);
    const delta = given && !(repeated && given === message) ? mendDelta(given, state) : {};
    const isKept = delta === choice.delta && index === choice.index;
    if (isKept) return choice;
    return { ...(isJsonObject(choice.delta) || repeated ? choice : rest), index, delta };
  }

  return {
    isStray: (event) =>
      isJsonObject(event) &&
      (Array.isArray(event.choices) ? event.choices.map(isStrayChoice).includes(true) : isChunk(event)),
    mend(event) {
      if (!isJsonObject(event)) return undefined;
      if (!Array.isArray(event.choices)) return { ...event, choices: [] };
      const { choices } = event;
      const mended = choices.map(mendChoice);
      return mended.every((choice, position) => choice === choices[position])
        ? undefined
        : { ...event, choices: mended };
    },
  };
}

/** Whether an event without choices is one of the response, and not of a kind that we do not know. */
function isChunk({ id, object, usage }: JsonObject): boolean {
  return typeof id === 'string' || object === 'chat.completion.chunk' || isJsonObject(usage);
}

/** The same object when nothing of it had to change. */
function mendDelta(delta: JsonObject, state: ChoiceState): JsonObject {
  const { role, content, tool_calls: calls } = delta;
  const changes: JsonObject = {};
  if (!role && !state.hasRole) changes.role = 'assistant';
  if (Array.isArray(content)) {
    const thought = reasoningText(content);
    changes.content = contentText(content);
    if (thought !== '') changes.reasoning_content = thought;
  }
  if (Array.isArray(calls)) {
    const placed = state.calls.place(calls);
    if (!placed.every(isAsWritten)) changes.tool_calls = placed.map(({ written }) => written);
  }
  const isEmptyRole = role === '' && state.hasRole;
  state.hasRole = true;
  state.hasWords ||= hasWords(delta);
  if (isEmptyRole) {
    const { role: _role, ...rest } = delta;
    return { ...rest, ...changes };
  }
  return Object.keys(changes).length === 0 ? delta : { ...delta, ...changes };
}

function isAsWritten({ call, written }: { call: JsonObject; written: JsonObject }): boolean {
  const { function: called } = call;
  const isUnwritten = isJsonObject(called) && (isJsonObject(called.arguments) || Array.isArray(called.arguments));
  // Some vendors repeat the members of a call empty, which the SDKs refuse.
  if (call.type === '') return false;
  const opens = written.id !== undefined && (call.id !== written.id || call.type !== written.type);
  return call.index === written.index && !isUnwritten && !opens;
}

function hasWords({ role: _role, ...members }: JsonObject): boolean {
  return Object.values(members).some(Boolean);
}
