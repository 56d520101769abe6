/** As far as the end of a text is searched for what comes again. */
const searched = 400;
/** Fewer characters than these are the same by chance. */
const minOverlap = 12;

/** Where a text goes on: what it ends with, and the other begins with, is kept from coming twice. */
export class Joint {
  private readonly endings: readonly string[];
  private held = '';
  private isSettled = false;

  /** `repeats`: the other may repeat words; else only the blanks at the end, which it was not shown. */
  constructor(text: string, repeats: boolean) {
    const tail = text.slice(-searched);
    const endings = Array.from({ length: tail.length }, (_, at) => tail.slice(at));
    this.endings = endings.filter((ending) => ending.trim() === '' || (repeats && ending.length >= minOverlap));
  }

  /** What of a piece is new; '' while that cannot be told yet. */
  push(piece: string): string {
    if (this.isSettled) return piece;
    this.held += piece;
    const mayGrow = this.endings.some((ending) => ending.length > this.held.length && ending.startsWith(this.held));
    return mayGrow ? '' : this.settle();
  }

  /** Nothing more will come. */
  settle(): string {
    if (this.isSettled) return '';
    this.isSettled = true;
    const repeated = this.endings.find((ending) => this.held.startsWith(ending)) ?? '';
    return this.held.slice(repeated.length);
  }
}
