import type { StreamDecoder } from './stream-decoder.ts';

const field = 'event:';

/**
 * For streams whose events tell their kind by their `event:` line alone: the name becomes an event of its own, `{"event":"..."}`,
 * before the data it belongs to.
 */
export function createEventNameDecoder(): StreamDecoder {
  /** The beginning of a line that may become a name. */
  let held = '';
  let isAtStart = true;

  function push(bytes: Buffer): string {
    let text = '';
    for (const piece of (held + bytes.toString('latin1')).split(/(?<=\n)/)) {
      held = '';
      const isWhole = piece.endsWith('\n');
      const mayBeName = isAtStart && (piece.startsWith(field) || (!isWhole && field.startsWith(piece)));
      if (mayBeName && !isWhole) held = piece;
      else {
        text += mayBeName ? named(piece) : piece;
        isAtStart = isWhole;
      }
    }
    return text;
  }

  return { push, end: () => {} };
}

function named(line: string): string {
  return `data: ${JSON.stringify({ event: line.slice(field.length).trim() })}\n\n`;
}
