import type { ChatEvent, Citation, FinishReason } from './chat-event.ts';
import type { ChatProtocol, Opaque } from './chat-request.ts';
import type { Usage } from './usage.ts';

/** A whole answer, put together from its events. */
export interface FoldedAnswer {
  id: string;
  model: string;
  created: number;
  /** By index; at least one. */
  choices: FoldedChoice[];
  usage: Usage | undefined;
  /** What the upstream failed with, when it did. */
  error: { status: number; body: unknown } | undefined;
}

export interface FoldedChoice {
  index: number;
  /** In order of appearance. */
  parts: AnswerPart[];
  finish: { reason: FinishReason; stopSequence?: string; detail?: string } | undefined;
}

export type AnswerPart =
  | { kind: 'text'; text: string; citations: Citation[]; logprobs: unknown[]; opaque?: Opaque }
  | { kind: 'refusal'; text: string; logprobs: unknown[] }
  | { kind: 'reasoning'; text: string; opaque?: Opaque }
  | { kind: 'toolCall'; id: string; name: string; arguments: string; custom?: boolean; opaque?: Opaque }
  | { kind: 'media'; mime: string; data: string; transcript?: string }
  | { kind: 'native'; origin: ChatProtocol; raw: unknown };

type OpenEvent = Extract<ChatEvent, { type: 'open' }>;

export function foldEvents(events: readonly ChatEvent[]): FoldedAnswer {
  const answer: FoldedAnswer = { id: '', model: '', created: 0, choices: [], usage: undefined, error: undefined };
  const parts = new Map<number, AnswerPart>();
  for (const event of events) foldEvent(event, answer, parts);
  if (answer.choices.length === 0) choiceOf(answer, 0);
  answer.choices.sort((left, right) => left.index - right.index);
  return answer;
}

function foldEvent(event: ChatEvent, answer: FoldedAnswer, parts: Map<number, AnswerPart>): void {
  switch (event.type) {
    case 'start':
      answer.id = event.id;
      answer.model = event.model;
      answer.created = event.created;
      break;
    case 'open': {
      const part = openPart(event);
      parts.set(event.part, part);
      choiceOf(answer, event.choice).parts.push(part);
      break;
    }
    case 'usage':
      answer.usage = event.usage;
      break;
    case 'finish': {
      const { type: _type, choice, ...finish } = event;
      choiceOf(answer, choice).finish ??= finish;
      break;
    }
    case 'error':
      answer.error ??= { status: event.status, body: event.body };
      break;
    case 'delta':
    case 'citation':
    case 'logprobs':
    case 'close': {
      const part = parts.get(event.part);
      if (part) extend(part, event);
      break;
    }
    default:
      break;
  }
}

function openPart(event: OpenEvent): AnswerPart {
  switch (event.kind) {
    case 'text':
      return { kind: 'text', text: '', citations: [], logprobs: [] };
    case 'refusal':
      return { kind: 'refusal', text: '', logprobs: [] };
    case 'reasoning':
      return { kind: 'reasoning', text: '' };
    case 'toolCall': {
      const { id, name, custom, opaque } = event;
      return { kind: 'toolCall', id, name, arguments: '', ...(custom && { custom }), ...(opaque && { opaque }) };
    }
    case 'media': {
      const { mime, data, transcript } = event;
      return { kind: 'media', mime, data, ...(transcript !== undefined && { transcript }) };
    }
    case 'native':
      return { kind: 'native', origin: event.origin, raw: event.raw };
  }
}

function extend(
  part: AnswerPart,
  event: Extract<ChatEvent, { type: 'delta' | 'citation' | 'logprobs' | 'close' }>,
): void {
  if (event.type === 'delta') {
    if (part.kind === 'toolCall') part.arguments += event.text;
    else if ('text' in part) part.text += event.text;
  } else if (event.type === 'citation') {
    if (part.kind === 'text') part.citations.push(event.citation);
  } else if (event.type === 'logprobs') {
    if ('logprobs' in part) part.logprobs.push(...event.logprobs);
  } else if (event.opaque && (part.kind === 'text' || part.kind === 'reasoning' || part.kind === 'toolCall')) {
    part.opaque = event.opaque;
  }
}

function choiceOf(answer: FoldedAnswer, index: number): FoldedChoice {
  const known = answer.choices.find((choice) => choice.index === index);
  if (known) return known;
  const choice: FoldedChoice = { index, parts: [], finish: undefined };
  answer.choices.push(choice);
  return choice;
}
