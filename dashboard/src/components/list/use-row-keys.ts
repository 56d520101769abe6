import { useEffect } from 'react';
import { detailButtonMark } from './row-detail.tsx';

/** Where letters are text, or keys belong to something that lies over the list. */
const busyPlaces = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]';

/** j and k go to the next and the previous row that opens, at the button which opens it: Enter does. */
export function useRowKeys(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    function onKey(event: KeyboardEvent) {
      const step = { j: 1, k: -1 }[event.key];
      if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.activeElement?.closest(busyPlaces)) return;
      const buttons = [...document.querySelectorAll<HTMLElement>(`[${detailButtonMark}]`)];
      const current = buttons.findIndex((button) => button.closest('[role="row"]') === openingRow());
      const next = current < 0 ? 0 : current + step;
      buttons[Math.min(Math.max(next, 0), buttons.length - 1)]?.focus();
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOn]);
}

/** The row the keyboard is in; of what a row has opened to, that row. */
function openingRow(): Element | null {
  const row = document.activeElement?.closest('[role="row"]') ?? null;
  return row?.querySelector(`[${detailButtonMark}]`) === null ? row.previousElementSibling : row;
}
