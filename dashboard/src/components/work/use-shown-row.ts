import { useCallback, useState } from 'react';

/** The row whose dialog is open, as it is now: it goes on while it is looked at, also when it has left the page of the list. */
export function useShownRow<Row extends { id: number }>(rows: Row[] | undefined) {
  const [opened, setOpened] = useState<Row>();
  const close = useCallback(() => setOpened(undefined), []);
  return { shown: opened && (rows?.find(({ id }) => id === opened.id) ?? opened), open: setOpened, close };
}
