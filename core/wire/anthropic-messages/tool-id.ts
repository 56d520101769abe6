import { createHash } from 'node:crypto';

const accepted = /^[a-zA-Z0-9_-]+$/;

/**
 * Ids of tool calls as Anthropic takes them, each once in a conversation: upstreams that number their calls use one again in
 * every turn. The same conversation always gets the same ids.
 */
export class ToolIds {
  readonly #uses = new Map<string, number>();
  readonly #latest = new Map<string, string>();

  /** For a call. */
  assign(id: string): string {
    const uses = (this.#uses.get(id) ?? 0) + 1;
    this.#uses.set(id, uses);
    const base = accepted.test(id) ? id : `toolu_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;
    const written = uses === 1 ? base : `${base}_${uses}`;
    this.#latest.set(id, written);
    return written;
  }

  /** For the result of the latest call with that id. */
  latest(id: string): string {
    return this.#latest.get(id) ?? id;
  }
}
