import { crc32 } from 'node:zlib';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { isJsonObject, textOf } from '../../lib/json-value.ts';
import { coded, type DetailKey } from '../../text/coded.ts';
import type { StreamDecoder } from '../../wire/stream-decoder.ts';
import { createClaudeEvents } from './claude-event.ts';

const preludeBytes = 12;
/** Prelude and the sum at the end. */
const minFrameBytes = 16;
/** Of one frame; AWS sends no longer ones. */
const maxFrameBytes = 24 * 1024 * 1024;

/** Reads `application/vnd.amazon.eventstream` and writes the Messages events inside as server-sent events. */
export function createEventStreamDecoder(): StreamDecoder {
  const frames = createFrameCutter();
  const claude = createClaudeEvents();
  let failure: unknown;

  /** What came whole before an error counts, however the bytes were cut: the error waits until it has been taken. */
  function push(bytes: Buffer): string {
    if (failure) throw failure;
    let text = '';
    try {
      for (const frame of frames.cut(bytes)) text += eventOf(frame, claude);
    } catch (error) {
      failure = error;
      if (text === '') throw error;
    }
    return text;
  }

  function end(): void {
    if (failure) throw failure;
    if (frames.pendingBytes() > 0) throw broken('frame.cutOff');
  }

  return { push, end };
}

/** Cuts a stream into frames, whatever pieces it arrives in; each byte is copied once. */
function createFrameCutter() {
  let pieces: Buffer[] = [];
  let held = 0;
  /** Bytes that have to be there before there is anything to do. */
  let needed = preludeBytes;

  function* cut(bytes: Buffer): Generator<Buffer> {
    pieces.push(bytes);
    held += bytes.length;
    if (held < needed) return;
    let rest = pieces.length === 1 ? bytes : Buffer.concat(pieces, held);
    needed = preludeBytes;
    while (rest.length >= preludeBytes) {
      const length = frameLength(rest);
      if (rest.length < length) {
        needed = length;
        break;
      }
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
    pieces = rest.length > 0 ? [rest] : [];
    held = rest.length;
  }

  return { cut, pendingBytes: () => held };
}

/** The sum over the prelude is checked first: a wrong length would have us wait for bytes that never come. */
function frameLength(bytes: Buffer): number {
  const length = bytes.readUInt32BE(0);
  if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) throw broken('frame.checksum');
  if (length < minFrameBytes || length > maxFrameBytes) throw broken('frame.length');
  return length;
}

// Text headers are all we read.
const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
);

function eventOf(frame: Buffer, claude: ReturnType<typeof createClaudeEvents>): string {
  const { headers, body } = decode(frame);
  const header = (name: string) => textOf(headers[name]?.value);
  const payload = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  switch (header(':message-type')) {
    case 'event':
      return header(':event-type') === 'chunk' ? claude.write(chunkOf(payload)) : '';
    case 'exception':
      return claude.fail(header(':exception-type'), messageOf(payload));
    case 'error':
      return claude.fail(header(':error-code'), header(':error-message'));
    default:
      return '';
  }
}

function decode(frame: Buffer) {
  try {
    return codec.decode(frame);
  } catch (error) {
    throw broken('frame.checksum', error);
  }
}

function chunkOf(payload: Buffer): Buffer {
  const chunk = parse(payload);
  if (!isJsonObject(chunk) || typeof chunk.bytes !== 'string') throw broken('frame.noBytes');
  return Buffer.from(chunk.bytes, 'base64');
}

function messageOf(payload: Buffer): string {
  const exception = parse(payload);
  return isJsonObject(exception) ? textOf(exception.message) || textOf(exception.originalMessage) : '';
}

/** Undefined when it is not JSON, so that it is not taken for an object. */
function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    return undefined;
  }
}

function broken(key: DetailKey, cause?: unknown): UpstreamError {
  const said = coded('upstream.eventStream', { reason: coded(key) });
  return new UpstreamError({ status: 502, code: 'bad_upstream_answer', coded: said, kind: 'retry', cause });
}
