import { useLayoutEffect, useRef, useState } from 'react';

/** Pixels, and the width of such a table: with less, prices would be beyond its edge, and what is cut off there looks like a price. */
export const minTableRoom = 700;

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
