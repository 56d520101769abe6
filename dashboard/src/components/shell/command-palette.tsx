import { Dialog, DialogSurface } from '@fluentui/react-components';
import { lazy, Suspense, useEffect, useState } from 'react';

const PaletteBody = lazy(() => import('./palette-body.tsx').then(({ PaletteBody: body }) => ({ default: body })));

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
  return (
    <Dialog open={isOpen} onOpenChange={(_event, { open }) => setOpen(open)}>
      <DialogSurface aria-label="Ctrl K" style={{ padding: 0, maxWidth: 520, overflow: 'hidden' }}>
        {isOpen && (
          <Suspense fallback={null}>
            <PaletteBody onClose={() => setOpen(false)} />
          </Suspense>
        )}
      </DialogSurface>
    </Dialog>
  );
}
