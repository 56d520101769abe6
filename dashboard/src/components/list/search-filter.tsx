import { makeStyles } from '@fluentui/react-components';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { currentSearch } from '../../state/current-search.ts';
import { isEntered } from '../form/entered.ts';
import type { Choice } from '../form/field.tsx';
import { SearchInput } from '../form/search-input.tsx';
import type { Filtered } from './filtered.ts';

const patienceMs = 400;
/** That of a model, such as the ARN of a profile. */
const maxNameLength = 255;

const useStyles = makeStyles({
  search: {
    flex: '1 1 200px',
    // Or else the button that empties it would make it wider while it has the focus, and the fields behind it wrap.
    minWidth: 0,
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

type Timer = RefObject<ReturnType<typeof setTimeout> | undefined>;

function stop(timer: Timer): void {
  clearTimeout(timer.current);
  timer.current = undefined;
}

/** Text the rows are searched for: when typing pauses, or at once with Enter. */
export function SearchFilter({ list, name, label, choices, onTyping }: SearchFilterProps) {
  const styles = useStyles();
  const inForce = list.filters[name] ?? '';
  const [typed, setTyped] = useState(inForce);
  const listId = useId();
  const timer: Timer = useRef(undefined);
  const asked = useRef(inForce);
  useEffect(() => {
    // The response to a pause: meanwhile typing may have gone on, and more may have been searched for than the page shows yet.
    if (inForce === asked.current || inForce !== (currentSearch().get(name) ?? '')) return;
    // Back, Clear filters or a link changed it.
    asked.current = inForce;
    stop(timer);
    setTyped(inForce);
  }, [inForce, name]);
  useEffect(() => () => stop(timer), []);

  function searchLater(text: string): void {
    stop(timer);
    const { pathname } = window.location;
    // What is still waiting when another page comes is no filter of that one.
    const searchHere = () => pathname === window.location.pathname && search(text);
    timer.current = setTimeout(searchHere, text === '' ? 0 : patienceMs);
  }

  function search(text: string): void {
    stop(timer);
    const before = asked.current;
    asked.current = text.trim();
    if (asked.current !== before) list.setFilters({ [name]: asked.current });
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
      <SearchInput
        {...(choices && { input: { list: listId } })}
        onFocus={() => onTyping?.(typed)}
        className={styles.search}
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={maxNameLength}
        onChange={(event, { value }) => {
          setTyped(value);
          onTyping?.(value);
          // Letters by which a Chinese word is being written are no word yet.
          if (!(event.nativeEvent as InputEvent).isComposing) searchLater(value);
        }}
        onCompositionEnd={({ currentTarget }) => searchLater((currentTarget as HTMLInputElement).value)}
        // Before what is pressed next, which may lead to another page: a search would end the way there.
        onBlur={() => {
          if (timer.current !== undefined) search(typed);
        }}
        onKeyDown={(event) => {
          if (isEntered(event)) search(typed);
        }}
      />
    </>
  );
}
