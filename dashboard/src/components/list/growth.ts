import type { Column } from './column.ts';

export const defaultMinWidth = 100;

const spareWidth = 4;
/** Of a letter at the size of a table, rather too wide than too narrow. */
const letterWidth = 7.5;
const wideLetterWidth = 14;

/** The column's share of what the least widths leave over: for names, the pixels that the longest one lacks. */
export function growthOf<Row>({ grow = 1, minWidth = defaultMinWidth, name }: Column<Row>, rows: Row[]): number {
  if (!name) return grow;
  const needed = rows.reduce((width, row) => Math.max(width, widthOf(name(row))), 0);
  return Math.max(grow, needed + spareWidth - minWidth);
}

function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += letter > '\u2e7f' ? wideLetterWidth : letterWidth;
  return width;
}
