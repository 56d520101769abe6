import { useLayoutEffect, useRef, useState } from 'react';

/** Whether there are so many pixels where the `ref` is: beside navigation and lists a wide window may leave as little as a phone. */
export function useRoom(pixels: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [hasRoom, setHasRoom] = useState(true);
  useLayoutEffect(() => {
    const { current: element } = ref;
    if (!element) return;
    const measure = () => element.clientWidth > 0 && setHasRoom(element.clientWidth >= pixels);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [pixels]);
  return { ref, hasRoom };
}
