import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import type { Usage } from '../../canonical/usage.ts';
import { withoutByteOrderMark } from '../../lib/byte-order-mark.ts';
import { writeJsonInSteps } from '../../lib/json-step-write.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { writeJson } from '../../lib/raw-json.ts';
import { FileResponse } from '../../providers/adapter.ts';
import { writeAnthropicUsage } from '../../wire/anthropic-messages/write-usage.ts';
import { readingOf } from '../../wire/chat-reading.ts';
import { placeWords } from '../../wire/openai-chat/choice-words.ts';
import { createResponseMender, isStrayResponse } from '../../wire/openai-chat/mend-response.ts';
import { beginsUnpacked, wantsPacked, withPackedVectors } from '../../wire/openai-embedding/pack-vectors.ts';
import { hasCallObjects, type Protocol } from '../../wire/protocol.ts';
import { protocols } from '../../wire/registry.ts';
import { respondsInText } from '../meter/estimate.ts';
import { countOwnPrompt } from '../meter/final-usage.ts';
import type { CommonCall } from '../request/common-form.ts';
import type { Conversion } from '../request/conversion.ts';
import { errorOf, identityOf, type PreparedAttempt, type SentAttempt } from '../run.ts';
import { collectStream } from './collect-stream.ts';
import { wantsDrawn, withDrawn } from './fetch-drawn.ts';
import { isNoRoom, longResponseBytes, parseLongDocument, usageInTail } from './long-document.ts';
import { countPictures, PassedPictures } from './picture-count.ts';
import {
  alwaysJson,
  contentTypeOf,
  isPage,
  mayUseHostedTools,
  notAResponse,
  parseDocument,
  refuseHiddenError,
  refuseHollow,
} from './response-document.ts';
import { noteEvents, noteFacts } from './response-facts.ts';
import { itemIdsOf } from './stream-reader.ts';

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

/** Notes what a whole response says; returns it, or a promise of it, when it has to be rewritten for the client. Throws UpstreamError. */
function readDocument(attempt: PreparedAttempt, json: unknown): unknown {
  refuseHiddenError(attempt, json);
  const { readResponse } = attempt.built;
  const response = readResponse ? readResponse(json) : json;
  refuseHollow(attempt, response);
  if (attempt.conversion) return convertResponse(attempt, attempt.conversion, response);
  if (attempt.common) return convertCommon(attempt, attempt.common, response);
  const { protocol } = attempt.run.call;
  attempt.meter.noteResponseId(isJsonObject(response) ? response.id : undefined);
  if (attempt.run.call.trace) noteFacts(attempt, response);
  if (protocol.name === 'openai-responses') attempt.meter.itemIds = itemIdsOf(response);
  attempt.meter.pictures = countPictures(protocol, response);
  if (!noteUsage(attempt, protocol.readUsage(response))) {
    for (const text of protocol.readText(response)) attempt.meter.noteWhole(text);
    if (readResponse && protocol.name === 'openai-embedding') return withCountedPrompt(attempt, response);
    if (protocol.name === 'anthropic-messages' && isJsonObject(response) && !isJsonObject(response.usage))
      return withCountedUsage(attempt, response);
  }
  if (wantsDrawn(attempt)) return withDrawn(attempt, response);
  if (asksForPacked(attempt)) return withPackedVectors(response) ?? (readResponse && response);
  if (!attempt.format && isStray(protocol, response))
    return createResponseMender(identityOf(attempt))(placeWords(response, 'message'));
  return attempt.format?.convert(response) ?? (readResponse && response);
}

/** What the client asks for may not be in the response as it comes. */
function mayRewrite(attempt: PreparedAttempt): boolean {
  return mayUseHostedTools(attempt.run) || wantsDrawn(attempt);
}

function isStray({ name }: Protocol, response: unknown): boolean {
  return name === 'openai-chat' && isStrayResponse(response);
}

function asksForPacked({ run }: Pick<PreparedAttempt, 'run'>): boolean {
  return run.call.protocol.name === 'openai-embedding' && wantsPacked(run.body.fields);
}

/** OpenAI's vectors always come with a usage, and its clients read it: where the vendor counts nothing, they see what is billed. */
async function withCountedPrompt({ run, meter }: PreparedAttempt, response: unknown): Promise<unknown> {
  if (!isJsonObject(response) || response.usage !== undefined) return response;
  const { prompt } = (await meter.counted(() => countOwnPrompt(run, meter.counter))).usage;
  return { ...response, usage: { prompt_tokens: prompt, total_tokens: prompt } };
}

/** Anthropic's clients read a usage in every message: where a reseller counts nothing, they see what is billed. */
async function withCountedUsage(attempt: PreparedAttempt, response: JsonObject): Promise<JsonObject> {
  const counted = await completedUsage(attempt);
  return { ...response, usage: writeAnthropicUsage(counted.usage) };
}

function convertCommon(attempt: PreparedAttempt, { protocol, read }: CommonCall, response: unknown): unknown {
  noteUsage(attempt, protocols[protocol].readUsage(response));
  return read(response);
}

function convertResponse(attempt: PreparedAttempt, conversion: Conversion, json: unknown): unknown {
  return responseOf(attempt, conversion, conversion.upstream.readResponse(json, conversion.read));
}

/** A stream as the whole response that its client wants. */
async function acceptCollected(attempt: PreparedAttempt, conversion: Conversion, body: Buffer): Promise<Buffer> {
  const { upstream, read } = conversion;
  const { adapter } = attempt;
  const events = await collectStream(body, conversion.own?.createStreamDecoder?.(), {
    reader: upstream.createStreamReader(read),
    isError: (event) => adapter.hiddenErrorStatus(event) !== undefined,
  });
  return Buffer.from(writeJson(await responseOf(attempt, conversion, events)));
}

/** A promise where the vendor tells no usage, or a part of it: the client is told what is going to be billed. */
function responseOf(attempt: PreparedAttempt, { client, write }: Conversion, events: readonly ChatEvent[]): unknown {
  const { error, status, usage, text, isInterim } = readingOf(events);
  if (error) throw errorOf(attempt, error, status);
  if (attempt.run.call.trace) noteEvents(attempt.meter, events);
  if (noteUsage(attempt, usage, isInterim)) return client.writeResponse(events, write);
  attempt.meter.noteWhole(text);
  const own = events.filter(({ type }) => type !== 'usage');
  return completedUsage(attempt).then((counted) =>
    client.writeResponse([...own.slice(0, -1), { type: 'usage', usage: counted.usage }, ...own.slice(-1)], write),
  );
}

/** What is billed for a whole response whose upstream does not count all of it. */
function completedUsage({ run, meter }: PreparedAttempt) {
  return meter.completed(true, run.promptEstimate, () => countOwnPrompt(run, meter.counter));
}

/** False where the upstream leaves it to us to count, in whole or in part: for that the text is needed. */
function noteUsage({ run, meter }: PreparedAttempt, usage: Usage | undefined, isInterim?: boolean): boolean {
  meter.noteUsage(usage, isInterim);
  return meter.usage !== undefined && !(meter.isPartlyReported && respondsInText(run.call.protocol));
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
