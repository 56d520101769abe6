import { makeStyles, SearchBox, Select, Switch } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import type { Choice } from '../form/field.tsx';

const patienceMs = 400;

const useStyles = makeStyles({
  search: {
    flex: '1 1 160px',
    maxWidth: '240px',
    '@media (max-width: 600px)': { flex: '1 1 100%', maxWidth: '100%' },
  },
  select: { minWidth: '140px' },
});

/** What a filter needs of a list. */
interface Filtered {
  filters: Record<string, string>;
  setFilters(changed: Record<string, string>): void;
}

/** Text the rows are searched for: when typing pauses, or at once with Enter. */
export function SearchFilter({ list, name, label }: { list: Filtered; name: string; label: string }) {
  const styles = useStyles();
  const inForce = list.filters[name] ?? '';
  const [typed, setTyped] = useState(inForce);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Back, Clear filters or a link changed it.
  useEffect(() => setTyped(inForce), [inForce]);

  function search(text: string): void {
    clearTimeout(timer.current);
    if (text.trim() !== inForce) list.setFilters({ [name]: text.trim() });
  }

  return (
    <SearchBox
      className={styles.search}
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={64}
      onChange={(_event, { value }) => {
        setTyped(value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => search(value), value === '' ? 0 : patienceMs);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(typed);
      }}
    />
  );
}

interface SelectFilterProps {
  list: Filtered;
  name: string;
  label: string;
  /** The first one stands for all. */
  choices: Choice[];
}

/**
 * One of a few values the rows are narrowed to.
 * @public
 */
export function SelectFilter({ list, name, label, choices }: SelectFilterProps) {
  const styles = useStyles();
  return (
    <Select
      className={styles.select}
      aria-label={label}
      value={list.filters[name]}
      onChange={(_event, { value }) => list.setFilters({ [name]: value })}
    >
      {choices.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </Select>
  );
}

/** A way to look at the rows that is on or off. */
export function SwitchFilter({ list, name, label }: { list: Filtered; name: string; label: string }) {
  return (
    <Switch
      label={label}
      checked={list.filters[name] === 'true'}
      onChange={(_event, { checked }) => list.setFilters({ [name]: checked ? 'true' : '' })}
    />
  );
}
