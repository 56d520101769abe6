import type { BodyEdit } from '../../canonical/body-edit.ts';
import type { JsonMember, JsonScan } from '../../lib/json-scan.ts';
import { type BodySegment, type BodyStore, sliceStore } from './body-source.ts';

/** The object with the edits applied; every byte that is not edited stays as the client sent it. */
export function editObject(store: BodyStore, size: number, scan: JsonScan, edits: BodyEdit[]): BodySegment[] {
  if (edits.length === 0) return [sliceStore(store, 0, size)];
  const changes = new Map(edits.map((edit) => ('set' in edit ? [edit.set, edit.raw] : [edit.drop, undefined])));
  const output = new SegmentList(store);
  output.copy(0, scan.open + 1);
  let hasMember = false;
  let end = scan.open + 1;
  for (const member of scan.members.values()) {
    const isDropped = changes.has(member.key) && changes.get(member.key) === undefined;
    if (!isDropped) {
      // What is before a member contains the comma, so the first one that is kept leaves it out.
      if (hasMember || end === scan.open + 1) output.copy(end, member.keyStart);
      copyMember(output, member, changes.get(member.key));
      hasMember = true;
    }
    end = member.valueEnd;
  }
  for (const [key, raw] of changes) {
    if (raw === undefined || scan.members.has(key)) continue;
    output.text(`${hasMember ? ',' : ''}${JSON.stringify(key)}:${raw}`);
    hasMember = true;
  }
  output.copy(end, size);
  return output.segments();
}

function copyMember(output: SegmentList, member: JsonMember, raw: string | undefined): void {
  output.copy(member.keyStart, raw === undefined ? member.valueEnd : member.valueStart);
  if (raw !== undefined) output.text(raw);
}

/** Joins adjacent ranges, so that a body with one edit is three segments however many members it has. */
class SegmentList {
  readonly #store: BodyStore;
  readonly #segments: BodySegment[] = [];
  #start = 0;
  #end = 0;

  constructor(store: BodyStore) {
    this.#store = store;
  }

  copy(start: number, end: number): void {
    if (start !== this.#end) {
      this.#close();
      this.#start = start;
    }
    this.#end = end;
  }

  text(text: string): void {
    this.#close();
    this.#segments.push(Buffer.from(text));
    this.#start = this.#end;
  }

  segments(): BodySegment[] {
    this.#close();
    return this.#segments;
  }

  #close(): void {
    if (this.#end > this.#start) this.#segments.push(sliceStore(this.#store, this.#start, this.#end));
    this.#start = this.#end;
  }
}
