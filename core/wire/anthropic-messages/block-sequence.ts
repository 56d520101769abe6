import type { Opaque } from '../../canonical/chat-request.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { writeSignature } from './write-part.ts';

interface Block {
  /** Undefined for a block that is whole from its start. */
  part: number | undefined;
  /** What it starts with. */
  start: JsonObject;
  /** Not sent yet: the block waits for the tool before it. */
  deltas: JsonObject[];
  isClosed: boolean;
}

/**
 * Brings parts that are open side by side into blocks that follow one another (conversion matrix, 6.1): every index has one start
 * and one stop, and no delta stands outside. Text and thinking may be broken off and taken up again in a new block; a tool may
 * not, so whatever comes while one is open waits for its end.
 */
export class BlockSequence {
  #events: JsonObject[] = [];
  #next = 0;
  #open: Block | undefined;
  /** Behind an open tool, in order of appearance. */
  #waiting: Block[] = [];
  readonly #brokenOff = new Set<number>();

  /** What has come up since the last call. */
  take(): JsonObject[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  text(part: number, text: string): void {
    this.#say(part, { type: 'text', text: '' }, { type: 'text_delta', text });
  }

  cite(part: number, citation: JsonObject): void {
    this.#say(part, { type: 'text', text: '' }, { type: 'citations_delta', citation });
  }

  reasoning(part: number, text: string): void {
    this.#say(part, { type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: text });
  }

  /** Ends a part of reasoning; hidden reasoning has nothing but this. */
  sign(part: number, opaque: Opaque): void {
    const value = writeSignature(opaque);
    const block = this.#find(part);
    // The signature of a text that is in several blocks would fit none of them.
    if (!block && this.#brokenOff.has(part)) return;
    if (!block && opaque.kind === 'redacted') {
      this.#add({ part, start: { type: 'redacted_thinking', data: value }, deltas: [], isClosed: false });
      return;
    }
    const start = { type: 'thinking', thinking: '', signature: '' };
    this.#say(part, start, { type: 'signature_delta', signature: value });
  }

  /** A signature that belongs to the block behind it. */
  thinking(opaque: Opaque): void {
    const deltas = [{ type: 'signature_delta', signature: writeSignature(opaque) }];
    this.#add({ part: undefined, start: { type: 'thinking', thinking: '', signature: '' }, deltas, isClosed: true });
  }

  tool(part: number, start: JsonObject): void {
    this.#add({ part, start, deltas: [], isClosed: false });
  }

  arguments(part: number, text: string): void {
    const block = this.#find(part);
    if (block && text !== '') this.#extend(block, { type: 'input_json_delta', partial_json: text });
  }

  /** A block that came whole. Its input follows the start, as Anthropic itself sends it. */
  whole(block: JsonObject): void {
    const { input } = block;
    const hasInput = typeof input === 'object' && input !== null && Object.keys(input).length > 0;
    const deltas = hasInput ? [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }] : [];
    this.#add({ part: undefined, start: hasInput ? { ...block, input: {} } : block, deltas, isClosed: true });
  }

  close(part: number): void {
    const block = this.#find(part);
    if (!block) return;
    block.isClosed = true;
    if (block === this.#open) {
      this.#stop();
      this.#promote();
    }
  }

  /** Closes whatever is open, and writes what waits behind it. */
  finish(): void {
    for (const block of this.#waiting) block.isClosed = true;
    this.#stop();
    this.#promote();
  }

  /** A delta of a part that may be broken off: it goes on in its block, or begins a new one. */
  #say(part: number, start: JsonObject, delta: JsonObject): void {
    const block = this.#find(part);
    if (block) this.#extend(block, delta);
    else this.#add({ part, start, deltas: [delta], isClosed: false });
  }

  #extend(block: Block, delta: JsonObject): void {
    if (block === this.#open) this.#send(delta);
    else append(block.deltas, delta);
  }

  #add(block: Block): void {
    if (this.#open && isTool(this.#open)) {
      this.#waiting.push(block);
      return;
    }
    this.#stop();
    this.#begin(block);
  }

  /** The block of a part that is open or waits; one that was broken off is gone. */
  #find(part: number): Block | undefined {
    return this.#open?.part === part ? this.#open : this.#waiting.findLast((block) => block.part === part);
  }

  #begin(block: Block): void {
    this.#events.push({ type: 'content_block_start', index: this.#next, content_block: block.start });
    this.#open = block;
    for (const delta of block.deltas) this.#send(delta);
    block.deltas = [];
    if (block.isClosed) this.#stop();
  }

  #send(delta: JsonObject): void {
    this.#events.push({ type: 'content_block_delta', index: this.#next, delta });
  }

  #stop(): void {
    if (!this.#open) return;
    const { part, isClosed } = this.#open;
    if (part !== undefined && !isClosed) this.#brokenOff.add(part);
    this.#events.push({ type: 'content_block_stop', index: this.#next });
    this.#next += 1;
    this.#open = undefined;
  }

  /** Writes what has waited for the tool, up to the next one that is not complete. */
  #promote(): void {
    while (this.#waiting.length > 0) {
      if (this.#open && isTool(this.#open)) return;
      const block = this.#waiting.shift();
      if (!block || isBlank(block)) continue;
      this.#stop();
      this.#begin(block);
    }
  }
}

function isTool({ start }: Block): boolean {
  return start.type === 'tool_use';
}

/** Text between tool calls that says nothing: some upstreams send line breaks there. */
function isBlank({ start, deltas }: Block): boolean {
  return start.type === 'text' && deltas.every(({ type, text }) => type === 'text_delta' && String(text).trim() === '');
}

/** One event for what waited, not one for every piece of it. */
function append(deltas: JsonObject[], delta: JsonObject): void {
  const last = deltas.at(-1);
  for (const key of ['text', 'thinking', 'partial_json']) {
    if (last?.type === delta.type && typeof last?.[key] === 'string' && typeof delta[key] === 'string') {
      last[key] = `${last[key]}${delta[key]}`;
      return;
    }
  }
  deltas.push({ ...delta });
}
