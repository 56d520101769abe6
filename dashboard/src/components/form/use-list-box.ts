import { type ComboboxProps, makeStyles, type PositioningImperativeRef } from '@fluentui/react-components';
import { useEffect, useMemo, useRef, useState } from 'react';

/** Fits above or below its field in any window; a long list scrolls. */
const useStyles = makeStyles({ box: { maxHeight: 'min(320px, 45vh)' } });

/** What a Combobox or a Dropdown needs so that its list opens attached to it: below, or above where there is no room. */
export function useListBox(): Required<Pick<ComboboxProps, 'listbox' | 'positioning' | 'onOpenChange'>> {
  const styles = useStyles();
  const positioningRef = useRef<PositioningImperativeRef>(null);
  const [form, setForm] = useState<Element | null>(null);

  // A message that appears under another field moves this one, and Fluent does not notice.
  useEffect(() => {
    if (!form) return;
    const observer = new ResizeObserver(() => positioningRef.current?.updatePosition());
    observer.observe(form);
    return () => observer.disconnect();
  }, [form]);

  const positioning = useMemo<NonNullable<ComboboxProps['positioning']>>(
    () => ({
      position: 'below',
      align: 'start',
      fallbackPositions: ['above-start'],
      positioningRef,
      offset: { crossAxis: 0, mainAxis: 2 },
      matchTargetSize: 'width',
      autoSize: false,
      // An absolute list would widen a phone's page until it has found its place.
      strategy: 'fixed',
    }),
    [],
  );
  return {
    listbox: { className: styles.box },
    positioning,
    onOpenChange: ({ target }, { open }) => setForm(open && target instanceof Element ? target.closest('form') : null),
  };
}
