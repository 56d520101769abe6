import { startTransition, useEffect, useState } from 'react';

/** Whether what is further down is drawn: the figures at the top are seen, and respond, before that begins. */
export function useLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => startTransition(() => setLater(true)), []);
  return isLater;
}
