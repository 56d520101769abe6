import type { RequestFields } from '../canonical/request.ts';
import { RawJson, writeJson } from '../lib/raw-json.ts';
import type { BodyEdit } from '../providers/adapter.ts';
import type { PromptTextReader, RelayBody } from './call.ts';
import type { PromptMeasure } from './estimate.ts';
import { readObjectTexts } from './prompt-text.ts';

const unmeasured: PromptMeasure = { promptBytes: 0, mediaParts: 0 };

/** A JSON body that was made here: of a converted call, or of a test. May hold `RawJson`. */
export class ObjectBody implements RelayBody {
  readonly measure = unmeasured;
  readonly size = 0;
  readonly #object: Record<string, unknown>;

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

  /** It is made of another body, which has the room. */
  reserve(): undefined {
    return undefined;
  }

  mentions(): boolean {
    return false;
  }

  source(edits: BodyEdit[]): { length: number; contentType: string; open(): Buffer } {
    const edited = { ...this.#object };
    for (const edit of edits) {
      if ('set' in edit) edited[edit.set] = new RawJson(edit.raw);
      else delete edited[edit.drop];
    }
    const bytes = Buffer.from(writeJson(edited));
    return { length: bytes.length, contentType: 'application/json', open: () => bytes };
  }

  dispose(): undefined {
    return undefined;
  }
}
