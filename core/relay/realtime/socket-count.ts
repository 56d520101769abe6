/** Open sessions by token. */
export class SocketCount {
  readonly #counts = new Map<number, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** False when the token has as many as it may. */
  enter(tokenId: number): boolean {
    const count = this.#counts.get(tokenId) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(tokenId, count + 1);
    return true;
  }

  leave(tokenId: number): void {
    const left = (this.#counts.get(tokenId) ?? 1) - 1;
    if (left === 0) this.#counts.delete(tokenId);
    else this.#counts.set(tokenId, left);
  }
}
