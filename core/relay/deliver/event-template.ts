import type { EventReading } from '../../wire/protocol.ts';

/** Vendors that change something else in every event (a time, a padding) are given up on after this many. */
const maxTries = 4;
const probe = 'probe';
/** What JSON writes otherwise than it reads, so that the text between the quotes is not the text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside a string.
const special = /["\\\u0000-\u001f]/;

/**
 * Reads the events of a stream that differ in one piece of text only, as nearly all do, without parsing them: an event with the
 * same beginning and the same end as one that was parsed, and between them text that JSON writes as it is, is the same JSON with
 * another text. That this text is what the protocol reads, and that nothing else of the event tells anything, is tried out once.
 */
export class EventTemplate {
  private readonly read: (event: unknown) => EventReading;
  private start = '';
  private end = '';
  private tries = maxTries;
  private readonly isInOrder: boolean;
  private isCurrent = true;

  /**
   * `isInOrder`: what an event says depends on those before it. Then only an event right behind one of the same pattern is told
   * without parsing: whatever else came between may have changed what its text counts for.
   */
  constructor(read: (event: unknown) => EventReading, isInOrder = false) {
    this.read = read;
    this.isInOrder = isInOrder;
  }

  /** The text of an event like the one that was learned, else undefined: then it must be parsed. */
  textOf(data: string): string | undefined {
    const { start, end } = this;
    const textEnd = data.length - end.length;
    if (start === '' || !this.isCurrent || textEnd < start.length) return undefined;
    // Not `startsWith` and `endsWith`: V8 compiles them to a loop over single characters, ten times as slow for texts this long.
    if (data.slice(0, start.length) !== start || data.slice(textEnd) !== end) return undefined;
    const text = data.slice(start.length, textEnd);
    return special.test(text) ? undefined : text;
  }

  /** An event of the pattern with this text. */
  write(text: string): string {
    return this.start + text + this.end;
  }

  /** Takes an event that was parsed as the pattern of those to come. */
  learn(data: string, { text }: EventReading): void {
    this.take(data, text);
    if (this.isInOrder) this.isCurrent = this.isLike(data, text);
  }

  private take(data: string, text: string): void {
    if (this.tries === 0 || text === '' || special.test(text)) return;
    const written = `"${text}"`;
    const at = data.lastIndexOf(written);
    // Another text of the same event may be the same by chance; the next event will tell them apart.
    if (at < 0 || data.indexOf(written) !== at) return;
    const start = data.slice(0, at + 1);
    const end = data.slice(at + 1 + text.length);
    // It is known, and only the text of this event could not be told without parsing.
    if (start === this.start && end === this.end) return;
    this.tries -= 1;
    if (!this.isPlain(`${start}${probe}${end}`)) return;
    this.start = start;
    this.end = end;
  }

  /** The event is the pattern with its text, which may be there escaped. */
  private isLike(data: string, text: string): boolean {
    const written = special.test(text) ? JSON.stringify(text).slice(1, -1) : text;
    return text !== '' && data === this.start + written + this.end;
  }

  private isPlain(data: string): boolean {
    const { text, usage, usageOnly, finished, error } = this.read(JSON.parse(data));
    return text === probe && usage === undefined && !usageOnly && !finished && !error;
  }
}
