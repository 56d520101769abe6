import type { ChatRequest, Message } from '../../canonical/chat-request.ts';
import type { Delivered, DeliveredPart } from './delivered.ts';

/**
 * Another upstream is shown what the client has of a response, and says the rest alone: by its vendor's contract (`prefill`), or because
 * it was asked to (`instructed`).
 */
export interface Continuation {
  kind: 'prefill' | 'instructed';
  /** The member that tells the vendor to go on with the last message. */
  mark?: string | undefined;
  /** What the client has. */
  delivered: Delivered;
}

/** About as many as a token has. */
const bytesPerToken = 4;
/** With less room than this the rest would be cut off at once. */
const minOutput = 16;
const instruction =
  'Your reply above was cut off by a technical fault. Go on from exactly where it ends: do not repeat any of it, do not begin again, and ' +
  'do not mention the interruption.';

/** The text that is being written, where the rest of the response can be asked for alone: one open text, nothing whole behind it. */
export function openText(delivered: Delivered): [number, DeliveredPart] | undefined {
  const parts = [...delivered.parts];
  const last = parts.at(-1);
  if (!last || delivered.isEnding || delivered.finished.size > 0 || delivered.hasNative) return undefined;
  const [, { kind, isClosed, text, citations, logprobs }] = last;
  const isOpen = kind === 'text' && !isClosed && citations === 0 && logprobs === 0 && text.trim() !== '';
  const isAlone = parts.slice(0, -1).every(([, part]) => part.kind === 'reasoning' && part.isClosed);
  return isOpen && isAlone && parts.every(([, { choice }]) => choice === 0) ? last : undefined;
}

/** Whether this call can be put so that only the rest of its response comes. */
export function mayContinue(request: ChatRequest, delivered: Delivered, kind: Continuation['kind']): boolean {
  const text = openText(delivered)?.[1].text;
  if (text === undefined || (request.sampling.choices ?? 1) > 1 || request.logprobs) return false;
  if (request.messages.at(-1)?.role === 'assistant' || outputLeft(request, text) < minOutput) return false;
  // JSON may have been asked for as the arguments of a tool, which would begin again.
  if (request.output.kind !== 'text' || forcesTool(request)) return false;
  // Vendors refuse a begun turn of a model that has to think first.
  return kind === 'instructed' || (request.reasoning?.mode ?? 'off') === 'off';
}

function forcesTool({ toolChoice }: ChatRequest): boolean {
  return toolChoice !== undefined && toolChoice.mode !== 'auto' && toolChoice.mode !== 'none';
}

/** The call that asks for the rest. */
export function continued(request: ChatRequest, { kind, delivered }: Continuation): ChatRequest {
  const text = openText(delivered)?.[1].text ?? '';
  // Anthropic refuses a turn that ends with blanks; the seam takes them out of what comes.
  const begun: Message = { role: 'assistant', parts: [{ kind: 'text', text: text.trimEnd() }] };
  const wish: Message = { role: 'user', parts: [{ kind: 'text', text: instruction }] };
  const messages = [...request.messages, begun, ...(kind === 'instructed' ? [wish] : [])];
  const left = outputLeft(request, text);
  return { ...request, messages, maxOutput: Number.isFinite(left) ? left : undefined };
}

/** Of the bound that the client set. */
function outputLeft({ maxOutput = Number.POSITIVE_INFINITY }: ChatRequest, text: string): number {
  return maxOutput - Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
