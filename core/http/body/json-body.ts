import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BodyEdit } from '../../canonical/body-edit.ts';
import type { RequestFields } from '../../canonical/request.ts';
import { withoutByteOrderMark } from '../../lib/byte-order-mark.ts';
import { type JsonScan, TopLevelScanner } from '../../lib/json-scan.ts';
import { JsonScanError } from '../../lib/json-scan-error.ts';
import { parseJsonExactly, parseJsonInSteps } from '../../lib/json-step-parse.ts';
import { Utf8Check } from '../../lib/utf8-check.ts';
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
import { coded } from '../../text/coded.ts';
import { abandonBody, BodyError, refuseBody } from './body-error.ts';
import { type BodyStore, joinSegments } from './body-source.ts';
import { editObject } from './json-edit.ts';
import { keyRuleFor } from './key-rule.ts';
import { PromptStrings } from './prompt-strings.ts';
import { type BodyLimits, hasBody, receiveBody, takeArrivedBody } from './receive-body.ts';
import { createSpoolFile, SpoolFile } from './spool.ts';

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

const contentType = 'application/json';
const memoryBytes = 1 << 20;
const turnBytes = 256 * 1024;
const valueBytes = 64 * 1024;

interface JsonBodyLimits extends BodyLimits {
  /** Where room is taken before the body is parsed; left out where bodies are few. */
  memory?: MemoryBudget | undefined;
  /** False for a protocol that has the arguments of calls as text: then the body is not searched for calls. */
  hasCallObjects?: boolean | undefined;
}

type ReadingOptions = Pick<JsonBodyLimits, 'memory' | 'hasCallObjects'>;

/**
 * Reads a relay body and proves it to be one JSON object whose billed members occur once (R10, S17). At once when it has arrived whole,
 * unless it is long.
 */
export function readJsonBody(request: IncomingMessage, limits: JsonBodyLimits): JsonBody | Promise<JsonBody> {
  let arrived: Buffer | undefined;
  try {
    requireJson(request);
    arrived = takeArrivedBody(request, limits);
  } catch (error) {
    throw abandonBody(request, inWords(error));
  }
  // Nothing of a body that has arrived is left on the connection.
  return arrived ? jsonBodyOf(arrived, limits) : receiveJsonBody(request, limits);
}

async function receiveJsonBody(request: IncomingMessage, limits: JsonBodyLimits): Promise<JsonBody> {
  const intake = new JsonIntake(limits.spoolDirectory, limits);
  try {
    await receiveBody({ request, limits, sink: (chunk) => intake.write(chunk) });
    return await intake.finish();
  } catch (error) {
    await intake.dispose();
    throw abandonBody(request, inWords(error));
  }
}

/** A body that lies here already. Throws what `readJsonBody` throws for the same bytes; a promise only for a long one. */
export function jsonBodyOf(bytes: Buffer, options: ReadingOptions = {}): JsonBody | Promise<JsonBody> {
  try {
    const scanned = scanBytes(withoutByteOrderMark(bytes), options);
    return scanned instanceof Promise ? scanned.catch((error: unknown) => Promise.reject(inWords(error))) : scanned;
  } catch (error) {
    throw inWords(error);
  }
}

function requireJson(request: IncomingMessage): void {
  const type = request.headers['content-type'];
  if (type === 'application/json' || (type && /^application\/json *(;|$)/i.test(type))) return;
  if (!hasBody(request)) refuseBody('body.empty');
  refuseBody('body.contentType', { expected: 'application/json' });
}

/** Collects a body: in memory up to 1 MiB, then in a file, scanned while it arrives. */
class JsonIntake {
  readonly #directory: string;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #opening: Promise<void> | undefined;
  #spool: SpoolFile | undefined;
  readonly #utf8 = new Utf8Check();
  // Values are kept as they pass: once in the file they could not be read without waiting.
  readonly #scanner = new TopLevelScanner({ ruleFor: keyRuleFor, keepBytes: valueBytes });

  readonly #options: ReadingOptions;

  constructor(directory: string, options: ReadingOptions) {
    this.#directory = directory;
    this.#options = options;
  }

  write(chunk: Buffer): Promise<void> | undefined {
    if (this.#spool) return this.#spoolChunk(chunk, this.#spool);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= memoryBytes) return undefined;
    this.#opening = this.#startSpool();
    return this.#opening;
  }

  async finish(): Promise<JsonBody> {
    if (this.#spool) {
      if (!this.#utf8.end()) refuseUtf8();
      const scan = this.#scanner.end();
      await this.#spool.flush();
      return new ScannedBody(this.#spool, this.#spool.size, scan, this.#options);
    }
    return scanBytes(this.#takeBytes(), this.#options);
  }

  async dispose(): Promise<void> {
    // Its own failure has been reported already; what matters here is that no file is opened after this.
    await this.#opening?.catch(() => undefined);
    await this.#spool?.dispose();
  }

  async #startSpool(): Promise<void> {
    const bytes = this.#takeBytes();
    this.#spool = await createSpoolFile(this.#directory);
    if (!this.#utf8.push(bytes)) refuseUtf8();
    await scanInTurns(this.#scanner, bytes);
    await this.#spool.append(bytes);
  }

  #spoolChunk(chunk: Buffer, spool: SpoolFile): Promise<void> | undefined {
    if (!this.#utf8.push(chunk)) refuseUtf8();
    this.#scanner.push(chunk);
    return spool.append(chunk);
  }

  #takeBytes(): Buffer {
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [];
    return withoutByteOrderMark(bytes);
  }
}

/** A body that lies in memory whole; a promise only when it is long enough to be scanned in turns. */
function scanBytes(bytes: Buffer, options: ReadingOptions): JsonBody | Promise<JsonBody> {
  if (bytes.length === 0) refuseBody('body.empty');
  if (!isUtf8(bytes)) refuseUtf8();
  const scanner = new TopLevelScanner({ ruleFor: keyRuleFor });
  const scanned = () => new ScannedBody(bytes, bytes.length, scanner.end(), options);
  if (bytes.length > turnBytes) return scanInTurns(scanner, bytes).then(scanned);
  scanner.push(bytes);
  return scanned();
}

async function scanInTurns(scanner: TopLevelScanner, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += turnBytes) {
    scanner.push(bytes.subarray(at, at + turnBytes));
    await nextTurn();
  }
}

const nothing = Buffer.alloc(0);

class ScannedBody implements JsonBody {
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
    return this.#store instanceof SpoolFile || member.valueEnd - member.valueStart > valueBytes;
  }

  /** In memory it is a value of the one parsed object; the scan has proved that there is no second one under its name. */
  value(key: string): unknown {
    const member = this.#scan.members.get(key);
    if (!member) return undefined;
    if (member.raw !== undefined) return JSON.parse(member.raw);
    const store = this.#store;
    if (store instanceof SpoolFile || this.isLarge(key)) {
      return refuseBody('body.valueTooLarge', { key: key.slice(0, 64), limit: valueBytes }, { param: key });
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

function refuseUtf8(): never {
  return refuseBody('body.notJson', { reason: coded('body.notUtf8') });
}

function inWords(error: unknown): unknown {
  if (!(error instanceof JsonScanError)) return error;
  return new BodyError(`body.${error.fault}`, error.details, { cause: error });
}
