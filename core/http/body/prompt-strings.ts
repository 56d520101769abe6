import { schemaKeys } from '../../canonical/prompt-members.ts';
import type { JsonStringPiece, JsonStringSink } from '../../lib/json-scan.ts';
import { decodeString, wholeLength } from '../../lib/json-string-scan.ts';
import type { PromptTextReader } from '../../relay/call.ts';

/** A longer text is handed on before its end has come. */
const pieceBytes = 64 * 1024;

/** Decodes the strings of a scan as they pass. */
export class PromptStrings implements JsonStringSink {
  readonly #reader: PromptTextReader;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #key = '';
  #isContinued = false;

  constructor(reader: PromptTextReader) {
    this.#reader = reader;
  }

  piece(bytes: Buffer, piece: JsonStringPiece): void {
    // What a chunk cuts is kept until the next one comes, when this one's memory is used again.
    this.#pieces.push(piece.isLast ? bytes : Buffer.from(bytes));
    this.#bytes += bytes.length;
    if (piece.isLast) this.#end(piece);
    else if (this.#bytes >= pieceBytes) this.#handOn(piece);
  }

  #end({ isKey, countsKeys, hasEscape }: JsonStringPiece): void {
    const text = decodeString(this.#take(), hasEscape);
    const isContinued = this.#isContinued;
    this.#isContinued = false;
    if (!isKey) this.#reader.text(text, this.#key, isContinued);
    else if (countsKeys && !schemaKeys.has(text)) this.#reader.text(text, '', false);
    if (isKey) this.#key = text;
  }

  /** All but a character or an escape that is cut. */
  #handOn({ hasEscape, isInEscape }: JsonStringPiece): void {
    const bytes = this.#take();
    const end = wholeLength(bytes, isInEscape);
    this.#pieces = [bytes.subarray(end)];
    this.#bytes = bytes.length - end;
    this.#reader.text(decodeString(bytes.subarray(0, end), hasEscape), this.#key, this.#isContinued);
    this.#isContinued = true;
  }

  #take(): Buffer {
    const [first] = this.#pieces;
    const bytes = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces, this.#bytes);
    this.#pieces = [];
    this.#bytes = 0;
    return bytes;
  }
}
