import { madeCallId } from '../../canonical/call-id.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { ownFinishReason } from './finish-reason.ts';
import { readMembers } from './members.ts';
import { ToolCallSlots } from './tool-call-slots.ts';
import { readResponseUsage, writeUsage } from './usage.ts';
import type { StreamIdentity } from './usage-chunk.ts';

/** The strict OpenAI shape of a whole response: vendor members gone, missing ones filled in. */
export function formatResponse(response: unknown, identity: StreamIdentity): JsonObject {
  const given = isJsonObject(response) ? response : {};
  const choices = Array.isArray(given.choices) ? given.choices.filter(isJsonObject) : [];
  const usage = readResponseUsage(given);
  return {
    id: textOr(given.id, identity.id),
    object: 'chat.completion',
    created: positiveOr(given.created, identity.created),
    model: textOr(given.model, identity.model),
    choices: choices.map((choice, position) => formatChoice(choice, position, identity.id)),
    ...(usage && { usage: writeUsage(usage) }),
    ...(typeof given.system_fingerprint === 'string' && { system_fingerprint: given.system_fingerprint }),
    ...(typeof given.service_tier === 'string' && { service_tier: given.service_tier }),
  };
}

function formatChoice(choice: JsonObject, position: number, id: string): JsonObject {
  const slots = new ToolCallSlots(madeCallId(id, position));
  const message = [choice.message, choice.delta].find(isJsonObject) ?? {};
  const { tool_calls: calls, ...members } = formatMembers(message, slots);
  const toolCalls = Array.isArray(calls) ? calls.map(withoutIndex) : [];
  return {
    index: numberOr(choice.index, position),
    message: {
      role: 'assistant',
      content: null,
      ...members,
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    },
    logprobs: choice.logprobs ?? null,
    finish_reason: ownFinishReason(choice.finish_reason, !slots.isEmpty) ?? (slots.isEmpty ? 'stop' : 'tool_calls'),
  };
}

export interface ChunkFormatter {
  /** The event as a strict chunk, undefined when nothing of it is left for a client. */
  event(event: unknown): JsonObject | undefined;
}

interface ChoiceState {
  slots: ToolCallSlots;
  hasRole: boolean;
  hasText: boolean;
  isFinished: boolean;
}

/** More choices than may be asked for. */
const maxChoices = 128;

/**
 * The strict OpenAI shape of a stream, event by event: one id, model and time throughout, choices always a list, delta always an
 * object, one finish per choice, usage at the end alone.
 */
export function createChunkFormatter(identity: StreamIdentity): ChunkFormatter {
  const states = new Map<number, ChoiceState>();
  let shared: StreamIdentity | undefined;

  /** The first chunk that goes out names the whole stream. */
  function identify(event: JsonObject): StreamIdentity {
    shared ??= {
      id: textOr(event.id, identity.id),
      model: textOr(event.model, identity.model),
      created: positiveOr(event.created, identity.created),
    };
    return shared;
  }

  function stateOf(index: number): ChoiceState {
    let state = states.get(index);
    if (!state) {
      const slots = new ToolCallSlots(madeCallId(identity.id, index));
      state = { slots, hasRole: false, hasText: false, isFinished: false };
      states.set(index, state);
    }
    return state;
  }

  function formatDelta(choice: JsonObject, position: number): JsonObject | undefined {
    const index = numberOr(choice.index, position);
    if (index >= maxChoices) return undefined;
    const state = stateOf(index);
    if (state.isFinished) return undefined;
    // A message in place of a delta repeats the whole text when deltas came before it.
    const repeats = !isJsonObject(choice.delta) && state.hasText;
    const source = [choice.delta, choice.message].find(isJsonObject);
    const delta = source && !repeats ? formatMembers(source, state.slots) : {};
    const reason = ownFinishReason(choice.finish_reason, !state.slots.isEmpty);
    if (Object.keys(delta).length > 0) state.hasText = true;
    if (!state.hasRole && source) delta.role = 'assistant';
    state.hasRole ||= source !== undefined;
    state.isFinished = reason !== null;
    if (Object.keys(delta).length === 0 && reason === null) return undefined;
    return { index, delta, logprobs: choice.logprobs ?? null, finish_reason: reason };
  }

  return {
    event(event) {
      if (!isJsonObject(event)) return undefined;
      const given = Array.isArray(event.choices) ? event.choices.filter(isJsonObject) : [];
      const choices = given.map(formatDelta).filter((choice) => choice !== undefined);
      const isLast = given.length === 0 || choices.some((choice) => choice.finish_reason !== null);
      const usage = isLast ? readResponseUsage(event) : undefined;
      if (choices.length === 0 && !usage) return undefined;
      return {
        ...identify(event),
        object: 'chat.completion.chunk',
        choices,
        ...(usage && { usage: writeUsage(usage) }),
      };
    },
  };
}

/** The members of a message or a delta that OpenAI has, and the reasoning fields of all others. */
function formatMembers(message: JsonObject, slots: ToolCallSlots): JsonObject {
  const { content, refusal, tool_calls, function_call, audio, annotations } = message;
  const members: JsonObject = {};
  const { reasoning, text } = readMembers(message);
  if (typeof content === 'string' || Array.isArray(content)) members.content = text;
  if (reasoning !== '') members.reasoning_content = reasoning;
  if (members.content === '' && reasoning !== '') delete members.content;
  if (typeof refusal === 'string' && refusal !== '') members.refusal = refusal;
  const calls = Array.isArray(tool_calls) ? slots.normalize(tool_calls) : [];
  if (calls.length > 0) members.tool_calls = calls;
  if (isJsonObject(function_call)) members.function_call = function_call;
  if (isJsonObject(audio)) members.audio = audio;
  if (Array.isArray(annotations)) members.annotations = annotations;
  return members;
}

function withoutIndex(call: unknown): unknown {
  if (!isJsonObject(call)) return call;
  const { index: _index, ...rest } = call;
  return rest;
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : fallback;
}

function positiveOr(value: unknown, fallback: number): number {
  return numberOr(value, 0) || fallback;
}
