import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withoutByteOrderMark } from '../../lib/byte-order-mark.ts';
import { writeJsonInSteps } from '../../lib/json-step-write.ts';
import { writeJson } from '../../lib/raw-json.ts';
import { FileResponse } from '../../providers/adapter.ts';
import { beginsUnpacked } from '../../wire/openai-embedding/pack-vectors.ts';
import { hasCallObjects } from '../../wire/protocol.ts';
import { respondsInText } from '../meter/estimate.ts';
import type { SentAttempt } from '../run.ts';
import { isNoRoom, longResponseBytes, parseLongDocument, usageInTail } from './long-document.ts';
import { PassedPictures } from './picture-count.ts';
import { acceptCollected, asksForPacked, isStray, mayRewrite, noteUsage, readDocument } from './read-document.ts';
import { alwaysJson, contentTypeOf, isPage, notAResponse, parseDocument } from './response-document.ts';

const openBrace = 0x7b;

/** How a plain response is checked and read on its way to the client; its bytes pass as they are. */
export class PlainReader {
  protected readonly attempt: SentAttempt;
  /** Of a response that the vendor packed into JSON, and the client gets as bytes. */
  protected fileType: string | undefined;
  private readonly contentType: string;
  private readonly isJson: boolean;
  private readonly passedPictures: PassedPictures | undefined;
  /** A long response whose beginning shows that it cannot pass as it is. */
  private isToPack = false;

  constructor(attempt: SentAttempt) {
    this.attempt = attempt;
    this.contentType = contentTypeOf(attempt.response);
    const { name, pictureMember } = attempt.run.call.protocol;
    this.isJson = alwaysJson.has(name) || this.contentType.includes('json');
    this.passedPictures = pictureMember === undefined ? undefined : new PassedPictures(pictureMember);
  }

  get isRewritten(): boolean {
    const { conversion, common, built, format } = this.attempt;
    return Boolean(conversion || common || built.readResponse || format || this.isToPack) || mayRewrite(this.attempt);
  }

  /** Its SDKs read what a compatible server writes only once it is mended, and a picture in it is no text to bill. */
  get isReadWhole(): boolean {
    return this.isJson && this.attempt.run.call.protocol.chat !== undefined;
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
    const json = await this.parseLong(body);
    if (json === undefined) return body;
    await nextTurn();
    const rewritten = await readDocument(this.attempt, json);
    if (rewritten instanceof FileResponse) return this.acceptFile(rewritten);
    return rewritten === undefined ? body : Buffer.concat(await writeJsonInSteps(rewritten));
  }

  /** Undefined for a response that passes as it is when there is no room for what is made of it. */
  private async parseLong(body: Buffer): Promise<unknown> {
    try {
      return await parseLongDocument(this.attempt, body);
    } catch (error) {
      if (this.isRewritten || !isNoRoom(error)) throw error;
      this.notePassed(body);
      this.noteTail(body);
      return undefined;
    }
  }

  private acceptFile({ bytes, contentType }: FileResponse): Buffer {
    this.fileType = contentType;
    return bytes;
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
