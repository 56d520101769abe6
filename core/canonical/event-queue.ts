import { UpstreamError } from '../errors/upstream-error.ts';
import { coded } from '../text/coded.ts';
import type { ChatEvent } from './chat-event.ts';
import type { Opaque } from './chat-request.ts';
import { ChoiceProgress } from './choice-progress.ts';
import type { Usage } from './usage.ts';

type OpenEvent = Extract<ChatEvent, { type: 'open' }>;
/** What opens a part, without the number it gets. */
export type NewPart = OpenEvent extends infer Event
  ? Event extends OpenEvent
    ? Omit<Event, 'type' | 'part'>
    : never
  : never;
type Finish = Extract<ChatEvent, { type: 'finish' }>;

/** Keeps the rules of chat-event.ts for readers of upstream formats: numbers parts, closes them, finishes once. */
export class EventQueue {
  #events: ChatEvent[] = [];
  #parts = 0;
  #hasStarted = false;
  #hasEnded = false;
  /** Open parts and the choice they belong to. */
  readonly #open = new Map<number, number>();
  readonly #choices: ChoiceProgress;

  /** `choices`: how many were requested. */
  constructor(choices?: number) {
    this.#choices = new ChoiceProgress(choices);
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** What has been added since the last call. */
  take(): ChatEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  start(identity: { id: string; model: string; created: number }): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#add({ type: 'start', ...identity });
  }

  /** A choice that may say nothing, and is open anyway. */
  begin(choice: number): void {
    this.#choices.begin(choice);
  }

  open(part: NewPart): number {
    this.begin(part.choice);
    const number = this.#parts++;
    this.#open.set(number, part.choice);
    this.#add({ type: 'open', part: number, ...part } as OpenEvent);
    return number;
  }

  delta(part: number, text: string): void {
    if (text !== '') this.#add({ type: 'delta', part, text });
  }

  add(event: Extract<ChatEvent, { type: 'citation' | 'logprobs' | 'ping' }>): void {
    this.#add(event);
  }

  close(part: number, opaque?: Opaque): void {
    if (this.#open.delete(part)) this.#add({ type: 'close', part, ...(opaque && { opaque }) });
  }

  usage(usage: Usage, isInterim = false): void {
    this.#add({ type: 'usage', usage, ...(isInterim && { isInterim }) });
  }

  hasFinished(choice: number): boolean {
    return this.#choices.hasFinished(choice);
  }

  /** Every choice that was asked for or has begun has finished. */
  get isWhole(): boolean {
    return this.#choices.isWhole;
  }

  /** Closes what the choice has open. A second finish says nothing. */
  finish(finish: Omit<Finish, 'type'>): void {
    if (this.hasFinished(finish.choice)) return;
    for (const [part, choice] of this.#open) if (choice === finish.choice) this.close(part);
    this.#choices.finish(finish.choice);
    this.#add({ type: 'finish', ...finish });
  }

  fail(status: number, body: unknown): void {
    this.#add({ type: 'error', status, body });
    this.#hasEnded = true;
  }

  /** For a stream whose bytes ended before the response did: it is never taken for a whole one. */
  failTruncated(): void {
    this.#failBy('stream_truncated', coded('upstream.cutOff'));
  }

  /** For a response that begins again after a part of it has come: put together, the two would be neither. */
  failRestarted(): void {
    this.#failBy('stream_restarted', coded('upstream.restarted'));
  }

  #failBy(code: string, words: string): void {
    this.fail(502, new UpstreamError({ status: 502, code, coded: words, kind: 'retry' }));
  }

  /** A part of the response has begun. */
  get hasContent(): boolean {
    return this.#parts > 0;
  }

  end(): void {
    this.#add({ type: 'end' });
    this.#hasEnded = true;
  }

  #add(event: ChatEvent): void {
    // A sign of life before the start says nothing yet.
    if (this.#hasEnded || (event.type === 'ping' && !this.#hasStarted)) return;
    this.#events.push(event);
  }
}
