import { Button, makeStyles, TableCell, TableRow } from '@fluentui/react-components';
import { ChevronDown20Regular } from '@fluentui/react-icons/svg/chevron-down';
import { ChevronRight20Regular } from '@fluentui/react-icons/svg/chevron-right';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';

interface Opening {
  /** Whether the row a cell is in is open. */
  isOpen: boolean;
  toggle: () => void;
  button: RefObject<HTMLButtonElement | null>;
  detail: RefObject<HTMLDivElement | null>;
}

const nowhere = { current: null };
const OpenContext = createContext<Opening>({ isOpen: false, toggle: () => {}, button: nowhere, detail: nowhere });

interface OpeningRowProps {
  children: ReactNode;
  /** What is below the row once it is open. */
  detail: () => ReactNode;
  /** Open until it is closed: the one row that a link leads to or that was searched for. */
  isOpenAtFirst?: boolean;
}

/** A row that opens. It keeps for itself whether it is open: the other rows are not drawn again. */
export function OpeningRow({ children, detail: detailOf, isOpenAtFirst = false }: OpeningRowProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const button = useRef<HTMLButtonElement>(null);
  const detail = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpenAtFirst) setOpen(true);
  }, [isOpenAtFirst]);
  return (
    <OpenContext value={{ isOpen, toggle: () => setOpen(!isOpen), button, detail }}>
      {children}
      {isOpen && detailOf()}
    </OpenContext>
  );
}

/** By which the keyboard finds the rows that open. */
export const detailButtonMark = 'data-opens-row';

const useStyles = makeStyles({ button: { minWidth: '24px', maxWidth: '24px', padding: 0 } });

/** Opens and closes the row it is in. */
export function DetailButton({ name }: { name: string }) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const { isOpen, toggle, button, detail } = useContext(OpenContext);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Tab' || !detail.current) return;
    const next = event.shiftKey ? detail.current.previousElementSibling : firstControl(detail.current);
    if (!(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  }

  return (
    <Button
      ref={button}
      appearance="subtle"
      size="small"
      className={styles.button}
      icon={isOpen ? <ChevronDown20Regular /> : <ChevronRight20Regular />}
      {...{ [detailButtonMark]: '' }}
      {...(isOpen && ownTab)}
      aria-expanded={isOpen}
      aria-label={t('list.details', { name })}
      onClick={toggle}
      onKeyDown={onKeyDown}
    />
  );
}

interface DetailRowProps {
  className: string;
  children: ReactNode;
}

/** What a row opens to, in a grid: Tab goes through it as through a page, Escape back to the button that opened it. */
export function DetailRow({ className, children }: DetailRowProps) {
  const { button, detail } = useContext(OpenContext);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    // A dialog that was opened here stands elsewhere in the document.
    if (!(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return;
    const isFirst = event.target === firstControl(event.currentTarget);
    if (event.key !== 'Escape' && !(event.key === 'Tab' && event.shiftKey && isFirst)) return;
    event.preventDefault();
    button.current?.focus();
  }

  return (
    <TableRow ref={detail} {...ownTab} onKeyDown={onKeyDown}>
      <TableCell className={className}>{children}</TableCell>
    </TableRow>
  );
}

/** With Fluent, Tab leaves the whole grid, past what a row has opened to. */
const ownTab = { 'data-tabster': JSON.stringify({ focusable: { ignoreKeydown: { Tab: true } } }) };

function firstControl(place: HTMLElement | null): HTMLElement | null {
  return place?.querySelector<HTMLElement>('a, button') ?? null;
}
