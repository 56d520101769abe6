/**
 * Something a client asked for that the upstream's protocol cannot say. Dropped and emulated ones are named in the log row and in
 * the `x-tollgate-dropped` header; what changes the response beyond that is refused with `convert.notPossible` instead.
 */
export interface Loss {
  /** Field as the client's protocol spells it: `seed`, `messages.2.content.0.cache_control`. */
  field: string;
  kind: 'dropped' | 'emulated';
}

/** Collects losses without repeating a field. */
export class Losses {
  readonly list: Loss[] = [];
  readonly #known = new Set<string>();

  drop(field: string): void {
    this.add({ field, kind: 'dropped' });
  }

  emulate(field: string): void {
    this.add({ field, kind: 'emulated' });
  }

  private add(loss: Loss): void {
    const key = `${loss.kind} ${loss.field}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.list.push(loss);
  }
}
