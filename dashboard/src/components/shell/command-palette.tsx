import { lazy, Suspense, useEffect, useState } from 'react';

const PaletteDialog = lazy(() =>
  import('./palette-dialog.tsx').then(({ PaletteDialog: dialog }) => ({ default: dialog })),
);

/** Ctrl-K (or ⌘K): every page and the commonest actions by name. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen((before) => !before);
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return <Suspense fallback={null}>{isOpen && <PaletteDialog onClose={() => setOpen(false)} />}</Suspense>;
}
