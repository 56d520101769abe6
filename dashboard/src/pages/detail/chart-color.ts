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
  '#b05f8f',
  '#2f9e76',
  '#c25b5b',
  '#6f7fd8',
  '#7f8a2e',
  '#a45fd0',
  '#5f8aa8',
  '#b8763d',
  '#8a7460',
];
const otherColor = '#7d858d';

/** Which model has which color, for good: a filter, a ranking or another day must not make one model look like another. */
const storedColors = createStoredValue<Record<string, number>>('chart-colors', (stored) =>
  typeof stored === 'object' && stored !== null && Object.values(stored).every(Number.isInteger)
    ? (stored as Record<string, number>)
    : {},
);

/** Gives a color to each model without one: one that no other of these has, of those the one used least. */
export function assignColors(names: string[]): void {
  const known = storedColors.get();
  const added: Record<string, number> = { ...known };
  for (const name of names) {
    if (name === '' || Object.hasOwn(added, name)) continue;
    const uses = palette.map((_color, index) => Object.values(added).filter((taken) => taken === index).length);
    const shown = new Set(names.map((other) => added[other]));
    const rank = (index: number) => (uses[index] ?? 0) + (shown.has(index) ? 1e6 : 0);
    added[name] = palette
      .map((_color, index) => index)
      .reduce((best, index) => (rank(index) < rank(best) ? index : best));
  }
  if (Object.keys(added).length > Object.keys(known).length) storedColors.set(added);
}

/** The model's color in every chart of the page. */
export function modelColor(name: string): string {
  const index = name === '' ? undefined : storedColors.get()[name];
  return index === undefined ? otherColor : (palette[index % palette.length] ?? otherColor);
}

export const callColor = palette[0] ?? otherColor;
export const tokenColor = palette[1] ?? otherColor;
