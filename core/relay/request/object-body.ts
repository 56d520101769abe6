import { Readable } from 'node:stream';
import type { BodyEdit } from '../../canonical/body-edit.ts';
import type { RequestFields } from '../../canonical/request.ts';
import { type EmbedText, writeJsonInSteps } from '../../lib/json-step-write.ts';
import { RawJson, writeJson } from '../../lib/raw-json.ts';
import type { PromptTextReader, RelayBody } from '../call.ts';
import { unboundedRoom } from '../limit/memory-budget.ts';
import type { PromptMeasure } from '../meter/estimate.ts';
import { readObjectTexts } from './prompt-text.ts';

/** What is made of calls beyond this is made in steps. */
export const longBytes = 128 * 1024;

const unmeasured: PromptMeasure = { promptBytes: 0, mediaParts: 0 };

/** A JSON body that was made here: of a converted call, or of a test. May contain `RawJson`. */
export class ObjectBody implements RelayBody {
  readonly measure = unmeasured;
  readonly size = 0;
  /** It is made of another body, which has the room. */
  readonly room = unboundedRoom;
  readonly #object: Record<string, unknown>;
  #written: ReadonlyMap<string, Buffer[]> | undefined;

  constructor(object: Record<string, unknown>) {
    this.#object = object;
  }

  get fields(): RequestFields {
    const object = this.#object;
    return {
      has: (key) => object[key] !== undefined,
      value: (key) => object[key],
      count: (key) => (Array.isArray(object[key]) ? (object[key] as unknown[]).length : undefined),
    };
  }

  json(): Record<string, unknown> {
    return this.#object;
  }

  readTexts(reader: PromptTextReader): undefined {
    readObjectTexts(this.#object, reader);
  }

  mentions(): boolean {
    return false;
  }

  /** Writes a long body beforehand, in steps; `embed` gives the bytes that stand for a text. */
  async prepare(embed?: EmbedText): Promise<void> {
    const written = new Map<string, Buffer[]>();
    for (const [key, value] of Object.entries(this.#object)) {
      if (value !== undefined) written.set(key, await writeJsonInSteps(value, embed));
    }
    this.#written = written;
  }

  source(edits: BodyEdit[]): { length: number; contentType: string; open(): Buffer | Readable } {
    if (this.#written) return sourceOf(joinMembers(this.#written, edits));
    const edited = { ...this.#object };
    for (const edit of edits) {
      if ('set' in edit) edited[edit.set] = new RawJson(edit.raw);
      else delete edited[edit.drop];
    }
    return sourceOf([Buffer.from(writeJson(edited))]);
  }

  dispose(): undefined {
    return undefined;
  }
}

function joinMembers(written: ReadonlyMap<string, Buffer[]>, edits: BodyEdit[]): Buffer[] {
  const members = new Map(written);
  for (const edit of edits) {
    if ('set' in edit) members.set(edit.set, [Buffer.from(edit.raw)]);
    else members.delete(edit.drop);
  }
  const pieces: Buffer[] = [];
  for (const [key, value] of members) {
    pieces.push(Buffer.from(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(key)}:`), ...value);
  }
  return [...pieces, Buffer.from(pieces.length === 0 ? '{}' : '}')];
}

/** Pieces are sent one by one: joining them would take the memory of the whole once more. */
function sourceOf(pieces: Buffer[]): { length: number; contentType: string; open(): Buffer | Readable } {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const [only] = pieces;
  const open = () => (pieces.length === 1 && only ? only : Readable.from(pieces, { objectMode: false }));
  return { length, contentType: 'application/json', open };
}
