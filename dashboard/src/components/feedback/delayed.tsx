import { type ReactNode, useEffect, useState } from 'react';

const patienceMs = 150;

/** What stands for something that is still loading; not shown at all when it comes at once. */
export function Delayed({ children }: { children: ReactNode }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return isDue ? children : null;
}
