import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type JsonMember, type JsonScan, TopLevelScanner } from '../../lib/json-scan.ts';
import { JsonScanError } from '../../lib/json-scan-error.ts';
import { parseJsonInSteps } from '../../lib/json-step-parse.ts';
import { Utf8Check } from '../../lib/utf8-check.ts';
import { abandonBody, BodyError, refuseBody } from './body-error.ts';
import { type BodySource, type BodyStore, joinSegments } from './body-source.ts';
import { type BodyEdit, editObject } from './json-edit.ts';
import { keyRuleFor } from './key-rule.ts';
import { type BodyLimits, hasBody, receiveBody } from './receive-body.ts';
import { createSpoolFile, SpoolFile } from './spool.ts';

export interface JsonBody {
  /** Decoded bytes. */
  readonly size: number;
  /** UTF-8 bytes of the strings a model reads, media left out. */
  readonly promptBytes: number;
  /** Strings anywhere in the body that are data: URLs or long base64. */
  readonly mediaParts: number;
  has(key: string): boolean;
  /** A top-level value, parsed; undefined when absent, refused beyond 64 KiB. */
  value(key: string): unknown;
  /** Elements of a top-level array; undefined when it is absent or not an array. */
  count(key: string): number | undefined;
  /** The whole body, parsed once: every caller gets the same object, so nobody may change it. */
  json(): Promise<Record<string, unknown>>;
  source(edits: BodyEdit[]): BodySource;
  /** Frees the temporary file. May be called again; sources opened before then must have been read. */
  dispose(): Promise<void>;
}

const memoryBytes = 1 << 20;
const turnBytes = 256 * 1024;
const valueBytes = 64 * 1024;

/** Reads a relay body and proves it to be one JSON object whose billed members occur once (reliability R10, S17). */
export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<JsonBody> {
  const intake = new JsonIntake(limits.spoolDirectory);
  try {
    requireJson(request);
    await receiveBody({ request, limits, sink: (chunk) => intake.write(chunk) });
    return await intake.finish();
  } catch (error) {
    await intake.dispose();
    throw abandonBody(request, inWords(error));
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
  #scanner = new TopLevelScanner({ ruleFor: keyRuleFor });

  constructor(directory: string) {
    this.#directory = directory;
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
      return new ScannedBody(this.#spool, this.#spool.size, scan);
    }
    const bytes = this.#takeBytes();
    if (bytes.length === 0) refuseBody('body.empty');
    if (!isUtf8(bytes)) refuseUtf8();
    await scanInTurns(this.#scanner, bytes);
    return new ScannedBody(bytes, bytes.length, this.#scanner.end());
  }

  async dispose(): Promise<void> {
    // Its own failure has been reported already; what matters here is that no file is opened after this.
    await this.#opening?.catch(() => undefined);
    await this.#spool?.dispose();
  }

  async #startSpool(): Promise<void> {
    const bytes = this.#takeBytes();
    this.#spool = await createSpoolFile(this.#directory);
    // Values are kept from here on: once in the file they could not be read without waiting.
    this.#scanner = new TopLevelScanner({ ruleFor: keyRuleFor, keepBytes: valueBytes });
    if (!this.#utf8.push(bytes)) refuseUtf8();
    await scanInTurns(this.#scanner, bytes);
    await this.#spool.append(bytes);
  }

  #spoolChunk(chunk: Buffer, spool: SpoolFile): Promise<void> | undefined {
    if (!this.#utf8.push(chunk)) refuseUtf8();
    this.#scanner.push(chunk);
    return spool.append(chunk);
  }

  /** What is in memory, without the byte order mark some editors write. */
  #takeBytes(): Buffer {
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [];
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return hasMark ? bytes.subarray(3) : bytes;
  }
}

async function scanInTurns(scanner: TopLevelScanner, bytes: Buffer): Promise<void> {
  if (bytes.length <= turnBytes) return scanner.push(bytes);
  for (let at = 0; at < bytes.length; at += turnBytes) {
    scanner.push(bytes.subarray(at, at + turnBytes));
    await nextTurn();
  }
}

class ScannedBody implements JsonBody {
  readonly size: number;
  readonly #store: BodyStore;
  readonly #scan: JsonScan;
  readonly #values = new Map<string, unknown>();
  #json: Promise<Record<string, unknown>> | undefined;

  constructor(store: BodyStore, size: number, scan: JsonScan) {
    this.#store = store;
    this.size = size;
    this.#scan = scan;
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

  value(key: string): unknown {
    const member = this.#scan.members.get(key);
    if (!member) return undefined;
    if (!this.#values.has(key)) this.#values.set(key, JSON.parse(this.#textOf(member)));
    return this.#values.get(key);
  }

  json(): Promise<Record<string, unknown>> {
    this.#json ??= this.#parse();
    return this.#json;
  }

  source(edits: BodyEdit[]): BodySource {
    return joinSegments(editObject(this.#store, this.size, this.#scan, edits));
  }

  async dispose(): Promise<void> {
    if (this.#store instanceof SpoolFile) await this.#store.dispose();
  }

  async #parse(): Promise<Record<string, unknown>> {
    const isSpooled = this.#store instanceof SpoolFile;
    const parsed = isSpooled ? await parseJsonInSteps(await this.#store.readAll()) : JSON.parse(this.#store.toString());
    return parsed as Record<string, unknown>;
  }

  #textOf({ key, raw, valueStart, valueEnd }: JsonMember): string {
    if (raw !== undefined) return raw;
    if (this.#store instanceof SpoolFile || valueEnd - valueStart > valueBytes) {
      refuseBody('body.valueTooLarge', { key: key.slice(0, 64), limit: valueBytes }, { param: key });
    }
    return this.#store.toString('utf8', valueStart, valueEnd);
  }
}

function refuseUtf8(): never {
  return refuseBody('body.notJson', { reason: 'it is not valid UTF-8' });
}

function inWords(error: unknown): unknown {
  if (!(error instanceof JsonScanError)) return error;
  return new BodyError(`body.${error.fault}`, error.details, { cause: error });
}
