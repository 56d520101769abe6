import { isJsonObject, type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';

/** A whole response, whose members are one level down. */
export function responseOf({ Response: response }: JsonObject): JsonObject {
  return chunkOf(recordOf(response));
}

/** One event of a stream; its usage grows from event to event. */
export function chunkOf(event: JsonObject): JsonObject {
  const { Id, Created, Usage } = event;
  return {
    id: Id,
    created: Created,
    choices: recordsOf(event.Choices).map(readChoice),
    ...(isJsonObject(Usage) && { usage: readUsage(Usage) }),
  };
}

function readChoice({ Index, Delta, Message, FinishReason }: JsonObject, place: number): JsonObject {
  return {
    index: Index ?? place,
    ...(isJsonObject(Delta) && { delta: readMembers(Delta) }),
    ...(isJsonObject(Message) && { message: readMembers(Message) }),
    finish_reason: FinishReason === '' ? null : FinishReason,
  };
}

function readMembers({ Content, ReasoningContent, ToolCalls }: JsonObject): JsonObject {
  const calls = recordsOf(ToolCalls).map(({ Id, Index, Function: called }, place) => {
    const { Name, Arguments } = recordOf(called);
    return { index: Index ?? place, id: Id, type: 'function', function: { name: Name, arguments: Arguments } };
  });
  return {
    content: Content,
    reasoning_content: ReasoningContent,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function readUsage({ PromptTokens, CompletionTokens, TotalTokens }: JsonObject): JsonObject {
  return { prompt_tokens: PromptTokens, completion_tokens: CompletionTokens, total_tokens: TotalTokens };
}
