import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withoutByteOrderMark } from '../../lib/byte-order-mark.ts';
import { TopLevelScanner } from '../../lib/json-scan.ts';
import { JsonScanError } from '../../lib/json-scan-error.ts';
import { Utf8Check } from '../../lib/utf8-check.ts';
import { coded } from '../../text/coded.ts';
import { abandonBody, BodyError, refuseBody } from './body-error.ts';
import { keyRuleFor } from './key-rule.ts';
import { type BodyLimits, hasBody, receiveBody, takeArrivedBody } from './receive-body.ts';
import { type JsonBody, maxValueBytes, type ReadingOptions, ScannedBody } from './scanned-body.ts';
import { createSpoolFile, type SpoolFile } from './spool.ts';

const memoryBytes = 1 << 20;
const turnBytes = 256 * 1024;

type JsonBodyLimits = BodyLimits & ReadingOptions;

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
  readonly #scanner = new TopLevelScanner({ ruleFor: keyRuleFor, keepBytes: maxValueBytes });

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

function refuseUtf8(): never {
  return refuseBody('body.notJson', { reason: coded('body.notUtf8') });
}

function inWords(error: unknown): unknown {
  if (!(error instanceof JsonScanError)) return error;
  return new BodyError(`body.${error.fault}`, error.details, { cause: error });
}
