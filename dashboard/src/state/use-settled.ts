import { useEffect, useState } from 'react';

const patienceMs = 200;

/** What was typed, once typing pauses. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), patienceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
