import { makeStyles, SearchBox } from '@fluentui/react-components';
import { useEffect, useId, useRef, useState } from 'react';
import type { Choice } from '../form/field.tsx';
import type { Filtered } from './filtered.ts';

const patienceMs = 400;

const useStyles = makeStyles({
  search: {
    flex: '1 1 160px',
    maxWidth: '240px',
    '@media (max-width: 600px)': { flex: '1 1 100%', maxWidth: '100%' },
  },
});

interface SearchFilterProps {
  list: Filtered;
  name: string;
  label: string;
  /** Suggested while typing; any other text may be typed too. */
  choices?: Choice[];
  onTyping?: (typed: string) => void;
}

/** Text the rows are searched for: when typing pauses, or at once with Enter. */
export function SearchFilter({ list, name, label, choices, onTyping }: SearchFilterProps) {
  const styles = useStyles();
  const inForce = list.filters[name] ?? '';
  const [typed, setTyped] = useState(inForce);
  const listId = useId();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Back, Clear filters or a link changed it.
  useEffect(() => setTyped(inForce), [inForce]);

  function search(text: string): void {
    clearTimeout(timer.current);
    if (text.trim() !== inForce) list.setFilters({ [name]: text.trim() });
  }

  return (
    <>
      {choices && (
        <datalist id={listId}>
          {choices.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </datalist>
      )}
      <SearchBox
        {...(choices && { input: { list: listId } })}
        onFocus={() => onTyping?.(typed)}
        className={styles.search}
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={64}
        onChange={(_event, { value }) => {
          setTyped(value);
          onTyping?.(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => search(value), value === '' ? 0 : patienceMs);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(typed);
        }}
      />
    </>
  );
}
