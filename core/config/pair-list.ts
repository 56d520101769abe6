/** `name=value,name=value`, with percent signs for what would end a value; undefined when it is something else. */
export function pairsOf(text: string): [string, string][] | undefined {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  const pairs: [string, string][] = [];
  for (const part of parts) {
    const at = part.indexOf('=');
    const key = part.slice(0, Math.max(at, 0)).trim();
    if (key === '') return undefined;
    try {
      pairs.push([key, decodeURIComponent(part.slice(at + 1).trim())]);
    } catch {
      return undefined; // a percent sign that begins nothing
    }
  }
  return pairs;
}
