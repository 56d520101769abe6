import { Button } from '@fluentui/react-components';
import { Filter20Regular } from '@fluentui/react-icons/svg/filter';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsMobile } from '../../state/media.ts';

/** Filters that a phone has no room for until they are asked for. */
export function MoreFilters({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell');
  const isMobile = useIsMobile();
  const [isOpen, setOpen] = useState(false);
  if (!isMobile) return children;
  return (
    <>
      <Button icon={<Filter20Regular />} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('list.moreFilters')}
      </Button>
      {isOpen && children}
    </>
  );
}
