import { useLayoutEffect, useRef, useState } from 'react';

/** Pixels. With less, half of the prices would be beyond the edge of the table, and what is cut off there looks like a price. */
const minTableRoom = 620;

/** Whether a table of prices has room where the `ref` is: beside navigation and lists a wide window may leave as little as a phone. */
export function useTableRoom() {
  const ref = useRef<HTMLDivElement>(null);
  const [hasRoom, setHasRoom] = useState(true);
  useLayoutEffect(() => {
    const { current: element } = ref;
    if (!element) return;
    const measure = () => element.clientWidth > 0 && setHasRoom(element.clientWidth >= minTableRoom);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, hasRoom };
}
