import type { BodyEdit } from '../../canonical/body-edit.ts';
import type { RequestFields } from '../../canonical/request.ts';
import { type JsonScan, TopLevelScanner } from '../../lib/json-scan.ts';
import { parseJsonExactly, parseJsonInSteps } from '../../lib/json-step-parse.ts';
import type { PromptTextReader, RelayBody } from '../../relay/call.ts';
import {
  type CallRoom,
  type MemoryBudget,
  type MemoryShare,
  parsedBytes,
  unboundedRoom,
} from '../../relay/limit/memory-budget.ts';
import type { PromptMeasure } from '../../relay/meter/estimate.ts';
import { readObjectTexts } from '../../relay/request/prompt-text.ts';
import { refuseBody } from './body-error.ts';
import { type BodyStore, joinSegments } from './body-source.ts';
import { editObject } from './json-edit.ts';
import { keyRuleFor } from './key-rule.ts';
import { PromptStrings } from './prompt-strings.ts';
import { SpoolFile } from './spool.ts';

export interface JsonBody extends RelayBody {
  /** Decoded bytes. */
  readonly size: number;
  /** UTF-8 bytes of the strings a model reads, media left out. */
  readonly promptBytes: number;
  /** Strings anywhere in the body that are data: URLs or long base64, and addresses of media. */
  readonly mediaParts: number;
  has(key: string): boolean;
  /** A top-level value, parsed; undefined when absent, refused beyond 64 KiB. */
  value(key: string): unknown;
  /** The JSON text of a top-level value; undefined when absent, or large and in the file. */
  raw(key: string): string | undefined;
  /** Elements of a top-level array; undefined when it is absent or not an array. */
  count(key: string): number | undefined;
  /** The whole body, parsed once: every caller gets the same object, so it must not be changed. */
  json(): Promise<Record<string, unknown>> | Record<string, unknown>;
  /** Frees the temporary file. May be called again; sources opened before then must have been read. */
  dispose(): Promise<void> | undefined;
}

export interface ReadingOptions {
  /** Where room is taken before the body is parsed; left out where bodies are few. */
  memory?: MemoryBudget | undefined;
  /** False for a protocol that has the arguments of calls as text: then the body is not searched for calls. */
  hasCallObjects?: boolean | undefined;
}

/** Of a value that is read by itself. */
export const maxValueBytes = 64 * 1024;
const contentType = 'application/json';

const nothing = Buffer.alloc(0);

/** A body whose scan has shown where its members are, in memory or in a file. */
export class ScannedBody implements JsonBody {
  readonly size: number;
  #store: BodyStore;
  readonly #scan: JsonScan;
  #json: Record<string, unknown> | undefined;
  #jsonOfFile: Promise<Record<string, unknown>> | undefined;

  readonly #memory: MemoryShare | undefined;

  readonly #parse: (text: string) => unknown;

  constructor(store: BodyStore, size: number, scan: JsonScan, { memory, hasCallObjects = true }: ReadingOptions) {
    this.#store = store;
    this.size = size;
    this.#scan = scan;
    this.#memory = memory?.open();
    this.#parse = hasCallObjects ? parseJsonExactly : JSON.parse;
  }

  get fields(): RequestFields {
    return this;
  }

  get measure(): PromptMeasure {
    return this;
  }

  get promptBytes(): number {
    return this.#scan.textBytes;
  }

  get mediaParts(): number {
    return this.#scan.mediaParts;
  }

  has(key: string): boolean {
    return this.#scan.members.has(key);
  }

  count(key: string): number | undefined {
    return this.#scan.members.get(key)?.count;
  }

  isLarge(key: string): boolean {
    const member = this.#scan.members.get(key);
    if (!member || member.raw !== undefined) return false;
    return this.#store instanceof SpoolFile || member.valueEnd - member.valueStart > maxValueBytes;
  }

  /** In memory it is a value of the one parsed object; the scan has proved that there is no second one under its name. */
  value(key: string): unknown {
    const member = this.#scan.members.get(key);
    if (!member) return undefined;
    if (member.raw !== undefined) return JSON.parse(member.raw);
    const store = this.#store;
    if (store instanceof SpoolFile || this.isLarge(key)) {
      return refuseBody('body.valueTooLarge', { key: key.slice(0, 64), limit: maxValueBytes }, { param: key });
    }
    return this.#parsed(store)[key];
  }

  raw(key: string): string | undefined {
    const member = this.#scan.members.get(key);
    if (!member || member.raw !== undefined || !Buffer.isBuffer(this.#store)) return member?.raw;
    return this.#store.toString('utf8', member.valueStart, member.valueEnd);
  }

  json(): Promise<Record<string, unknown>> | Record<string, unknown> {
    if (!(this.#store instanceof SpoolFile)) return this.#parsed(this.#store);
    this.#jsonOfFile ??= this.#parseFile(this.#store);
    return this.#jsonOfFile;
  }

  async #parseFile(store: SpoolFile): Promise<Record<string, unknown>> {
    this.room.take(parsedBytes(this.size, this.#scan.values));
    return (await parseJsonInSteps(store.read(0, store.size))) as Record<string, unknown>;
  }

  #parsed(bytes: Buffer): Record<string, unknown> {
    if (this.#json) return this.#json;
    this.room.take(parsedBytes(this.size, this.#scan.values));
    this.#json = this.#parse(bytes.toString()) as Record<string, unknown>;
    return this.#json;
  }

  get room(): CallRoom {
    return this.#memory ?? unboundedRoom;
  }

  readTexts(reader: PromptTextReader): Promise<void> | undefined {
    const store = this.#store;
    if (store instanceof SpoolFile) return readFileTexts(store, reader);
    readObjectTexts(this.#parsed(store), reader);
    return undefined;
  }

  mentions(texts: readonly string[]): Promise<boolean> | boolean {
    const store = this.#store;
    return store instanceof SpoolFile ? store.includes(texts) : texts.some((text) => store.includes(text));
  }

  source(edits: BodyEdit[]): ReturnType<RelayBody['source']> {
    const store = this.#store;
    if (edits.length === 0 && Buffer.isBuffer(store)) return { length: this.size, contentType, open: () => store };
    const { length, open } = joinSegments(editObject(store, this.size, this.#scan, edits));
    return { length, contentType, open };
  }

  /** Its connection stays open and may remember its last call: what is large of that goes now. */
  dispose(): Promise<void> | undefined {
    const store = this.#store;
    this.#store = nothing;
    this.#json = undefined;
    this.#jsonOfFile = undefined;
    this.#memory?.release();
    return store instanceof SpoolFile ? store.dispose() : undefined;
  }
}

/** On its bytes, so that a long prompt is read without being in memory whole. */
async function readFileTexts(file: SpoolFile, reader: PromptTextReader): Promise<void> {
  const scanner = new TopLevelScanner({ ruleFor: keyRuleFor, strings: new PromptStrings(reader) });
  for await (const chunk of file.read(0, file.size)) {
    scanner.push(chunk);
    const turn = reader.turn();
    if (turn) await turn;
  }
}
