import { isJsonObject, type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';
import { type ReferencePlace, resolveReference } from './schema-reference.ts';

type Path = readonly string[];

/** A schema, and the references that were followed to it. */
interface Piece {
  schema: JsonObject;
  path: Path;
}

export interface MergedSchema {
  /** Without `allOf` and `const`. */
  schema: JsonObject;
  /** References followed on the way to a member, or to one of its properties: what is beside it may have come another way. */
  pathOf(member: string, property?: string): Path;
}

/** All of several schemas are one schema. Generators put a reference there that they have something to say beside. */
export function mergeAll(schema: JsonObject, place: ReferencePlace): MergedSchema {
  if (recordsOf(schema.allOf).length === 0) return { schema: withConst(schema), pathOf: () => place.path };
  const merge = new Merge();
  for (const piece of piecesOf({ schema, path: place.path }, place.root, new Set())) merge.add(piece);
  const merged = merge.end();
  return { schema: merged, pathOf: (member, property) => merge.paths.get(keyOf(member, property)) ?? place.path };
}

/** What is to be one schema, in order. `seen`: what has been said once says nothing new a second time. */
function* piecesOf({ schema, path }: Piece, root: JsonObject, seen: Set<string>): Generator<Piece> {
  const { allOf, ...own } = schema;
  yield { schema: withConst(own), path };
  for (const part of recordsOf(allOf)) yield* piecesOf(resolveReference(part, { root, path }, seen), root, seen);
}

class Merge {
  readonly paths = new Map<string, Path>();
  readonly #merged: JsonObject = {};
  /** Schemas of one property, or of the items, that all hold. */
  readonly #gathered = new Map<string, Piece[]>();
  readonly #properties = new Set<string>();
  readonly #required = new Set<unknown>();

  add({ schema, path }: Piece): void {
    for (const [member, value] of Object.entries(schema)) {
      if (member === 'properties' && isJsonObject(value)) this.#addProperties(value, path);
      else if (member === 'required' && Array.isArray(value)) for (const name of value) this.#required.add(name);
      else if (member === 'items' && isJsonObject(value)) this.#gather(member, { schema: value, path });
      else this.#addMember(member, value, path);
    }
  }

  end(): JsonObject {
    const merged = this.#merged;
    const properties = [...this.#properties].map((name) => [name, this.#whole(keyOf('properties', name))]);
    if (properties.length > 0) merged.properties = Object.fromEntries(properties);
    if (this.#gathered.has('items')) merged.items = this.#whole('items');
    if (this.#required.size > 0) merged.required = [...this.#required];
    return merged;
  }

  #addProperties(properties: JsonObject, path: Path): void {
    for (const [name, property] of Object.entries(properties)) {
      this.#properties.add(name);
      this.#gather(keyOf('properties', name), { schema: recordOf(property), path });
    }
  }

  #gather(key: string, piece: Piece): void {
    const pieces = this.#gathered.get(key);
    if (!pieces) this.#gathered.set(key, [piece]);
    else if (!pieces.some(({ schema }) => schema === piece.schema)) pieces.push(piece);
  }

  #whole(key: string): JsonObject {
    const pieces = this.#gathered.get(key) ?? [];
    this.paths.set(key, unionOf(pieces.map(({ path }) => path)));
    const [only, ...others] = pieces;
    return only && others.length === 0 ? only.schema : { allOf: pieces.map(({ schema }) => schema) };
  }

  #addMember(member: string, value: unknown, path: Path): void {
    const before = this.#merged[member];
    const known = this.paths.get(member) ?? [];
    this.#merged[member] = before === undefined ? value : bothOf(member, before, value);
    if (before === undefined) this.paths.set(member, path);
    else if (this.#merged[member] !== before) this.paths.set(member, unionOf([known, path]));
  }
}

function keyOf(member: string, property?: string): string {
  return property === undefined ? member : `${member}/${property}`;
}

function unionOf(paths: readonly Path[]): Path {
  const [only, ...others] = paths;
  return only && others.length === 0 ? only : [...new Set(paths.flat())];
}

/** What holds when both do, as far as one schema can say it; else what came first. */
function bothOf(member: string, first: unknown, second: unknown): unknown {
  if (member === 'enum' && Array.isArray(first) && Array.isArray(second)) return commonValues(first, second);
  if (member === 'type') return commonType(first, second);
  if (member === 'anyOf' || member === 'oneOf') return pairsOf(recordsOf(first), recordsOf(second));
  if (typeof first !== 'number' || typeof second !== 'number') return first;
  if (/^(min|exclusiveMin)/.test(member)) return Math.max(first, second);
  return /^(max|exclusiveMax)/.test(member) ? Math.min(first, second) : first;
}

function commonValues(first: unknown[], second: unknown[]): unknown[] {
  const others = new Set(second.map((value) => JSON.stringify(value)));
  const common = first.filter((value) => others.has(JSON.stringify(value)));
  return common.length > 0 ? common : first;
}

function commonType(first: unknown, second: unknown): unknown {
  const [own, others] = [[first].flat(), [second].flat()];
  const common = own.flatMap((type) => {
    if (others.includes(type)) return [type];
    // Every integer is a number.
    const isInteger = type === 'integer' ? others.includes('number') : type === 'number' && others.includes('integer');
    return isInteger ? ['integer'] : [];
  });
  if (common.length === 0) return first;
  return common.length === 1 ? common[0] : common;
}

/** More alternatives than a schema has that a person wrote. */
const maxPairs = 32;

/** One of these and one of those. */
function pairsOf(first: JsonObject[], second: JsonObject[]): JsonObject[] {
  if (first.length * second.length > maxPairs) return first;
  const pairs = first.flatMap((one) => second.flatMap((other) => pairOf(one, other)));
  return pairs.length > 0 ? pairs : first;
}

function pairOf(one: JsonObject, other: JsonObject): JsonObject[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return [one];
  const isImpossible = one.type !== undefined && other.type !== undefined && one.type !== other.type;
  return isImpossible ? [] : [{ allOf: [one, other] }];
}

function withConst(schema: JsonObject): JsonObject {
  if (!('const' in schema)) return schema;
  const { const: value, ...rest } = schema;
  return { ...rest, enum: [value] };
}
