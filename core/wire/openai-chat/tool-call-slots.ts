import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { writeJson } from '../../lib/raw-json.ts';

interface Slot {
  index: number;
  id: string;
  name: string;
  /** Kept only where the upstream numbers nothing: whether it is whole JSON tells the next call from more of this one. */
  argumentText: string;
  isOpened: boolean;
}

/** More parallel calls than any model makes; an upstream that counts to a billion gets no array of that length. */
const maxCalls = 128;

/**
 * Numbers the tool calls of one choice as OpenAI does, whatever the upstream sends: no index, one index for all, ids repeated or
 * changing, names whole, repeated or in pieces, arguments as objects.
 */
export class ToolCallSlots {
  readonly #slots: Slot[] = [];
  readonly #slotByGiven = new Map<number, Slot>();
  readonly #idPrefix: string;

  constructor(idPrefix: string) {
    this.#idPrefix = idPrefix;
  }

  get isEmpty(): boolean {
    return this.#slots.length === 0;
  }

  /** The calls of one delta in OpenAI's shape. */
  normalize(calls: readonly unknown[]): JsonObject[] {
    return this.place(calls).map(({ written }) => written);
  }

  /** As `normalize`, each call beside what the upstream sent for it. */
  place(calls: readonly unknown[]): { call: JsonObject; written: JsonObject }[] {
    const placed: { call: JsonObject; written: JsonObject }[] = [];
    calls.slice(0, maxCalls).forEach((call, position) => {
      if (!isJsonObject(call)) return;
      const slot = this.#slotFor(call, position);
      if (slot) placed.push({ call, written: write(slot, call) });
    });
    return placed;
  }

  #slotFor(call: JsonObject, position: number): Slot | undefined {
    const given = call.index;
    const isNumbered = typeof given === 'number' && Number.isInteger(given) && given >= 0 && given < maxCalls;
    return isNumbered ? this.#numberedSlot(given, call) : this.#unnumberedSlot(call, position);
  }

  #numberedSlot(given: number, call: JsonObject): Slot | undefined {
    const slot = this.#slotByGiven.get(given);
    const id = textOf(call.id);
    // One index for several calls: a new id that brings a name of its own begins another call.
    const isAnother = slot !== undefined && id !== '' && id !== slot.id && slot.isOpened && nameOf(call) !== '';
    if (slot && !isAnother) return slot;
    const opened = this.#open(call);
    if (opened) this.#slotByGiven.set(given, opened);
    return opened;
  }

  #unnumberedSlot(call: JsonObject, position: number): Slot | undefined {
    const id = textOf(call.id);
    const known = id === '' ? undefined : this.#slots.find((slot) => slot.id === id);
    const name = nameOf(call);
    if (known) return known;
    const last = this.#slots.at(-1);
    const beginsCall = last === undefined || (name !== '' && last.name !== '' && isWhole(last.argumentText));
    if (id !== '' || beginsCall) return this.#open(call);
    return name === '' && position > 0 ? this.#slots[position] : last;
  }

  #open(call: JsonObject): Slot | undefined {
    const index = this.#slots.length;
    if (index >= maxCalls) return undefined;
    const id = textOf(call.id);
    const isUsable = id !== '' && id !== 'null';
    const slot = {
      index,
      id: isUsable ? id : `${this.#idPrefix}_${index}`,
      name: '',
      argumentText: '',
      isOpened: false,
    };
    this.#slots.push(slot);
    return slot;
  }
}

function write(slot: Slot, call: JsonObject): JsonObject {
  if (isJsonObject(call.custom)) return { ...call, index: slot.index };
  const name = nameOf(call);
  // A name that comes again is the same name; another one is the next piece of it.
  const piece = name === slot.name ? '' : name;
  slot.name += piece;
  const text = argumentsOf(call);
  if (typeof call.index !== 'number') slot.argumentText += text;
  if (slot.isOpened) {
    return { index: slot.index, function: { ...(piece === '' ? {} : { name: piece }), arguments: text } };
  }
  slot.isOpened = true;
  return { index: slot.index, id: slot.id, type: 'function', function: { name: piece, arguments: text } };
}

/** Arguments as text: some vendors send the object itself, or null for none. */
function argumentsOf({ function: called }: JsonObject): string {
  const value = isJsonObject(called) ? called.arguments : undefined;
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? writeJson(value) : '';
}

function nameOf({ function: called }: JsonObject): string {
  return isJsonObject(called) ? textOf(called.name) : '';
}

function isWhole(text: string): boolean {
  if (text === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Half an object: more of it is to come.
    return false;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
