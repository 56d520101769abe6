import type { StreamDecoder } from '../../wire/stream-decoder.ts';

/**
 * The stream of version 3: events whose data is plain text, with a line of their own for the usage. Each comes out as one event with
 * JSON in it. Text is latin1, one character for each byte.
 */
export function createOlderDecoder(): StreamDecoder {
  let kept = '';
  /** A document in place of the stream passes as it is. */
  let isDocument: boolean | undefined;

  function push(bytes: Buffer): string {
    const [first] = bytes.toString('latin1').trimStart();
    isDocument ??= first === undefined ? undefined : first === '{';
    if (isDocument) return bytes.toString('latin1');
    kept = (kept + bytes.toString('latin1')).replace(/\r\n/g, '\n');
    const blocks = kept.split('\n\n');
    kept = blocks.pop() ?? '';
    // The last event may come without its blank line.
    if (isWhole(kept)) {
      blocks.push(kept);
      kept = '';
    }
    return blocks.map(writeEvent).join('');
  }

  function end(): void {
    if (kept.trim() !== '') throw new RangeError('the stream ended inside an event');
  }

  return { push, end };
}

/** Nothing follows the line of the usage. */
function isWhole(block: string): boolean {
  const meta = /(?:^|\n)meta:(\{.*\})\n?$/.exec(block)?.[1];
  if (meta === undefined) return false;
  try {
    JSON.parse(meta);
    return true;
  } catch {
    return false; // half of it
  }
}

/** Spaces in front are the text's own. */
function writeEvent(block: string): string {
  const lines = block.split('\n').filter((line) => line !== '');
  if (lines.length === 0) return '';
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1));
  const event = { event: valuesOf('event')[0]?.trim(), id: valuesOf('id')[0]?.trim(), meta: valuesOf('meta')[0] };
  return `data: ${JSON.stringify({ ...event, data: valuesOf('data').join('\n') })}\n\n`;
}
