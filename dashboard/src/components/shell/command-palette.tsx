import { lazy, Suspense, useEffect } from 'react';
import { loadTexts } from '../../i18n/language.ts';

/** With the texts of settings and documents, which the page may not have loaded. */
const PaletteDialog = lazy(async () => {
  const [{ PaletteDialog: dialog }] = await Promise.all([
    import('./palette-dialog.tsx'),
    loadTexts(['option', 'docs']),
  ]);
  return { default: dialog };
});

/** Where a slash is text, or belongs to something that lies over the page. */
const busyPlaces = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]';

interface CommandPaletteProps {
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** Ctrl-K (or ⌘K) and `/`: everything that has a name, every page and the commonest actions. */
export function CommandPalette({ isOpen, onOpen }: CommandPaletteProps) {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const hasControl = event.ctrlKey || event.metaKey;
      const isCommand = event.key.toLowerCase() === 'k' && hasControl && !event.altKey && !event.shiftKey;
      const isSlash = event.key === '/' && !hasControl && !event.altKey && !isBusy(event.target);
      if (!isCommand && !isSlash) return;
      event.preventDefault();
      onOpen(isSlash || !isOpen);
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOpen, onOpen]);
  return <Suspense fallback={null}>{isOpen && <PaletteDialog onClose={() => onOpen(false)} />}</Suspense>;
}

const isBusy = (target: EventTarget | null) => target instanceof Element && target.closest(busyPlaces) !== null;
