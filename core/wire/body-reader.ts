import { isJsonObject } from '../lib/json-value.ts';
import { mapInSteps, type Steps } from '../lib/steps.ts';
import { wrong } from './request-field.ts';

/** What was not read of an object that was read in part, under its name; empty where all was read. */
export function restOf(key: string, record: BodyReader | undefined): Record<string, unknown> {
  const rest = record?.rest() ?? {};
  return Object.keys(rest).length > 0 ? { [key]: rest } : {};
}

/**
 * Reads the members of one JSON object and remembers which, so that the rest can be kept. `null` counts as left out, as SDKs
 * send it for unset options. Wrong types are refused with the member's whole path.
 */
export class BodyReader {
  readonly #body: Record<string, unknown>;
  readonly #path: string;
  readonly #read = new Set<string>();

  constructor(body: Record<string, unknown>, path = '') {
    this.#body = body;
    this.#path = path;
  }

  /** Throws when the value is not an object. */
  static of(value: unknown, path: string): BodyReader {
    if (!isJsonObject(value)) throw wrong('request.notObject', path);
    return new BodyReader(value, path);
  }

  at(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`;
  }

  raw(key: string): unknown {
    this.#read.add(key);
    return this.#body[key] ?? undefined;
  }

  text(key: string): string | undefined {
    const value = this.raw(key);
    if (value !== undefined && typeof value !== 'string') throw wrong('request.notText', this.at(key));
    return value;
  }

  requireText(key: string): string {
    const value = this.text(key);
    if (value === undefined) throw wrong('request.fieldMissing', this.at(key));
    return value;
  }

  boolean(key: string): boolean | undefined {
    const value = this.raw(key);
    if (value !== undefined && typeof value !== 'boolean') throw wrong('request.notBoolean', this.at(key));
    return value;
  }

  number(key: string, minimum: number, maximum: number): number | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !(value >= minimum && value <= maximum))
      throw wrong('request.notNumber', this.at(key), { minimum, maximum });
    return value;
  }

  integer(key: string, minimum: number, maximum: number): number | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum || value > maximum)
      throw wrong('request.notInteger', this.at(key), { minimum, maximum });
    return value;
  }

  record(key: string): BodyReader | undefined {
    const value = this.raw(key);
    return value === undefined ? undefined : BodyReader.of(value, this.at(key));
  }

  plain(key: string): Record<string, unknown> | undefined {
    const value = this.raw(key);
    if (value !== undefined && !isJsonObject(value)) throw wrong('request.notObject', this.at(key));
    return value;
  }

  list(key: string): unknown[] | undefined {
    const value = this.raw(key);
    if (value !== undefined && !Array.isArray(value)) throw wrong('request.notList', this.at(key));
    return value;
  }

  records(key: string): BodyReader[] {
    return (this.list(key) ?? []).map((value, index) => this.#item(key, value, index));
  }

  /** What `read` makes of each object of a list that may be long. */
  mapRecords<T>(key: string, read: (record: BodyReader, index: number) => T): Steps<T[]> {
    return mapInSteps(this.list(key) ?? [], (value, index) => read(this.#item(key, value, index), index));
  }

  /** Each object of a list that may be long. */
  *eachRecord(key: string): Generator<BodyReader, void, undefined> {
    for (const [index, value] of (this.list(key) ?? []).entries()) yield this.#item(key, value, index);
  }

  texts(key: string): string[] | undefined {
    return this.list(key)?.map((value, index) => {
      if (typeof value !== 'string') throw wrong('request.notText', `${this.at(key)}.${index}`);
      return value;
    });
  }

  #item(key: string, value: unknown, index: number): BodyReader {
    return BodyReader.of(value, `${this.at(key)}.${index}`);
  }

  /** Everything, as it came. */
  whole(): Record<string, unknown> {
    return this.#body;
  }

  /** The members that were not read. */
  rest(): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this.#body).filter(([key, value]) => !this.#read.has(key) && value !== null),
    );
  }
}
