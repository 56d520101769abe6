import { useEffect } from 'react';

/** Where the keyboard was. */
interface Place {
  element: HTMLElement;
  /** In a list: which row, and which of the row's controls, counted from its end, where the menu is. */
  row?: { list: Element; index: number; fromEnd: number } | undefined;
}

/** So far back a way is found: through a dialog over a dialog over a menu. */
const maxPlaces = 30;
/** A page, and Fluent, look for a better place first. */
const patienceMs = 60;
const maxTries = 5;
const rowKinds = '[role="row"], li, tr';
const controlKinds = 'button, a[href], input, select, textarea';
const focusableKinds = `${controlKinds}, label, [tabindex]`;

/**
 * A dialog that closes, a row that is deleted or a button that has done its work takes the focus with it, and the keyboard would
 * begin again at the top of the page. It goes on where it was before, or at the row that has come in its place.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let places: Place[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;

    function note(target: EventTarget | null): void {
      // What Fluent puts around its groups is no place.
      if (!(target instanceof HTMLElement) || target.matches('[data-tabster-dummy]')) return;
      places = [...places.filter(({ element }) => element !== target), placeOf(target)].slice(-maxPlaces);
    }

    /** What was left by a click beside it is not to be gone back to. */
    function onPointer({ target }: PointerEvent): void {
      if (target instanceof Element && target.closest(focusableKinds)) return;
      clearTimeout(timer);
      timer = undefined;
      setTimeout(() => {
        if (isNowhere() && places.at(-1)?.element.isConnected) places = [];
      });
    }

    function lookLater(): void {
      if (timer === undefined && isLost(places)) timer = setTimeout(look, patienceMs);
    }

    function look(): void {
      timer = undefined;
      const target = isLost(places) ? placeBefore(places) : undefined;
      if (target) moveTo(target, maxTries);
    }

    /** A dialog that is going may take the focus away once more. */
    function moveTo(target: HTMLElement, tries: number): void {
      target.focus();
      timer = setTimeout(() => {
        timer = undefined;
        if (tries > 1 && isNowhere() && target.isConnected) moveTo(target, tries - 1);
        else lookLater();
      }, patienceMs);
    }

    const onFocus = ({ target }: FocusEvent) => note(target);
    // A page may be used before this part of it has come.
    if (!isNowhere()) note(document.activeElement);
    const observer = new MutationObserver(lookLater);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPointer, true);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPointer, true);
    };
  }, []);
}

const isNowhere = () => document.activeElement === null || document.activeElement === document.body;
const isLost = (places: Place[]) => isNowhere() && places.at(-1)?.element.isConnected === false;

function placeOf(element: HTMLElement): Place {
  const row = element.closest(rowKinds);
  const list = row?.parentElement;
  if (!row || !list) return { element };
  const controls = controlsOf(row);
  const index = rowsOf(list).indexOf(row);
  return { element, row: { list, index, fromEnd: Math.max(controls.length - controls.indexOf(element), 1) } };
}

/** The latest place that is still there; of a row that is gone, the one that follows it. */
function placeBefore(places: Place[]): HTMLElement | null | undefined {
  const targets = [...places].reverse().map(({ element, row }) => {
    if (element.isConnected) return element;
    if (!row?.list.isConnected) return twinOf(element);
    const rows = rowsOf(row.list);
    const next = rows[Math.min(row.index, rows.length - 1)];
    return next && controlsOf(next).at(-row.fromEnd);
  });
  // What lies below an open dialog cannot be used.
  const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1);
  const start = dialog ? controlsOf(dialog)[0] : document.querySelector<HTMLElement>('main h1');
  const isUsable = (target: HTMLElement) => target.checkVisibility() && (!dialog || dialog.contains(target));
  return [...targets, start].find((target) => target && isUsable(target));
}

/** An empty page offers what its head offers, too, and is not empty once that was done. */
const twinOf = ({ textContent: text }: HTMLElement) =>
  controlsOf(document.body).find((one) => text && one.textContent === text && one.closest('main'));

const rowsOf = (list: Element) => [...list.children].filter((child) => child.matches(rowKinds));
const controlsOf = (part: Element) => [...part.querySelectorAll<HTMLElement>(controlKinds)];
