/** What a list is narrowed to: words that search, and `key:value` words. */
export interface Filter {
  keyword: string;
  values: Record<string, string>;
  /** Words that look like a filter the list does not have. */
  unknown: string[];
}

/** `key:"two words"` is one word. */
export function parseFilter(text: string, keys: readonly string[]): Filter {
  const filter: Filter = { keyword: '', values: {}, unknown: [] };
  const words: string[] = [];
  for (const [word] of text.matchAll(/(?:[^\s"]|"[^"]*"?)+/g)) {
    const [, key = '', value = ''] = /^([a-z_]+):(.*)$/i.exec(word) ?? [];
    if (key === '') words.push(unquoted(word));
    else if (keys.includes(key.toLowerCase())) filter.values[key.toLowerCase()] = unquoted(value);
    // An address is text to search for.
    else if (value.startsWith('//')) words.push(word);
    else filter.unknown.push(word);
  }
  filter.keyword = words.join(' ');
  return filter;
}

const unquoted = (text: string) => text.replaceAll('"', '');
