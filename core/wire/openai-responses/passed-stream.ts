import { isJsonObject, type JsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import type { OutputItem } from './write-response.ts';

/** What a client has of a response whose events went out as its upstream wrote them, for a writer that goes on with it. */
export class PassedStream {
  /** The number of the next event. */
  sequence = 0;
  /** The response as it was announced. */
  response: JsonObject = {};
  /** Place of the item that the last event was about. */
  place: number | undefined;
  /** Reading is over: what comes from here on is written. */
  isOver = false;
  private readonly items = new Map<number, JsonObject>();
  private readonly done = new Set<number>();
  private readonly told = new Set<string>();
  /** Items whose text this product's writer would put elsewhere. */
  private readonly odd = new Set<number>();

  note(event: unknown): void {
    if (!isJsonObject(event)) return;
    const { sequence_number: number, output_index: place, item } = event;
    const type = textOf(event.type);
    this.sequence = typeof number === 'number' ? number + 1 : this.sequence + 1;
    if (isJsonObject(event.response)) this.response = event.response;
    this.place = typeof place === 'number' ? place : undefined;
    if (isOnce(type)) this.told.add(keyOf(type, event));
    if (this.place === undefined) return;
    if (isJsonObject(item)) this.items.set(this.place, item);
    if (type === 'response.output_item.done') this.done.add(this.place);
    if (type.startsWith('response.reasoning_text') || Number(event.summary_index) > 0) this.odd.add(this.place);
  }

  /** The client has this event already. */
  isTold(type: string, members: JsonObject): boolean {
    return this.isOver && this.told.has(keyOf(type, members));
  }

  idAt(place: number): string | undefined {
    return textOf(this.items.get(place)?.id) || undefined;
  }

  /** Whole items, as they were. */
  whole(): [number, OutputItem][] {
    return [...this.items].filter(([place]) => this.done.has(place)).map(([place, item]) => [place, asItem(item)]);
  }

  /** Items that began, and of which nothing else was said. */
  begun(hasText: (place: number) => boolean): [number, OutputItem][] {
    const isBegun = (place: number) => !this.done.has(place) && !hasText(place);
    return [...this.items].filter(([place]) => isBegun(place)).map(([place, item]) => [place, asItem(item)]);
  }

  get end(): number {
    return Math.max(-1, ...this.items.keys()) + 1;
  }

  get hasOddText(): boolean {
    return [...this.odd].some((place) => !this.done.has(place));
  }
}

/** Frames come once for each item and part; text and annotations come again and again. */
const isOnce = (type: string) => !type.endsWith('.delta') && !type.endsWith('annotation.added');

function keyOf(type: string, event: JsonObject): string {
  const { output_index, content_index, summary_index } = event;
  return [type, output_index, content_index, summary_index].join(' ');
}

const asItem = (item: JsonObject): OutputItem => ({ ...recordOf(item), id: textOf(item.id), type: textOf(item.type) });
