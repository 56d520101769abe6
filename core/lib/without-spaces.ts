import type { Steps } from './steps.ts';

/** A long text takes the engine a second when every other character goes. */
const pieceCharacters = 64 * 1024;

/** Base64 as it may be written over many lines, in one. */
export function* withoutSpaces(text: string): Steps<string> {
  const pieces: string[] = [];
  let length = 0;
  for (let at = 0; at < text.length; at += pieceCharacters) {
    const piece = text.slice(at, at + pieceCharacters).replace(/\s+/g, '');
    pieces.push(piece);
    length += piece.length;
    yield;
  }
  return length === text.length ? text : pieces.join('');
}
