import { createHash } from 'node:crypto';

/** What an upstream takes as a tool's name. */
export interface NameRule {
  /** Every character that may be in a name. */
  letter: RegExp;
  /** A whole name, however long. */
  name: RegExp;
  maximum: number;
}

/**
 * Names of tools as an upstream takes them, and back. The same names always come out the same way, so that a conversation that is
 * sent again maps as it did before.
 */
export class ToolNames {
  /** Names that had to be changed: as they went out, to the client's. */
  readonly changed = new Map<string, string>();
  readonly #written = new Map<string, string>();
  readonly #taken: Set<string>;
  readonly #rule: NameRule;

  /** `names`: every name of the request, so that a changed one does not meet one that may stay. */
  constructor(rule: NameRule, names: Iterable<string>) {
    this.#rule = rule;
    this.#taken = new Set([...names].filter((name) => this.#fits(name)));
  }

  write(name: string): string {
    if (this.#fits(name)) return name;
    const known = this.#written.get(name);
    if (known !== undefined) return known;
    const { letter: fits, maximum } = this.#rule;
    // Of a longer one no more is kept; a letter is two units at most.
    const letters = [...name.slice(0, 2 * maximum + 2)];
    const spelled = letters.map((letter) => (fits.test(letter) ? letter : '_')).join('') || '_';
    // Some upstreams take not every letter as the first one.
    const cleaned = this.#rule.name.test(spelled) ? spelled : `_${spelled}`;
    const short = cleaned.slice(0, maximum);
    const fitting = this.#taken.has(short) || cleaned.length > maximum ? this.#suffixed(name, short) : short;
    this.#taken.add(fitting);
    this.#written.set(name, fitting);
    this.changed.set(fitting, name);
    return fitting;
  }

  #suffixed(name: string, short: string): string {
    const suffix = createHash('sha256').update(name).digest('hex').slice(0, 8);
    return `${short.slice(0, this.#rule.maximum - suffix.length - 1)}_${suffix}`;
  }

  #fits(name: string): boolean {
    return name.length <= this.#rule.maximum && this.#rule.name.test(name);
  }
}
