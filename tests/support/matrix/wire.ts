import type { JsonObject } from '../../../core/lib/json-value.ts';
import type { FakeResponse } from '../upstream-script.ts';
import type { Call } from './question.ts';

/** The response of an upstream, in no particular protocol. */
export interface Say {
  parts: SayPart[];
  finish: 'stop' | 'length' | 'tool' | 'refusal' | 'stopSequence';
  usage: WireUsage;
}

export type SayPart =
  | { text: string }
  | { thought: string; signature: string }
  /** Calls made side by side; `input` undefined: as the vendor tells of a call without arguments. */
  | { calls: (Omit<Call, 'input'> & { input: Record<string, unknown> | undefined })[] };

export interface WireUsage {
  /** All of the prompt. */
  prompt: number;
  cached: number;
  /** Written to the cache; vendors that do not tell leave it out. */
  written: number;
  /** All of the response. */
  completion: number;
  reasoning: number;
}

/** What an upstream was told, read from the bytes it got. */
export interface Seen {
  system: string;
  turns: [role: 'user' | 'assistant' | 'tool', ...parts: SeenPart[]][];
  tools: string[];
  choice: 'none' | 'auto' | 'required' | { name: string } | undefined;
  /** The JSON schema of the response. */
  schema: Record<string, unknown> | undefined;
  /** Asked to think, and how. */
  thinking: unknown;
  stop: string[];
  maxTokens: number | undefined;
  /** Cache marks. */
  marks: number;
}

export type SeenPart =
  | string
  | { picture: string }
  | { pictureUrl: string }
  | { pdf: string }
  | { call: string; input: unknown }
  | { result: string; isError?: boolean }
  | { thought: string; signature: string };

/** How upstreams of one protocol read and write. */
export interface Wire {
  /** The vendor's response to an invalid body; undefined when the body is valid. */
  refuse(body: Record<string, unknown>, about: WireCall): string | undefined;
  read(body: Record<string, unknown>, about: WireCall): Seen;
  whole(say: Say, model: string): Record<string, unknown>;
  /** Events in order, each as its lines of server-sent events. */
  events(say: Say, model: string): WireEvent[];
  /** An error in the vendor's words. */
  error(status: number, message: string): Record<string, unknown>;
  /** The event of a failure in the middle. */
  errorEvent(message: string): WireEvent;
}

export interface WireCall {
  path: string;
  stream: boolean;
  model: string;
}

export interface WireEvent {
  name?: string;
  data: unknown;
}

/** One packet for each event. */
export function sseResponse(events: readonly WireEvent[], delayMs = 0): FakeResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    pieces: events.map(({ name, data }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      return Buffer.from(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`);
    }),
    delayMs,
  };
}

/** The members of an object that a vendor does not know: each of them is a refusal. */
export function unknownMembers(value: Record<string, unknown>, known: readonly string[]): string[] {
  return Object.keys(value).filter((key) => !known.includes(key));
}

/** A text in two or more pieces, as models tell it. */
export function piecesOf(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return text.length < 2 ? [text] : [text.slice(0, middle), text.slice(middle)];
}

export function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}

export function recordOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function dataUrl(url: unknown): string | undefined {
  return /^data:[^,]*;base64,(.*)$/s.exec(String(url))?.[1];
}
