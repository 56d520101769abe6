import { madeCallId } from '../../canonical/call-id.ts';
import { countOf, isJsonObject, type JsonObject, textOf } from '../../lib/json-value.ts';
import { isFinishReason, ownFinishReason } from './finish-reason.ts';
import { contentText, reasoningText } from './members.ts';
import { ToolCallSlots } from './tool-call-slots.ts';
import { readResponseUsage, writeUsage } from './usage.ts';
import type { StreamIdentity } from './usage-chunk.ts';

/**
 * Puts what OpenAI's SDKs would misread into OpenAI's words, and leaves what a vendor adds: text and thinking in lists, arguments
 * that are objects, words for the end of a response, and usage in another place or spelling. `identity` names a response that names
 * nothing itself. Whole responses and events alike; one for each response.
 */
export function createResponseMender(identity: StreamIdentity): (response: unknown) => unknown {
  const slots = new Map<number, ToolCallSlots>();
  const named = new Set<number>();
  let known = identity;

  /** What the response calls itself; what it leaves out or empty is as before. */
  function nameOf({ id, model, created }: JsonObject): StreamIdentity {
    known = {
      id: textOf(id) || known.id,
      model: textOf(model) || known.model,
      created: countOf(created) || known.created,
    };
    return known;
  }

  function slotsOf(index: number): ToolCallSlots {
    const own = slots.get(index) ?? new ToolCallSlots(madeCallId(identity.id, index));
    slots.set(index, own);
    return own;
  }

  /** The SDKs want it once, and some read no other word for it. */
  function withRole({ role, ...delta }: JsonObject, index: number): JsonObject {
    const own = textOf(role) || (named.has(index) ? '' : 'assistant');
    named.add(index);
    return own === '' ? delta : { role: own, ...delta };
  }

  function mendChoice(choice: unknown, position: number): unknown {
    if (!isJsonObject(choice)) return choice;
    const { usage: _usage, ...rest } = choice;
    const index = countOf(choice.index) ?? position;
    const own = slotsOf(index);
    return {
      ...rest,
      index,
      ...(isJsonObject(choice.message) && {
        message: {
          ...withoutIndexes(mendMembers(choice.message, own)),
          role: textOf(choice.message.role) || 'assistant',
        },
      }),
      ...(isJsonObject(choice.delta) && { delta: withRole(mendMembers(choice.delta, own), index) }),
      ...(('finish_reason' in choice || isWhole(choice)) && { finish_reason: reasonOf(choice, own) }),
    };
  }

  return (response) => {
    if (!isJsonObject(response) || !Array.isArray(response.choices)) return response;
    const usage = readResponseUsage(response);
    return {
      ...response,
      ...nameOf(response),
      object: textOf(response.object) || (response.choices.some(isWhole) ? 'chat.completion' : 'chat.completion.chunk'),
      choices: response.choices.map(mendChoice),
      ...(usage && { usage: { ...(isJsonObject(response.usage) && response.usage), ...writeUsage(usage) } }),
    };
  };
}

/** Whether OpenAI's SDKs would throw on a whole response, or lose something of it. */
export function isStrayResponse(response: unknown): boolean {
  if (!isJsonObject(response) || !Array.isArray(response.choices)) return false;
  return response.choices.some((choice: unknown) => {
    if (!isJsonObject(choice) || !isJsonObject(choice.message) || !isFinishReason(choice.finish_reason)) return true;
    const { role, content, tool_calls: calls } = choice.message;
    return !role || Array.isArray(content) || (Array.isArray(calls) && calls.some(isStrayCall));
  });
}

function isStrayCall(call: unknown): boolean {
  if (!isJsonObject(call) || isJsonObject(call.custom)) return false;
  return call.type !== 'function' || !isJsonObject(call.function) || typeof call.function.arguments !== 'string';
}

/** A whole response has come to its end, whether it says so or not. */
function reasonOf(choice: JsonObject, calls: ToolCallSlots): string | null {
  const reason = ownFinishReason(choice.finish_reason, !calls.isEmpty);
  return reason ?? (isWhole(choice) ? ownFinishReason('stop', !calls.isEmpty) : null);
}

function isWhole(choice: unknown): boolean {
  return isJsonObject(choice) && isJsonObject(choice.message);
}

function mendMembers(members: JsonObject, slots: ToolCallSlots): JsonObject {
  const { content, tool_calls: calls } = members;
  const thought = reasoningText(content);
  return {
    ...members,
    ...(Array.isArray(content) && { content: contentText(content) }),
    ...(thought !== '' && { reasoning_content: thought }),
    ...(Array.isArray(calls) && { tool_calls: slots.normalize(calls) }),
  };
}

/** Only the calls of a stream are numbered. */
function withoutIndexes(message: JsonObject): JsonObject {
  if (!Array.isArray(message.tool_calls)) return message;
  return { ...message, tool_calls: message.tool_calls.map(({ index: _index, ...call }: JsonObject) => call) };
}
