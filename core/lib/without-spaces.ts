import type { Steps } from './steps.ts';

const pieceCharacters = 64 * 1024;
const [tab, carriageReturn, space] = [0x09, 0x0d, 0x20];

/**
 * Base64 as it may be written over many lines, in one. On bytes: `replace` remembers every place it changed, which takes most of a
 * second when every other character of a long text goes.
 */
export function* withoutSpaces(text: string): Steps<string> {
  const pieces: string[] = [];
  let isChanged = false;
  for (let at = 0; at < text.length; at += pieceCharacters) {
    const piece = text.slice(at, at + pieceCharacters);
    const hasSpace = /\s/.test(piece);
    pieces.push(hasSpace ? packed(piece) : piece);
    isChanged ||= hasSpace;
    yield;
  }
  return isChanged ? pieces.join('') : text;
}

function packed(piece: string): string {
  const bytes = Buffer.from(piece);
  let length = 0;
  for (const byte of bytes) {
    if (byte === space || (byte >= tab && byte <= carriageReturn)) continue;
    bytes[length] = byte;
    length += 1;
  }
  return bytes.toString('utf8', 0, length);
}
