import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { afterRelease } from '../../state/pressed.ts';
import { isEntered } from './entered.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

interface TypedEntry {
  /** Puts what is typed on the list; false when it cannot stand there, which the box then says. Without text it does nothing. */
  add(): boolean;
  hasText: boolean;
}

interface EntryBox {
  ref: RefObject<HTMLInputElement | null>;
  onBlur(): void;
  onKeyDown(event: KeyboardEvent): void;
}

const boxes = new Set<() => TypedEntry & Pick<EntryBox, 'ref'>>();

/**
 * Before a save: what is typed into the box of a list and not added yet is part of it. False where something typed cannot be added;
 * the focus is in its box then.
 */
export function addTypedEntries(): boolean {
  const refused = [...boxes].map((box) => box()).filter(({ add }) => !add());
  refused[0]?.ref.current?.focus();
  return refused.length === 0;
}

export const hasTypedEntries = (): boolean => [...boxes].some((box) => box().hasText);

function addFirst(event: Event): void {
  if (addTypedEntries()) return;
  event.preventDefault();
  event.stopPropagation();
}

/** For the box of a list: Enter adds, and leaving it, and sending the form that it stands in. */
export function useTypedEntry(entry: TypedEntry): EntryBox {
  const ref = useRef<HTMLInputElement>(null);
  const latest = useRef(entry);
  latest.current = entry;
  useEffect(() => {
    const box = () => ({ ...latest.current, ref });
    boxes.add(box);
    // On the form itself: before the form's own handler, which React calls once the event is at the root of the page.
    const form = ref.current?.form;
    form?.addEventListener('submit', addFirst);
    return () => {
      boxes.delete(box);
      form?.removeEventListener('submit', addFirst);
    };
  }, []);
  useLeaveGuard({ hasChanges: () => entry.hasText });
  return {
    ref,
    // An entry that appears while a button of the mouse is down would move what is below from under the pointer.
    onBlur: () => afterRelease(() => latest.current.add()),
    onKeyDown: (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault(); // the form is not sent, also not by the Enter that takes a composed word
      if (isEntered(event)) entry.add();
    },
  };
}
