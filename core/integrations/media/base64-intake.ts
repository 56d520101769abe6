/** Bytes as base64, made as they arrive: as bytes again, so that a picture never is in the heap as a text. */
export class Base64Intake {
  readonly pieces: Buffer[] = [];
  /** Fewer than three bytes, which have no base64 of their own. */
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    this.#rest = Buffer.from(bytes.subarray(whole));
    if (whole > 0) this.#add(bytes.subarray(0, whole));
  }

  end(): Buffer[] {
    if (this.#rest.length > 0) this.#add(this.#rest);
    return this.pieces;
  }

  #add(bytes: Buffer): void {
    this.pieces.push(Buffer.from(bytes.toString('base64'), 'latin1'));
  }
}
