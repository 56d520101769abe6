import type { ChatEvent, Citation, FinishReason } from './chat-event.ts';
import type { ChatProtocol, Opaque } from './chat-request.ts';
import type { Usage } from './usage.ts';

/** A whole response, put together from its events. */
export interface FoldedResponse {
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
  parts: ResponsePart[];
  finish: { reason: FinishReason; stopSequence?: string; detail?: string } | undefined;
}

export type ResponsePart =
  | { kind: 'text'; text: string; citations: Citation[]; logprobs: unknown[]; opaque?: Opaque }
  | { kind: 'refusal'; text: string; logprobs: unknown[] }
  | { kind: 'reasoning'; text: string; opaque?: Opaque }
  | { kind: 'toolCall'; id: string; name: string; arguments: string; custom?: boolean; opaque?: Opaque }
  | { kind: 'media'; mime: string; data: string; transcript?: string }
  | { kind: 'native'; origin: ChatProtocol; raw: unknown };

type OpenEvent = Extract<ChatEvent, { type: 'open' }>;

export function foldEvents(events: readonly ChatEvent[]): FoldedResponse {
  const response: FoldedResponse = { id: '', model: '', created: 0, choices: [], usage: undefined, error: undefined };
  const parts = new Map<number, ResponsePart>();
  for (const event of events) foldEvent(event, response, parts);
  if (response.choices.length === 0) choiceOf(response, 0);
  response.choices.sort((left, right) => left.index - right.index);
  return response;
}

function foldEvent(event: ChatEvent, response: FoldedResponse, parts: Map<number, ResponsePart>): void {
  switch (event.type) {
    case 'start':
      response.id = event.id;
      response.model = event.model;
      response.created = event.created;
      break;
    case 'open': {
      const part = openPart(event);
      parts.set(event.part, part);
      choiceOf(response, event.choice).parts.push(part);
      break;
    }
    case 'usage':
      response.usage = event.usage;
      break;
    case 'finish': {
      const { type: _type, choice, ...finish } = event;
      choiceOf(response, choice).finish ??= finish;
      break;
    }
    case 'error':
      response.error ??= { status: event.status, body: event.body };
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

function openPart(event: OpenEvent): ResponsePart {
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
  part: ResponsePart,
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

function choiceOf(response: FoldedResponse, index: number): FoldedChoice {
  const known = response.choices.find((choice) => choice.index === index);
  if (known) return known;
  const choice: FoldedChoice = { index, parts: [], finish: undefined };
  response.choices.push(choice);
  return choice;
}
