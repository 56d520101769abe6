import { flatMapInSteps, isStep, type Steps } from '../lib/steps.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from './chat-request.ts';

/**
 * Results of tool calls directly behind the message that made the calls, in the order of the calls: every upstream insists on it,
 * and clients put other messages between. Results without a call stay where they are.
 */
export function* orderToolResults(messages: readonly Message[]): Steps<Message[]> {
  const { results, paired } = yield* pairResults(messages);
  return yield* flatMapInSteps(messages, (message): Message[] => {
    const parts = message.parts.filter((part) => part.kind !== 'toolResult' || !paired.has(part));
    const responses = message.parts
      .filter(isCall)
      .map((call) => results.get(call))
      .filter((part) => part !== undefined);
    return [
      ...(parts.length > 0 || message.parts.length === 0 ? [{ ...message, parts }] : []),
      ...(responses.length > 0 ? [{ role: 'tool' as const, parts: responses }] : []),
    ];
  });
}

export interface SettledMessages {
  messages: Message[];
  /** A call had no result, and got one that says so. */
  hasAdded: boolean;
  /** A result belonged to no call, and became text of the user. */
  hasOrphan: boolean;
}

/** As `orderToolResults`, with exactly one result for every call and none without: anything else is refused by most upstreams. */
export function* settleToolResults(messages: readonly Message[]): Steps<SettledMessages> {
  const settled: SettledMessages = { messages: [], hasAdded: false, hasOrphan: false };
  const ordered = yield* orderToolResults(messages);
  for (const [index, message] of ordered.entries()) {
    if (isStep(index)) yield;
    settleMessage(message, ordered[index - 1], ordered[index + 1], settled);
  }
  return settled;
}

function settleMessage(
  message: Message,
  before: Message | undefined,
  next: Message | undefined,
  settled: SettledMessages,
): void {
  const asked = new Set(before?.parts.filter(isCall).map(({ id }) => id));
  const isResponse = message.role === 'tool' && asked.size > 0;
  const parts = message.parts.map((part) => {
    if (part.kind !== 'toolResult' || (isResponse && asked.has(part.callId))) return part;
    settled.hasOrphan = true;
    return orphanText(part);
  });
  const hasResult = parts.some(({ kind }) => kind === 'toolResult');
  settled.messages.push({ ...message, role: message.role === 'tool' && !hasResult ? 'user' : message.role, parts });
  const missing = missingResults(message, next);
  if (missing.length === 0) return;
  settled.hasAdded = true;
  // The next message to be settled is the one with the results there are.
  if (next?.role === 'tool') next.parts = inCallOrder(message, [...next.parts, ...missing]);
  else settled.messages.push({ role: 'tool', parts: missing });
}

interface PairedResults {
  /** The result of each call: the last one that came before another call took the same id. */
  results: Map<ToolCallPart, ToolResultPart>;
  /** Every result that belongs to a call. */
  paired: Set<Part>;
}

function* pairResults(messages: readonly Message[]): Steps<PairedResults> {
  const open = new Map<string, ToolCallPart>();
  const found: PairedResults = { results: new Map(), paired: new Set() };
  for (const [index, { parts }] of messages.entries()) {
    if (isStep(index)) yield;
    for (const part of parts) {
      if (part.kind === 'toolCall') open.set(part.id, part);
      if (part.kind !== 'toolResult') continue;
      const call = open.get(part.callId);
      if (!call) continue;
      found.results.set(call, part);
      found.paired.add(part);
    }
  }
  return found;
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
