import type { StreamDecoder } from './stream-decoder.ts';

/** A stream of one JSON object per line, as server-sent events. */
export function createJsonLineDecoder(): StreamDecoder {
  let isInLine = false;

  function push(bytes: Buffer): string {
    let text = '';
    for (const piece of bytes.toString('latin1').split(/(\n)/)) {
      if (piece === '\n') {
        if (isInLine) text += '\n\n';
        isInLine = false;
      } else if (isInLine) text += piece;
      else if (piece.trim() !== '') {
        text += `data: ${piece}`;
        isInLine = true;
      }
    }
    return text;
  }

  // A line without its end is read like any other: half an object is not JSON.
  return { push, end: () => {} };
}
