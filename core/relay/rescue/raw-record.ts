import type { EventTemplate } from '../deliver/event-template.ts';

/** A stream longer than this is not carried on by another upstream: what is kept of all streams has to stay small. */
const maxLength = 1024 * 1024;
const piecesAtOnce = 32;

/**
 * The events of a stream that go to the client as they are, until one is needed to tell how far the client is. Events that differ in
 * their text alone are kept as one with the text of all of them.
 */
export class RawRecord {
  private readonly template: EventTemplate | undefined;
  private kept: string[] = [];
  private pieces: string[] = [];
  private length = 0;

  constructor(template: EventTemplate | undefined) {
    this.template = template;
  }

  /** Text of an event like the template. */
  noteText(text: string): void {
    this.pieces.push(text);
    if (this.pieces.length >= piecesAtOnce) this.pieces = [this.pieces.join('')];
    this.grow(text.length);
  }

  /** To be called before the template learns another event. */
  closeRun(): void {
    if (this.pieces.length === 0) return;
    this.kept.push(this.template?.write(this.pieces.join('')) ?? '');
    this.pieces = [];
  }

  note(data: string): void {
    this.kept.push(data);
    this.grow(data.length);
  }

  /** Data of the events so far, as latin1 text; undefined when they were too many. */
  events(): readonly string[] | undefined {
    this.closeRun();
    return this.length > maxLength ? undefined : this.kept;
  }

  private grow(length: number): void {
    this.length += length;
    if (this.length <= maxLength) return;
    this.kept = [];
    this.pieces = [];
  }
}
