import { setImmediate as nextTurn } from 'node:timers/promises';
import { RawJson } from './raw-json.ts';

/** Text that is collected before it becomes bytes, and the part of a longer one that is written at a time. */
const pieceCharacters = 64 * 1024;
/** Work between two turns of the event loop: characters, and for each value as much as so many of them. */
const turnWork = 384 * 1024;
const valueWork = 32;

/** The bytes that stand for a text in the JSON, between its quotes; undefined for a text that stands for itself. */
export type EmbedText = (text: string) => Buffer[] | undefined;

type Container = { list: readonly unknown[]; next: number } | { object: object; keys: string[]; next: number };

/**
 * `writeJson` for large values: the same text as bytes, without holding up other calls, and without all of it standing in the heap
 * as one string.
 */
export async function writeJsonInSteps(value: unknown, embed?: EmbedText): Promise<Buffer[]> {
  const writer = new StepWriter(value, embed);
  while (!writer.run(turnWork)) await nextTurn();
  return writer.pieces;
}

class StepWriter {
  readonly pieces: Buffer[] = [];
  readonly #embed: EmbedText | undefined;
  readonly #stack: Container[] = [];
  #text = '';
  /** A text that is written over several turns, and how far that is. */
  #long = '';
  #longAt = 0;
  #work = 0;

  constructor(value: unknown, embed: EmbedText | undefined) {
    this.#embed = embed;
    this.#write(value);
  }

  /** True when everything is written. */
  run(work: number): boolean {
    this.#work = work;
    while (this.#work > 0) {
      if (this.#long !== '') this.#writeLong();
      else if (this.#stack.length === 0) {
        this.#flush();
        return true;
      } else this.#writeNext();
      if (this.#text.length >= pieceCharacters) this.#flush();
    }
    return false;
  }

  #writeNext(): void {
    const container = this.#stack[this.#stack.length - 1] as Container;
    if ('list' in container) {
      if (container.next === container.list.length) this.#close(']');
      else {
        if (container.next > 0) this.#text += ',';
        this.#write(container.list[container.next++]);
      }
      return;
    }
    const key = container.keys[container.next];
    if (key === undefined) {
      this.#close('}');
      return;
    }
    container.next += 1;
    const member = (container.object as Record<string, unknown>)[key];
    this.#text += `${container.next > 1 ? ',' : ''}${JSON.stringify(key)}:`;
    this.#write(member);
  }

  #close(bracket: string): void {
    this.#stack.pop();
    this.#text += bracket;
  }

  #write(value: unknown): void {
    this.#work -= valueWork;
    if (typeof value === 'string') this.#writeText(value);
    else if (typeof value !== 'object' || value === null) this.#text += JSON.stringify(value) ?? 'null';
    else if (value instanceof RawJson) this.#writeRaw(value.text);
    else if (Array.isArray(value)) {
      this.#text += '[';
      this.#stack.push({ list: value, next: 0 });
    } else {
      this.#text += '{';
      const keys = Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== undefined);
      this.#stack.push({ object: value, keys, next: 0 });
    }
  }

  #writeText(text: string): void {
    const embedded = text.length <= pieceCharacters ? this.#embed?.(text) : undefined;
    if (embedded) {
      this.#text += '"';
      this.#flush();
      for (const piece of embedded) this.pieces.push(piece);
      this.#text = '"';
    } else if (text.length > pieceCharacters) {
      this.#text += '"';
      this.#long = text;
      this.#longAt = 0;
    } else {
      this.#work -= text.length;
      this.#text += JSON.stringify(text);
    }
  }

  #writeLong(): void {
    let end = Math.min(this.#long.length, this.#longAt + pieceCharacters);
    // Both halves of a character beyond 16 bits are written together.
    if (end < this.#long.length && isHighSurrogate(this.#long.charCodeAt(end - 1))) end -= 1;
    this.#text += JSON.stringify(this.#long.slice(this.#longAt, end)).slice(1, -1);
    this.#work -= end - this.#longAt;
    this.#longAt = end;
    if (end < this.#long.length) return;
    this.#text += '"';
    this.#long = '';
  }

  #writeRaw(text: string): void {
    this.#work -= text.length;
    this.#text += text;
  }

  #flush(): void {
    if (this.#text === '') return;
    this.pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
