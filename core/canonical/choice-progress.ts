/**
 * Which choices of a stream have begun and which have ended. It is the one rule by which a stream without a terminal event counts
 * as whole: as many choices have ended as were requested, and no other one is open. A terminal event (`[DONE]`) is the upstream's
 * word that nothing is missing: vendors that ignore `n` and send one choice close it so.
 */
export class ChoiceProgress {
  readonly #begun = new Set<number>();
  readonly #finished = new Set<number>();
  readonly #asked: number;

  constructor(asked = 1) {
    this.#asked = asked;
  }

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

  /** Choices that have begun and not ended. */
  get open(): number[] {
    return [...this.#begun].filter((choice) => !this.#finished.has(choice));
  }

  get isWhole(): boolean {
    return this.#finished.size >= this.#asked && this.#finished.size === this.#begun.size;
  }
}
