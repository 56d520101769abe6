import { startTransition, useEffect, useState } from 'react';

/** As many as a usual window shows without scrolling. */
const firstRows = 12;

/** The rows that are seen at once, then all: a long list is there to be read and pressed before its end is drawn. */
export function useFirstRows<Row>(rows: Row[]): Row[] {
  const [isWhole, setWhole] = useState(rows.length <= firstRows);
  useEffect(() => {
    if (!isWhole) startTransition(() => setWhole(true));
  }, [isWhole]);
  return isWhole ? rows : rows.slice(0, firstRows);
}
