import { madeCallId } from '../../canonical/call-id.ts';
import type { ReadContext } from '../../canonical/chat-codec.ts';
import type { Opaque } from '../../canonical/chat-request.ts';
import type { EventQueue } from '../../canonical/event-queue.ts';
import { customToolInput } from '../../canonical/tool-arguments.ts';
import { countOf, isJsonObject, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { ToolCallSlots } from './tool-call-slots.ts';

interface Call {
  id: string;
  name: string;
  part: number | undefined;
  isCustom: boolean;
  /** Free text that came as the argument of a function; it can only be read when it is whole. */
  wrapped: string | undefined;
  opaque: Opaque | undefined;
}

/** The tool calls of one choice as parts: opened when their name is complete, open side by side until the choice ends. */
export class ToolCallParts {
  readonly #calls = new Map<number, Call>();
  readonly #slots: ToolCallSlots;
  readonly #events: EventQueue;
  readonly #choice: number;
  readonly #context: ReadContext;

  constructor(events: EventQueue, choice: number, context: ReadContext) {
    this.#events = events;
    this.#choice = choice;
    this.#context = context;
    this.#slots = new ToolCallSlots(madeCallId(context.identity.id, choice));
  }

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  /** Whether each of these has begun already. */
  hasAll(calls: readonly unknown[]): boolean {
    const known = [...this.#calls.values()];
    return recordsOf(calls).every((call) => {
      const id = textOf(call.id);
      const name = textOf(recordOf(call.custom ?? call.function).name);
      return known.some((begun) => (id === '' ? name !== '' && begun.name === name : begun.id === id));
    });
  }

  /** Calls of one delta. */
  read(calls: readonly unknown[]): void {
    for (const { call, written } of this.#slots.place(calls)) this.#readCall(written, readSignature(call));
  }

  /** The choice is over: calls without arguments are opened now, and free text is unwrapped. */
  finish(): void {
    for (const call of this.#calls.values()) {
      const part = this.#open(call);
      if (call.wrapped !== undefined) this.#events.delta(part, customToolInput(call.wrapped));
      call.wrapped = undefined;
    }
  }

  #readCall(written: JsonObject, opaque: Opaque | undefined): void {
    const index = countOf(written.index) ?? 0;
    const custom = isJsonObject(written.custom) ? written.custom : undefined;
    const { name, arguments: argument } = custom ?? recordOf(written.function);
    const text = custom ? textOf(custom.input) : textOf(argument);
    const call = this.#calls.get(index) ?? this.#begin(index, textOf(written.id), custom !== undefined);
    call.opaque ??= opaque;
    // A name may come in pieces; the first of the arguments says that it is whole.
    if (call.part === undefined && !(custom && name === call.name)) call.name += textOf(name);
    if (text === '') return;
    const part = this.#open(call);
    if (call.wrapped === undefined) this.#events.delta(part, text);
    else call.wrapped += text;
  }

  #begin(index: number, id: string, isCustom: boolean): Call {
    const fallback = madeCallId(this.#context.identity.id, this.#choice, index);
    const call = { id: id || fallback, name: '', part: undefined, isCustom, wrapped: undefined, opaque: undefined };
    this.#calls.set(index, call);
    return call;
  }

  #open(call: Call): number {
    if (call.part !== undefined) return call.part;
    // Names of the calls before this one are whole by now, and parts keep the order of the calls.
    for (const earlier of this.#calls.values()) {
      if (earlier === call) break;
      this.#open(earlier);
    }
    const { toolNames, customTools } = this.#context;
    if (customTools?.has(call.name) && !call.isCustom) {
      call.isCustom = true;
      call.wrapped = '';
    }
    call.part = this.#events.open({
      choice: this.#choice,
      kind: 'toolCall',
      id: call.id,
      name: toolNames?.get(call.name) ?? call.name,
      ...(call.isCustom && { custom: true }),
      ...(call.opaque && { opaque: call.opaque }),
    });
    return call.part;
  }
}

/** Where Google's OpenAI-compatible interface keeps the signature of a call. */
export function readSignature(call: JsonObject): Opaque | undefined {
  const value = textOf(recordOf(recordOf(call.extra_content).google).thought_signature);
  return value === '' ? undefined : { origin: 'gemini', kind: 'signature', value };
}
