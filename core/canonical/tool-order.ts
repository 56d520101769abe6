import { flatMapInSteps, isStep, type Steps } from '../lib/steps.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from './chat-request.ts';

/**
 * Results of tool calls directly behind the message that made the calls, in the order of the calls: every upstream insists on it,
 * and clients put other messages between. Results without a call stay where they are.
 */
export function* orderToolResults(messages: readonly Message[]): Steps<Message[]> {
  const { results, paired } = yield* pairResults(messages);
  return yield* flatMapInSteps(messages, (message): Message[] => {
    const ids = ownIds(message);
    const parts = message.parts
      .filter((part) => part.kind !== 'toolResult' || !paired.has(part))
      .map((part) => (isCall(part) && ids.has(part) ? { ...part, id: ids.get(part) ?? '' } : part));
    const responses = message.parts.filter(isCall).flatMap((call) => {
      const result = results.get(call);
      return result ? [{ ...result, callId: ids.get(call) ?? call.id }] : [];
    });
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

/** New ids for calls of one message that share one, as some upstreams make them: each result has to find its own call. */
function ownIds({ parts }: Message): Map<ToolCallPart, string> {
  const calls = parts.filter(isCall);
  const uses = new Map<string, number>();
  const taken = new Set(calls.map(({ id }) => id));
  const own = new Map<ToolCallPart, string>();
  for (const call of calls) {
    let use = (uses.get(call.id) ?? 0) + 1;
    while (use > 1 && taken.has(`${call.id}_${use}`)) use += 1;
    uses.set(call.id, use);
    if (use > 1) own.set(call, `${call.id}_${use}`);
  }
  return own;
}

interface PairedResults {
  /** The result of each call: the last one that came before another message took the same id. */
  results: Map<ToolCallPart, ToolResultPart>;
  /** Every result that belongs to a call. */
  paired: Set<Part>;
}

function* pairResults(messages: readonly Message[]): Steps<PairedResults> {
  const open = new Map<string, OpenCalls>();
  const found: PairedResults = { results: new Map(), paired: new Set() };
  for (const [index, { parts }] of messages.entries()) {
    if (isStep(index)) yield;
    const calls = parts.filter(isCall);
    for (const { id } of calls) open.set(id, { calls: [], settled: 0 });
    for (const call of calls) open.get(call.id)?.calls.push(call);
    for (const part of parts) if (part.kind === 'toolResult') pairResult(part, open.get(part.callId), found);
  }
  return found;
}

/** Calls of one message with one id. */
interface OpenCalls {
  calls: ToolCallPart[];
  settled: number;
}

/** In order, where several calls have one id; a further result takes the place of the last one. */
function pairResult(part: ToolResultPart, open: OpenCalls | undefined, { results, paired }: PairedResults): void {
  const call = open?.calls[Math.min(open.settled, open.calls.length - 1)];
  if (!open || !call) return;
  open.settled += 1;
  results.set(call, part);
  paired.add(part);
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
