import type { Message, Part, ToolCallPart, ToolResultPart } from './chat-request.ts';

/**
 * Results of tool calls directly behind the message that made the calls, in the order of the calls: every upstream insists on it,
 * and clients put other messages between. Results nobody asked for stay where they are.
 */
export function orderToolResults(messages: readonly Message[]): Message[] {
  const results = pairResults(messages);
  const paired = new Set([...results.values()].flatMap(({ seen }) => seen));
  const ordered: Message[] = [];
  messages.forEach((message) => {
    const parts = message.parts.filter((part) => part.kind !== 'toolResult' || !paired.has(part));
    if (parts.length > 0 || message.parts.length === 0) ordered.push({ ...message, parts });
    const answers = message.parts
      .filter(isCall)
      .map((call) => results.get(call)?.last)
      .filter((part) => part !== undefined);
    if (answers.length > 0) ordered.push({ role: 'tool', parts: answers });
  });
  return ordered;
}

export interface SettledMessages {
  messages: Message[];
  /** A call had no result, and got one that says so. */
  hasAdded: boolean;
  /** A result belonged to no call, and became text of the user. */
  hasOrphan: boolean;
}

/** As `orderToolResults`, with exactly one result for every call and none without: anything else is refused by most upstreams. */
export function settleToolResults(messages: readonly Message[]): SettledMessages {
  const settled: SettledMessages = { messages: [], hasAdded: false, hasOrphan: false };
  const ordered = orderToolResults(messages);
  ordered.forEach((message, index) => {
    const asked = new Set(ordered[index - 1]?.parts.filter(isCall).map(({ id }) => id));
    const isAnswer = message.role === 'tool' && asked.size > 0;
    const parts = message.parts.map((part) => {
      if (part.kind !== 'toolResult' || (isAnswer && asked.has(part.callId))) return part;
      settled.hasOrphan = true;
      return orphanText(part);
    });
    const hasResult = parts.some(({ kind }) => kind === 'toolResult');
    settled.messages.push({ ...message, role: message.role === 'tool' && !hasResult ? 'user' : message.role, parts });
    const missing = missingResults(message, ordered[index + 1]);
    if (missing.length === 0) return;
    settled.hasAdded = true;
    const next = ordered[index + 1];
    // The next turn of this walk is the message with the results there are.
    if (next?.role === 'tool') next.parts = inCallOrder(message, [...next.parts, ...missing]);
    else settled.messages.push({ role: 'tool', parts: missing });
  });
  return settled;
}

/** The result of each call: the last one that came before another call took the same id. */
function pairResults(
  messages: readonly Message[],
): Map<ToolCallPart, { last: ToolResultPart; seen: ToolResultPart[] }> {
  const open = new Map<string, ToolCallPart>();
  const results = new Map<ToolCallPart, { last: ToolResultPart; seen: ToolResultPart[] }>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'toolCall') open.set(part.id, part);
    if (part.kind !== 'toolResult') continue;
    const call = open.get(part.callId);
    if (!call) continue;
    const result = results.get(call) ?? { last: part, seen: [] };
    result.last = part;
    result.seen.push(part);
    results.set(call, result);
  }
  return results;
}

function missingResults(message: Message, next: Message | undefined): ToolResultPart[] {
  const given = new Set(
    next?.role === 'tool' ? next.parts.map((part) => (part.kind === 'toolResult' ? part.callId : undefined)) : [],
  );
  return message.parts
    .filter(isCall)
    .filter(({ id }) => !given.has(id))
    .map(({ id, name }) => ({
      kind: 'toolResult',
      callId: id,
      name,
      parts: [{ kind: 'text', text: 'There is no result: the call was interrupted.' }],
      isError: true,
    }));
}

function inCallOrder(message: Message, parts: Part[]): Part[] {
  const order = new Map<string, number>();
  for (const { id } of message.parts.filter(isCall)) if (!order.has(id)) order.set(id, order.size);
  // A result of no call has come first.
  const place = (part: Part) => (part.kind === 'toolResult' ? (order.get(part.callId) ?? -1) : order.size);
  return [...parts].sort((left, right) => place(left) - place(right));
}

function orphanText({ callId, parts }: ToolResultPart): Part {
  const text = parts.map((part) => (part.kind === 'text' ? part.text : `[${part.kind}]`)).join('\n');
  return { kind: 'text', text: `Result of the tool call ${callId}:\n${text}` };
}

function isCall(part: Part): part is ToolCallPart {
  return part.kind === 'toolCall';
}
