/** A change of one top-level key of a JSON body (or of one form field). `raw` is JSON text. When a key is named twice the last one counts. */
export type BodyEdit = { set: string; raw: string } | { drop: string };
