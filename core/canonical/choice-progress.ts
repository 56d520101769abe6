/**
 * Which answers of a stream have begun and which have ended. It is the one rule by which a stream without a terminal event counts
 * as whole: an answer has ended, and no other one is open.
 */
export class ChoiceProgress {
  readonly #begun = new Set<number>();
  readonly #finished = new Set<number>();

  begin(choice: number): void {
    this.#begun.add(choice);
  }

  finish(choice: number): void {
    this.#begun.add(choice);
    this.#finished.add(choice);
  }

  hasFinished(choice: number): boolean {
    return this.#finished.has(choice);
  }

  get isWhole(): boolean {
    return this.#finished.size > 0 && this.#finished.size === this.#begun.size;
  }
}
