import { useLayoutEffect, useState } from 'react';

/** Charts that wait to be drawn, the first of the page first. */
const waiting = new Set<() => void>();
let isDrawing = false;

/**
 * Whether it is this chart's turn. A chart takes longer to draw than the rest of a page: the first one is seen, and a click is responded
 * to, before the next one begins.
 */
export function useTurn(): boolean {
  const [hasTurn, setTurn] = useState(false);
  useLayoutEffect(() => {
    const draw = () => setTurn(true);
    waiting.add(draw);
    if (!isDrawing) drawNext();
    return () => void waiting.delete(draw);
  }, []);
  return hasTurn;
}

function drawNext(): void {
  const [draw] = waiting;
  isDrawing = draw !== undefined;
  if (!draw) return;
  waiting.delete(draw);
  draw();
  // A chart measures its place in the first frame and is drawn in the second one.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawNext)));
}
