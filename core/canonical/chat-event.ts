import type { ChatProtocol, Opaque } from './chat-request.ts';
import type { Usage } from './usage.ts';

/**
 * A chat response as it arrives. Every reader of an upstream format keeps to these rules, and every writer of a client format may
 * rely on them: one `start` first; parts are numbered from 0 in order of appearance, may be open side by side, and are all closed
 * before `finish`; at most one `finish` per choice; `usage` may come more than once, the last one counts; nothing after `end`.
 * An upstream's own failure inside a stream is `error`, and nothing follows it.
 */
export type ChatEvent =
  | { type: 'start'; id: string; model: string; created: number }
  | { type: 'open'; part: number; choice: number; kind: 'text' | 'refusal' | 'reasoning' }
  | {
      type: 'open';
      part: number;
      choice: number;
      kind: 'toolCall';
      id: string;
      name: string;
      custom?: boolean;
      opaque?: Opaque;
    }
  /** A picture or sound that came whole. */
  | { type: 'open'; part: number; choice: number; kind: 'media'; mime: string; data: string; transcript?: string }
  /** A block only the upstream's own protocol understands (server tools); whole, as that protocol has it in a whole response. */
  | { type: 'open'; part: number; choice: number; kind: 'native'; origin: ChatProtocol; raw: unknown }
  /** Text of a text, refusal or reasoning part; argument text of a tool call, verbatim. */
  | { type: 'delta'; part: number; text: string }
  | { type: 'citation'; part: number; citation: Citation }
  /** Entries as OpenAI has them: `{ token, logprob, bytes, top_logprobs }`. */
  | { type: 'logprobs'; part: number; logprobs: unknown[] }
  /** `opaque`: signature or encrypted content that ends a reasoning part or a signed text. */
  | { type: 'close'; part: number; opaque?: Opaque }
  /** Set while its completion is a placeholder of the start: Anthropic tells the count at the end. */
  | { type: 'usage'; usage: Usage; isInterim?: boolean }
  | { type: 'finish'; choice: number; reason: FinishReason; stopSequence?: string; detail?: string }
  | { type: 'error'; status: number; body: unknown }
  | { type: 'ping' }
  | { type: 'end' };

/** `pause`: the upstream stopped in the middle of its own tools and wants to be called again. */
export type FinishReason = 'stop' | 'length' | 'tool' | 'filter' | 'pause';

export interface Citation {
  url?: string;
  title?: string;
  /** What is cited, when the upstream repeats it. */
  text?: string;
  /** Place in the part's text, UTF-16 units, when the upstream names one. */
  start?: number;
  end?: number;
  /** As it came, for a client of the protocol it came from. */
  raw?: { origin: ChatProtocol; value: unknown };
}
