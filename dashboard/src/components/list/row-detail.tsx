import { Button, makeStyles } from '@fluentui/react-components';
import { ChevronDown20Regular } from '@fluentui/react-icons/svg/chevron-down';
import { ChevronRight20Regular } from '@fluentui/react-icons/svg/chevron-right';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Whether the row a cell is in is open. */
const OpenContext = createContext({ isOpen: false, toggle: () => {} });

interface OpeningRowProps {
  children: ReactNode;
  /** What is below the row once it is open. */
  detail: () => ReactNode;
  /** Open until it is closed: the one row that a link leads to or that was searched for. */
  isOpenAtFirst?: boolean;
}

/** A row that opens. It keeps for itself whether it is open: the other rows are not drawn again. */
export function OpeningRow({ children, detail, isOpenAtFirst = false }: OpeningRowProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  useEffect(() => {
    if (isOpenAtFirst) setOpen(true);
  }, [isOpenAtFirst]);
  return (
    <OpenContext value={{ isOpen, toggle: () => setOpen(!isOpen) }}>
      {children}
      {isOpen && detail()}
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
  const { isOpen, toggle } = useContext(OpenContext);
  return (
    <Button
      appearance="subtle"
      size="small"
      className={styles.button}
      icon={isOpen ? <ChevronDown20Regular /> : <ChevronRight20Regular />}
      {...{ [detailButtonMark]: '' }}
      aria-expanded={isOpen}
      aria-label={t('list.details', { name })}
      onClick={toggle}
    />
  );
}
