/** Base64 and the like: unreadable, and it fills screens. */
const maxBlobLength = 120;
const blob = /^(?:[\w-]+:[\w/.+;=-]*,)?[A-Za-z0-9+/_=-]+$/;
const shownOfBlob = 40;

/**
 * JSON text with a line per value. The text itself is laid out, not what it means: numbers beyond 2^53 and doubled keys stay as they
 * are sent. `shortened` says how a long blob is marked.
 */
export function prettyJson(text: string, shortened: (characters: number) => string): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let result = '';
  let depth = 0;
  const feed = () => `\n${'  '.repeat(depth)}`;
  for (const [index, token] of tokens.entries()) {
    const isEmpty = /[{[]/.test(tokens[index - 1] ?? '');
    if (token === '{' || token === '[') {
      depth += 1;
      result += /[}\]]/.test(tokens[index + 1] ?? '') ? token : token + feed();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      result += isEmpty ? token : feed() + token;
    } else if (token === ',') {
      result += `,${feed()}`;
    } else if (token === ':') {
      result += ': ';
    } else {
      result += shorten(token, shortened);
    }
  }
  return result;
}

function shorten(token: string, shortened: (characters: number) => string): string {
  if (!token.startsWith('"') || token.length <= maxBlobLength) return token;
  const inside = token.slice(1, -1);
  return blob.test(inside) ? `"${inside.slice(0, shownOfBlob)}… ${shortened(inside.length)}"` : token;
}
