/** The most one event may contain before the stream counts as broken. */
export const maxEventBytes = 16 * 1024 * 1024;

/** As one character for each byte. */
export const byteOrderMark = '\u00ef\u00bb\u00bf';

/**
 * Cuts a stream into blocks of whole server-sent events: `push` returns all up to the last event end it knows of, and keeps the
 * rest for the next call, so that a client never sees half an event. Lines may be split anywhere. Bytes come and go as latin1
 * text, one character each: searched and cut without a copy. Line ends of CRLF or CR come out as LF; a byte order mark at the
 * start is dropped. Throws RangeError for an event beyond maxEventBytes.
 */
export class EventCutter {
  private kept = '';
  private sawCr = false;
  private lastWasCr = false;
  private atStart = true;
  private beginning = '';
  private endsWithLf = false;

  push(incoming: string): string {
    const chunk = this.normalize(incoming);
    if (chunk === '') return '';
    const end = this.lastEventEnd(chunk);
    if (end === 0) {
      this.keep(chunk);
      return '';
    }
    const whole = end === chunk.length ? chunk : chunk.slice(0, end);
    const block = this.kept === '' ? whole : this.kept + whole;
    this.kept = '';
    this.endsWithLf = false;
    if (end < chunk.length) this.keep(chunk.slice(end));
    return block;
  }

  /** What is left when the stream ends: an event without its blank line, which still counts. */
  rest(): string {
    const rest = this.kept;
    this.kept = '';
    return rest;
  }

  private keep(chunk: string): void {
    this.kept += chunk;
    this.endsWithLf = chunk.endsWith('\n');
    if (this.kept.length > maxEventBytes) throw new RangeError('event too large');
  }

  /** Index behind the last blank line, 0 without one; the first LF of a pair may be the last byte kept. */
  private lastEventEnd(chunk: string): number {
    if (chunk.endsWith('\n\n')) return chunk.length;
    const pair = chunk.lastIndexOf('\n\n');
    if (pair >= 0) return pair + 2;
    return this.endsWithLf && chunk.startsWith('\n') ? 1 : 0;
  }

  private normalize(incoming: string): string {
    let chunk = incoming;
    if (this.atStart && chunk !== '') {
      chunk = this.beginning + chunk;
      // The mark may come in pieces.
      const isOpen = chunk.length < byteOrderMark.length && byteOrderMark.startsWith(chunk);
      this.beginning = isOpen ? chunk : '';
      if (isOpen) return '';
      this.atStart = false;
      if (chunk.startsWith(byteOrderMark)) chunk = chunk.slice(byteOrderMark.length);
    }
    if (chunk === '' || (!this.sawCr && !chunk.includes('\r'))) return chunk;
    this.sawCr = true;
    // The LF of a CRLF: its CR has become the line end already, when it closed the chunk before.
    const from = this.lastWasCr && chunk.startsWith('\n') ? 1 : 0;
    this.lastWasCr = chunk.endsWith('\r');
    return chunk.slice(from).replace(/\r\n?/g, '\n');
  }
}

/** One event of a block: where it stands and its data lines joined by LF (undefined for comments and other fields alone). */
export interface CutEvent {
  start: number;
  end: number;
  data: string | undefined;
}

/** Splits a block of whole events. JSON is ASCII in its structure; text taken from it is decoded again where it is counted. */
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
