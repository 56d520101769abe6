/** Strings, and what opens, closes and separates in JSON; everything else between them says nothing about keys. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gs;

/**
 * Whether an object anywhere in a JSON text names a key twice, however it is escaped. A parser takes one of the two, and it is not
 * knows which one another parser takes. The text must be JSON.
 */
export function hasRepeatedKey(json: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [found] of json.matchAll(token)) {
    if (found === '{') open.push(new Set());
    else if (found === '[') open.push(undefined);
    else if (found === '}' || found === ']') open.pop();
    else if (found === ':') {
      const keys = open.at(-1);
      const key = JSON.parse(last) as string;
      if (keys?.has(key)) return true;
      keys?.add(key);
    } else last = found;
  }
  return false;
}
