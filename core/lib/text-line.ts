/**
 * The lines of a text that comes in pieces, as JSON lines are written: each ends with a line feed and nothing else. Node's own reader also
 * ends one at U+2028 and U+2029 since Node 24, which stand unescaped within JSON.
 */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const piece of pieces) {
    const [end = '', ...others] = piece.split('\n');
    begun.push(end);
    for (const next of others) {
      yield begun.join('');
      begun = [next];
    }
  }
  const last = begun.join('');
  if (last !== '') yield last;
}
