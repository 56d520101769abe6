import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Usage } from '../../canonical/usage.ts';
import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { withoutByteOrderMark } from '../../lib/byte-order-mark.ts';
import { type JsonKeyRule, TopLevelScanner } from '../../lib/json-scan.ts';
import { JsonScanError } from '../../lib/json-scan-error.ts';
import { parseJsonInSteps } from '../../lib/json-step-parse.ts';
import { writeJsonInSteps } from '../../lib/json-step-write.ts';
import { writeJson } from '../../lib/raw-json.ts';
import { FileResponse } from '../../providers/adapter.ts';
import { coded } from '../../text/coded.ts';
import { beginsUnpacked } from '../../wire/openai-embedding/pack-vectors.ts';
import { hasCallObjects, type Protocol } from '../../wire/protocol.ts';
import { parsedBytes } from '../limit/memory-budget.ts';
import { respondsInText } from '../meter/estimate.ts';
import type { PreparedAttempt, Run, SentAttempt } from '../run.ts';
import { PassedPictures } from './picture-count.ts';
import { acceptCollected, asksForPacked, isStray, noteUsage, readDocument } from './read-document.ts';
import { alwaysJson, contentTypeOf, isPage, notAResponse, parseDocument } from './response-document.ts';

const openBrace = 0x7b;
/** A longer response is read in steps. */
const longResponseBytes = 1024 * 1024;
const responseTurnBytes = 256 * 1024;
/** Embeddings have millions of numbers, of which four are one value. */
const maxResponseValues = 1_000_000;
const responseRule: JsonKeyRule = {
  isForbidden: false,
  countsStrings: false,
  countsKeys: false,
  maxCount: Number.POSITIVE_INFINITY,
};

/** How a plain response is checked and read on its way to the client; its bytes pass as they are. */
export class PlainReader {
  protected readonly attempt: SentAttempt;
  /** Of a response that the vendor packed into JSON, and the client gets as bytes. */
  protected fileType: string | undefined;
  private readonly contentType: string;
  private readonly isJson: boolean;
  private readonly passedPictures: PassedPictures | undefined;
  /** A long response whose beginning shows that it cannot pass as it is. */
  protected isToPack = false;

  constructor(attempt: SentAttempt) {
    this.attempt = attempt;
    this.contentType = contentTypeOf(attempt.response);
    const { name, pictureMember } = attempt.run.call.protocol;
    this.isJson = alwaysJson.has(name) || this.contentType.includes('json');
    this.passedPictures = pictureMember === undefined ? undefined : new PassedPictures(pictureMember);
  }

  accept(given: Buffer): Buffer | Promise<Buffer> {
    const body = this.isJson ? withoutByteOrderMark(given) : given;
    if (body.length === 0) throw notAResponse('upstream.emptyResponse');
    const { conversion } = this.attempt;
    if (conversion?.isCollected && !isDocument(body)) return acceptCollected(this.attempt, conversion, body);
    const { readFile } = this.attempt.built;
    if (readFile && !isDocument(body) && !this.contentType.startsWith('text/'))
      return Buffer.from(JSON.stringify(readFile(body, this.contentType)));
    if (this.isJson && body.length > longResponseBytes) return this.acceptLongJson(body);
    const json = this.isJson ? this.parse(body) : looseDocument(body);
    if (json !== undefined) return this.acceptJson(body, json);
    this.refuseOtherKind(body);
    if (this.contentType.startsWith('text/')) {
      const { run, meter } = this.attempt;
      for (const text of run.call.protocol.readText(body.toString('utf8'))) meter.noteWhole(text);
    }
    return body;
  }

  private parse(body: Buffer): unknown {
    const { conversion, format, run } = this.attempt;
    const isPlain = conversion === undefined && !format && !hasCallObjects(run.call.protocol);
    const json = isPlain && parseDocument(body, JSON.parse);
    // What is rewritten keeps all digits of its numbers.
    return isPlain && !isStray(run.call.protocol, json) ? json : parseDocument(body);
  }

  acceptStart(start: Buffer): void {
    if (this.isJson && !isDocument(withoutByteOrderMark(start))) throw notAResponse('upstream.notJson');
    if (!this.isJson && this.contentType.includes('html')) throw notAResponse('upstream.webPage');
    this.isToPack = asksForPacked(this.attempt) && beginsUnpacked(start);
  }

  notePassed(bytes: Buffer): void {
    const { run, meter } = this.attempt;
    if (respondsInText(run.call.protocol)) meter.notePassed(bytes.length);
    this.passedPictures?.push(bytes);
    meter.pictures = this.passedPictures?.count;
  }

  noteTail(tail: Buffer): void {
    const { protocol } = this.attempt.run.call;
    if (this.isJson) noteUsage(this.attempt, usageInTail(tail, protocol));
  }

  /** What is neither sound nor a text to read, though it came with a status that says all is well. */
  private refuseOtherKind(body: Buffer): void {
    const { contentType } = this;
    if (contentType.includes('html') || isPage(body)) throw notAResponse('upstream.webPage');
    if (contentType.includes('event-stream')) throw notAResponse('upstream.notDocument');
    // Sound is hardly ever UTF-8 by chance, whatever it is called.
    const isSpeech = this.attempt.run.call.protocol.name === 'openai-speech';
    if (isSpeech && contentType.startsWith('text/') && isUtf8(body)) throw notAResponse('upstream.notSound');
  }

  private acceptJson(body: Buffer, json: unknown): Buffer | Promise<Buffer> {
    const rewritten = readDocument(this.attempt, json);
    if (rewritten instanceof Promise) return rewritten.then((response) => Buffer.from(writeJson(response)));
    if (rewritten instanceof FileResponse) return this.acceptFile(rewritten);
    return rewritten === undefined ? body : Buffer.from(writeJson(rewritten));
  }

  /** In steps, and only while there is room for what is made of it. */
  private async acceptLongJson(body: Buffer): Promise<Buffer> {
    const json = await parseLongDocument(this.attempt, body);
    await nextTurn();
    const rewritten = await readDocument(this.attempt, json);
    if (rewritten instanceof FileResponse) return this.acceptFile(rewritten);
    return rewritten === undefined ? body : Buffer.concat(await writeJsonInSteps(rewritten));
  }

  private acceptFile({ bytes, contentType }: FileResponse): Buffer {
    this.fileType = contentType;
    return bytes;
  }
}

async function parseLongDocument({ run }: PreparedAttempt, body: Buffer): Promise<unknown> {
  try {
    const scanner = new TopLevelScanner({ ruleFor: () => responseRule, maxValues: maxResponseValues });
    for (let at = 0; at < body.length; at += responseTurnBytes) {
      scanner.push(body.subarray(at, at + responseTurnBytes));
      await nextTurn();
    }
    reserveForResponse(run, parsedBytes(body.length, scanner.end().values));
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error;
    throw notAResponse(error.fault === 'tooMany' ? 'upstream.tooManyValues' : 'upstream.brokenJson', error);
  }
  return parseJsonInSteps(body);
}

/** Memory for a response; a lack of it says nothing about the channel, and another channel would not help. */
export function reserveForResponse({ body }: Pick<Run, 'body'>, bytes: number): void {
  try {
    body.room.take(bytes);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new UpstreamError({
      status: 503,
      code: 'server_overloaded',
      coded: coded('upstream.tooBusy'),
      kind: 'client',
      ...(cause.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: cause.retryAfterSeconds }),
      cause,
    });
  }
}

/** A long response is not parsed; its usage is at its end. */
function usageInTail(tail: Buffer, { usageMember = 'usage', readUsage }: Protocol): Usage | undefined {
  const text = tail.toString('utf8');
  const start = text.lastIndexOf(`"${usageMember}"`);
  const object =
    start < 0 ? undefined : /^"\w+"\s*:\s*(\{[^{}]*(?:\{[^{}]*\}[^{}]*){0,8}\})/.exec(text.slice(start, start + 4096));
  if (!object?.[1]) return undefined;
  try {
    // The tier that served the call decides its price. Elsewhere the same words may be the client's own, repeated.
    const tier = /^\s*,\s*"service_tier"\s*:\s*"(\w+)"/.exec(text.slice(start + object[0].length))?.[1];
    return readUsage({ [usageMember]: JSON.parse(object[1]), service_tier: tier });
  } catch {
    // Not the usage object after all: the response is counted instead.
    return undefined;
  }
}

function isDocument(body: Buffer): boolean {
  return body.toString('latin1', 0, 256).trimStart()[0] === '{';
}

/** JSON that does not call itself so; sound and plain text may begin like it. */
function looseDocument(body: Buffer): unknown {
  if (body[0] !== openBrace) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined; // it is what it says it is
  }
}
