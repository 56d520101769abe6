import type { ProtocolName } from '../canonical/request.ts';
import type { Usage } from '../canonical/usage.ts';
import { UpstreamError } from '../errors/upstream-error.ts';
import type { UpstreamAnswer } from '../integrations/outbound/upstream-client.ts';
import { documentChunks } from '../protocols/document-chunks.ts';
import { usageChunk } from '../protocols/openai-chat/usage-chunk.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { answersInText } from './estimate.ts';
import { type Attempt, errorOf, identityOf } from './serve-on.ts';

/** Answers of these protocols are always JSON; the others may be sound or plain text. */
const alwaysJson: ReadonlySet<ProtocolName> = new Set([
  'openai-chat',
  'openai-completion',
  'openai-embedding',
  'openai-moderation',
  'openai-image',
  'openai-image-edit',
]);
const openBrace = 0x7b;

/** How a plain answer is checked and read on its way to the client; its bytes pass as they are. */
export class PlainReader {
  protected readonly attempt: Attempt;
  private readonly contentType: string;
  private readonly isJson: boolean;

  constructor(attempt: Attempt, answer: UpstreamAnswer) {
    this.attempt = attempt;
    this.contentType = contentTypeOf(answer);
    this.isJson = alwaysJson.has(attempt.run.call.protocol.name) || this.contentType.includes('json');
  }

  accept(body: Buffer): Buffer {
    if (body.length === 0) throw notAnAnswer('an empty answer');
    if (this.isJson || body[0] === openBrace) return acceptJson(this.attempt, body);
    if (this.contentType.includes('html')) throw notAnAnswer('a web page');
    if (this.contentType.startsWith('text/')) {
      const { run, meter } = this.attempt;
      for (const text of run.call.protocol.readText(body.toString('utf8'))) meter.noteWhole(text);
    }
    return body;
  }

  acceptStart(start: Buffer): void {
    if (this.isJson && start.toString('latin1', 0, 64).trimStart()[0] !== '{')
      throw notAnAnswer('something else than JSON');
    if (!this.isJson && this.contentType.includes('html')) throw notAnAnswer('a web page');
  }

  notePassed(bytes: number): void {
    const { run, meter } = this.attempt;
    if (answersInText(run.call.protocol)) meter.notePassed(bytes);
  }

  noteTail(tail: Buffer): void {
    const { protocol } = this.attempt.run.call;
    if (this.isJson) noteUsage(this.attempt, usageInTail(tail, protocol.readUsage));
  }
}

/** JSON that calls itself something else: a browser that opens it would run what a model wrote as a page. */
export function isMistyped({ name }: Protocol, answer: UpstreamAnswer): boolean {
  const contentType = contentTypeOf(answer);
  return contentType.includes('html') || (alwaysJson.has(name) && !contentType.includes('json'));
}

function contentTypeOf({ headers }: UpstreamAnswer): string {
  return String(headers['content-type'] ?? '').toLowerCase();
}

function acceptJson(attempt: Attempt, body: Buffer): Buffer {
  const { protocol } = attempt.run.call;
  const json = parseDocument(body);
  refuseHiddenError(attempt, json);
  if (!noteUsage(attempt, protocol.readUsage(json))) {
    for (const text of protocol.readText(json)) attempt.meter.noteWhole(text);
  }
  const formatted = attempt.format?.answer(json);
  return formatted === undefined ? body : Buffer.from(JSON.stringify(formatted));
}

/** What a stream needs beyond passing on: shape, the usage chunk, and documents sent instead of events. */
export function streamRewriter(attempt: Attempt) {
  const { run, meter, format } = attempt;
  const { protocol } = run.call;
  return {
    rewrite: format && ((event: unknown) => format.event(event)),
    usageEvent(usage: Usage): string {
      if (!run.request.wantsUsage || meter.usage || protocol.name !== 'openai-chat') return '';
      return `data: ${JSON.stringify(usageChunk(meter.identity ?? identityOf(attempt), usage))}\n\n`;
    },
    /** The chunks pass through the same reading as any stream. */
    documentEvents(body: Buffer): string {
      const json = parseDocument(body);
      refuseHiddenError(attempt, json);
      return documentChunks(protocol.name, json, identityOf(attempt))
        .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
        .join('');
    },
  };
}

export function refuseHiddenError(attempt: Attempt, json: unknown): void {
  if (attempt.adapter.hiddenErrorStatus(json) !== undefined) throw errorOf(attempt, json);
}

function noteUsage({ meter }: Attempt, usage: Usage | undefined): boolean {
  meter.noteUsage(usage);
  return meter.usage !== undefined;
}

/** A long answer is not parsed; its usage stands at its end. */
function usageInTail(tail: Buffer, read: (json: unknown) => Usage | undefined): Usage | undefined {
  const text = tail.toString('utf8');
  const start = text.lastIndexOf('"usage"');
  const object =
    start < 0
      ? undefined
      : /^"usage"\s*:\s*(\{[^{}]*(?:\{[^{}]*\}[^{}]*){0,8}\})/.exec(text.slice(start, start + 4096));
  if (!object?.[1]) return undefined;
  try {
    return read({ usage: JSON.parse(object[1]) });
  } catch {
    // Not the usage object after all: the answer is counted instead.
    return undefined;
  }
}

function parseDocument(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw notAnAnswer(body.toString('latin1', 0, 64).trimStart().startsWith('<') ? 'a web page' : 'broken JSON', error);
  }
}

function notAnAnswer(what: string, cause?: unknown): UpstreamError {
  return new UpstreamError({
    status: 502,
    code: 'upstream_bad_answer',
    message: `The upstream sent ${what}.`,
    kind: 'retry',
    cause,
  });
}
