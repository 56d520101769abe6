import { Button } from '@fluentui/react-components';
import { Filter20Regular } from '@fluentui/react-icons/svg/filter';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasCards } from './use-has-cards.ts';

/** Filters that a phone has no room for until they are asked for. */
export function MoreFilters({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell');
  const hasCards = useHasCards();
  const [isOpen, setOpen] = useState(false);
  if (!hasCards) return children;
  return (
    <>
      <Button icon={<Filter20Regular />} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('list.moreFilters')}
      </Button>
      {isOpen && children}
    </>
  );
}
