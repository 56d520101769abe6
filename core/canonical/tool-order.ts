import type { Message, Part, ToolResultPart } from './chat-request.ts';

/**
 * Results of tool calls directly behind the message that made the calls, in the order of the calls: every upstream insists on it,
 * and clients put other messages between. Results nobody asked for stay where they are.
 */
export function orderToolResults(messages: readonly Message[]): Message[] {
  const results = new Map<string, ToolResultPart>();
  const asked = new Set(messages.flatMap(({ parts }) => parts.filter(isCall).map(({ id }) => id)));
  const rest: Message[] = [];
  for (const message of messages) {
    const moved = message.parts.filter((part) => part.kind === 'toolResult' && asked.has(part.callId));
    // Of two results for one call the later one is the client's last word.
    for (const part of moved) if (part.kind === 'toolResult') results.set(part.callId, part);
    const parts = message.parts.filter((part) => !moved.includes(part));
    if (parts.length > 0 || message.parts.length === 0) rest.push({ ...message, parts });
  }
  return rest.flatMap((message) => {
    const answers: Part[] = message.parts
      .filter(isCall)
      .map(({ id }) => results.get(id))
      .filter((part) => part !== undefined);
    return answers.length > 0 ? [message, { role: 'tool', parts: answers }] : [message];
  });
}

function isCall(part: Part): part is Extract<Part, { kind: 'toolCall' }> {
  return part.kind === 'toolCall';
}
