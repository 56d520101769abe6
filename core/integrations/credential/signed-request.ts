export interface SignedRequest {
  url: string;
  method: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** As it goes out: a signature covers every byte. */
  body: Buffer;
}
