import { createStoredValue } from '../../state/stored-value.ts';

/** Three to one against white and against the dark surface, and apart from each other. */
const palette = [
  '#1c8b9c',
  '#d1602a',
  '#8b6cf0',
  '#4f8f2f',
  '#d64a8a',
  '#3d82d6',
  '#a67c00',
  '#2f9e76',
  '#c25b5b',
  '#b552b8',
  '#5f8aa8',
  '#8a7460',
];
const otherColor = '#7d858d';

/** Which model has which color, for good: a filter, a ranking or another day must not make one model look like another. */
const storedColors = createStoredValue<Record<string, number>>('model-colors', (stored) =>
  typeof stored === 'object' && stored !== null && Object.values(stored).every(Number.isInteger)
    ? (stored as Record<string, number>)
    : {},
);

/** Gives a color to each model without one: by its name, so that it is the same in every browser, or the next that no other of these has. */
export function assignColors(names: string[]): void {
  const known = storedColors.get();
  const added: Record<string, number> = { ...known };
  for (const name of names) {
    if (name === '' || Object.hasOwn(added, name)) continue;
    const shown = new Set(names.map((other) => added[other]));
    const own = hashOf(name) % palette.length;
    const order = palette.map((_color, step) => (own + step) % palette.length);
    added[name] = order.find((index) => !shown.has(index)) ?? own;
  }
  if (Object.keys(added).length > Object.keys(known).length) storedColors.set(added);
}

/** FNV-1a: names that differ by a letter are far apart. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/** The model's color in every chart of the page. */
export function modelColor(name: string): string {
  const index = name === '' ? undefined : storedColors.get()[name];
  return index === undefined ? otherColor : (palette[index % palette.length] ?? otherColor);
}

export const callColor = palette[0] ?? otherColor;
export const tokenColor = palette[1] ?? otherColor;

export const outcomeColors = { ok: '#2f9e76', cut: '#b98300', refused: '#8b6cf0', failed: '#e0474c' } as const;
