import { type JsonObject, recordOf, textOf } from '../../lib/json-value.ts';

interface Item {
  key: string;
  type: string;
  isDone: boolean;
}

/** `last` is the event that repeats all items of the response. */
type Moment = 'added' | 'delta' | 'done' | 'last';

const moments: Readonly<Record<string, Moment>> = {
  'response.output_item.added': 'added',
  'response.output_item.done': 'done',
};

/** What kind of item an event is about that does not show the item itself. */
const types: readonly [event: RegExp, type: string][] = [
  [/^response\.(output_text|refusal|content_part)\./, 'message'],
  [/^response\.reasoning_/, 'reasoning'],
  [/^response\.function_call_/, 'function_call'],
  [/^response\.custom_tool_call_/, 'custom_tool_call'],
];

/**
 * Tells which item an event is about. OpenAI names an item by one id throughout. Some gateways write another id into each event,
 * or none into the last: there the item's place tells. Others count every item as the first: there the ids do.
 */
export class ItemKeys {
  readonly #byId = new Map<string, Item>();
  readonly #atPlace = new Map<string, Item>();
  #items = 0;

  ofEvent(event: JsonObject, type: string): string {
    const item = recordOf(event.item);
    const kind = textOf(item.type) || (types.find(([pattern]) => pattern.test(type))?.[1] ?? '');
    const id = textOf(event.item_id) || textOf(item.id);
    return this.#find(id, String(event.output_index ?? 0), kind, moments[type] ?? 'delta');
  }

  /** Of an item that the last event repeats. */
  ofRepeated(item: JsonObject, index: number): string {
    return this.#find(textOf(item.id), String(index), textOf(item.type), 'last');
  }

  #find(id: string, place: string, type: string, moment: Moment): string {
    const item = this.#byId.get(id) ?? this.#at(place, type, moment) ?? this.#begin(id, place);
    item.type ||= type;
    item.isDone ||= moment === 'done';
    if (id !== '') this.#byId.set(id, item);
    return item.key;
  }

  /** The item at a place, if it can be what the event is about. */
  #at(place: string, type: string, moment: Moment): Item | undefined {
    const item = this.#atPlace.get(place);
    if (!item || moment === 'added' || (item.isDone && moment !== 'last')) return undefined;
    return type === '' || item.type === '' || item.type === type ? item : undefined;
  }

  #begin(id: string, place: string): Item {
    const item = { key: id || `#${this.#items}`, type: '', isDone: false };
    this.#items += 1;
    this.#atPlace.set(place, item);
    return item;
  }
}
