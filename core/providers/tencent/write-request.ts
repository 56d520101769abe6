import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import { type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import type { Steps } from '../../lib/steps.ts';
import { type NearOpenAi, writeNearOpenAi } from '../near-openai.ts';
import { typeFacts } from '../type-fact.ts';

export const { label } = typeFacts(23);

const vendor: NearOpenAi = {
  label,
  hasVision: true,
  hasTools: true,
  unsaid: ['maxOutput', 'topK', 'frequencyPenalty', 'presencePenalty', 'userId', 'reasoning', 'parallelTools'],
};

/** A neutral call in the vendor's capital letters. */
export function* writeHunyuanRequest(request: ChatRequest, context: WriteContext): Steps<WrittenRequest> {
  const { messages, tools, toolChoice, losses, changes } = yield* writeNearOpenAi(request, context, vendor);
  const { origin, stream, sampling, stop } = request;
  const { temperature, topP, seed } = sampling;
  // The vendor stops behind the words, not before them.
  if (stop.length > 0) losses.emulate(clientField(origin, 'stop'));
  if (tools.length > 0 && toolChoice === 'required') losses.drop(clientField(origin, 'toolChoice'));
  return {
    losses: losses.list,
    ...changes,
    body: {
      Model: context.model,
      Messages: messages.map(writeMessage),
      Stream: stream,
      ...(temperature !== undefined && { Temperature: Math.min(2, Math.max(0, temperature)) }),
      ...(topP ? { TopP: Math.min(1, topP) } : {}),
      ...(seed !== undefined && { Seed: (Math.abs(seed) % 10_000) + 1 }),
      ...(stop.length > 0 && { Stop: stop }),
      ...(tools.length > 0 && { Tools: tools.map(writeTool), ...writeChoice(toolChoice, tools) }),
    },
  };
}

function writeMessage(message: JsonObject): JsonObject {
  const { role, content, tool_calls: calls, tool_call_id: callId } = message;
  const list = recordsOf(calls);
  return {
    Role: role,
    ...(Array.isArray(content) ? { Contents: recordsOf(content).map(writePart) } : { Content: textOf(content) }),
    ...(list.length > 0 && { ToolCalls: list.map(writeCall) }),
    ...(callId !== undefined && { ToolCallId: callId }),
  };
}

function writePart({ type, text, image_url: image }: JsonObject): JsonObject {
  if (type === 'text') return { Type: 'text', Text: text };
  return { Type: 'image_url', ImageUrl: { Url: recordOf(image).url } };
}

function writeCall({ id, function: called }: JsonObject, index: number): JsonObject {
  const { name, arguments: text } = recordOf(called);
  return { Id: id, Type: 'function', Function: { Name: name, Arguments: text }, Index: index };
}

/** Schemas go as text. */
function writeTool({ function: written }: JsonObject): JsonObject {
  const { name, description, parameters } = recordOf(written);
  const schema = JSON.stringify(parameters ?? { type: 'object', properties: {} });
  return {
    Type: 'function',
    Function: { Name: name, Parameters: schema, ...(description !== undefined && { Description: description }) },
  };
}

function writeChoice(choice: unknown, tools: JsonObject[]): JsonObject {
  if (choice === 'none' || choice === 'auto') return { ToolChoice: choice };
  const name = recordOf(recordOf(choice).function).name;
  const named = tools.find((tool) => recordOf(tool.function).name === name);
  return named ? { ToolChoice: 'custom', CustomTool: writeTool(named) } : {};
}
