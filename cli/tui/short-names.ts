import { cut, widthOf } from './fit.ts';

const namesShown = 3;

/** The first names that fit into so many cells, and how many more there are: `7 (ci), 8 (web), +12`. The sentence around them must be seen, too. */
export function shortNames(names: readonly string[], width: number, ellipsis: string): string {
  const [first = ''] = names;
  let text = cut(first, width, ellipsis);
  let count = 1;
  for (const name of names.slice(1, namesShown)) {
    if (widthOf(text) + widthOf(name) + 2 > width) break;
    text += `, ${name}`;
    count += 1;
  }
  return names.length > count ? `${text}, +${names.length - count}` : text;
}
