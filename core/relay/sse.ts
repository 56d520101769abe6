/** The most one event may hold before the stream counts as broken. */
export const maxEventBytes = 16 * 1024 * 1024;

const lf = 10;
const cr = 13;
const empty = Buffer.alloc(0);

/**
 * Cuts a byte stream into blocks of whole server-sent events: `push` returns every byte up to the last event end it knows of,
 * and keeps the rest for the next call, so that a client never sees half an event. Lines may be split anywhere.
 * Line ends of CRLF or CR come out as LF. A byte order mark at the start is dropped.
 * Throws RangeError for an event beyond maxEventBytes.
 */
export class EventCutter {
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private endsWithLf = false;
  private sawCr = false;
  private lastWasCr = false;
  private atStart = true;

  push(incoming: Buffer): Buffer {
    const chunk = this.normalise(incoming);
    if (chunk.length === 0) return empty;
    const end = this.lastEventEnd(chunk);
    if (end === 0) {
      this.keep(chunk);
      return empty;
    }
    const block = this.keptBytes === 0 ? chunk.subarray(0, end) : Buffer.concat([...this.kept, chunk.subarray(0, end)]);
    this.kept = [];
    this.keptBytes = 0;
    this.endsWithLf = false;
    if (end < chunk.length) this.keep(chunk.subarray(end));
    return block;
  }

  /** What is left when the stream ends: an event without its blank line, which still counts. */
  rest(): Buffer {
    const rest = Buffer.concat(this.kept);
    this.kept = [];
    this.keptBytes = 0;
    return rest;
  }

  private keep(chunk: Buffer): void {
    this.kept.push(chunk);
    this.keptBytes += chunk.length;
    this.endsWithLf = chunk[chunk.length - 1] === lf;
    if (this.keptBytes > maxEventBytes) throw new RangeError('event too large');
  }

  /** Index behind the last blank line, 0 when there is none; the first LF of a pair may be the last byte kept. */
  private lastEventEnd(chunk: Buffer): number {
    const pair = chunk.lastIndexOf('\n\n', undefined, 'latin1');
    if (pair >= 0) return pair + 2;
    return this.endsWithLf && chunk[0] === lf ? 1 : 0;
  }

  private normalise(incoming: Buffer): Buffer {
    let chunk = incoming;
    if (this.atStart && chunk.length > 0) {
      this.atStart = false;
      if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) chunk = chunk.subarray(3);
    }
    if (!this.sawCr && !chunk.includes(cr)) return chunk;
    this.sawCr = true;
    const out = Buffer.allocUnsafe(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (byte === cr) out[length++] = lf;
      // The LF of a CRLF: its CR has become the line end already, even when it closed the chunk before.
      else if (byte !== lf || !this.lastWasCr) out[length++] = byte;
      this.lastWasCr = byte === cr;
    }
    return out.subarray(0, length);
  }
}

/** One event of a block: where its bytes are and its data lines joined by LF (undefined for comments and other fields alone). */
export interface CutEvent {
  start: number;
  end: number;
  data: string | undefined;
}

/**
 * Splits a block of whole events into its events. The block is decoded as latin1, so that positions in the text are positions in
 * the bytes and nothing is copied twice; JSON is ASCII in its structure, and text taken from it is decoded again where it is counted.
 */
export function splitEvents(block: string): CutEvent[] {
  const events: CutEvent[] = [];
  let start = 0;
  while (start < block.length) {
    const pair = block.indexOf('\n\n', start);
    const end = pair < 0 ? block.length : pair + 2;
    events.push({
      start,
      end,
      data: readData(block, start, pair < 0 ? block.length : pair),
    });
    start = end;
  }
  return events;
}

function readData(block: string, start: number, end: number): string | undefined {
  // Nearly every event is one data line.
  if (block.startsWith('data:', start)) {
    const lineEnd = block.indexOf('\n', start);
    if (lineEnd < 0 || lineEnd >= end) return block.slice(block[start + 5] === ' ' ? start + 6 : start + 5, end);
  }
  let data: string | undefined;
  for (const line of block.slice(start, end).split('\n')) {
    if (!line.startsWith('data:')) continue;
    const text = line.slice(line[5] === ' ' ? 6 : 5);
    data = data === undefined ? text : `${data}\n${text}`;
  }
  return data;
}
