import type { ReactElement, ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Share of the width, 1 when left out. */
  grow?: number;
  /** Names of very different lengths: the column gets room for the longest, as far as there is some. */
  name?: (row: Row) => string;
  /** Below this many pixels the table scrolls instead, 100 when left out. */
  minWidth?: number;
  /** Figures are at the end, so that they can be compared. */
  isNumber?: boolean;
  /** Stays at the right edge while a wide table is scrolled. */
  isKept?: boolean;
  /** Whether the text of this row may run on over the cells after it, which are empty then. */
  canRunOn?: (row: Row) => boolean;
  /** A line of its own below the row, from this column to the end. */
  line?: (row: Row) => ReactNode;
  /** Hidden until the user chooses it. */
  isHidden?: boolean;
  /** The same in a window narrower than this many pixels: the table would scroll, and others matter more. */
  hiddenBelow?: 1200 | 1330 | 1440;
  /** The API's name of the order by this column; without one its header is not a button. */
  sort?: string;
  /** Contains fields or buttons: Enter goes into the cell, Tab through it. */
  isInteractive?: boolean;
}

export interface RowAction {
  key: string;
  label: string;
  icon: ReactElement;
  onSelect: () => void;
  /** Stands beside the row, not only in its menu; at most two of a row. */
  isFrequent?: boolean;
  isDangerous?: boolean;
  isDisabled?: boolean;
}

export interface BulkAction<Row> {
  key: string;
  label: string;
  icon: ReactElement;
  /** Gets the marked rows, none too: the action says so itself. */
  onSelect: (rows: Row[]) => void;
}

/** A row on a phone: its name, its state, one figure. */
export interface RowCard<Row> {
  /** Where the name leads, as in the table. */
  to?: (row: Row) => string | undefined;
  status?: (row: Row) => ReactNode;
  figure?: (row: Row) => ReactNode;
}
