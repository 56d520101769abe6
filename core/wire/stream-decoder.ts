/** Turns the bytes of a stream that is not made of server-sent events into such events, as latin1 text. */
export interface StreamDecoder {
  /** Whole events only; what is not complete is kept. Throws for bytes that cannot be the framing. */
  push(bytes: Buffer): string;
  /** Throws when the bytes ended inside a frame. */
  end(): void;
}
