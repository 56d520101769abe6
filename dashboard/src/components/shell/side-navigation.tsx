import {
  Button,
  makeStyles,
  NavDrawer,
  NavDrawerBody,
  NavDrawerHeader,
  NavItem,
  NavSectionHeader,
  tokens,
} from '@fluentui/react-components';
import { Dismiss20Regular } from '@fluentui/react-icons/svg/dismiss';
import type { MouseEvent, SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { fetchAhead } from '../../pages.ts';
import { useNavigationGroups } from './navigation.tsx';
import { useTopLinks } from './top-link.ts';
import { usePagesAhead } from './use-pages-ahead.ts';

const useStyles = makeStyles({
  drawer: {
    flexShrink: 0,
    width: '232px',
    backgroundColor: tokens.colorNeutralBackground2,
    borderRight: `1px solid ${tokens.colorNeutralStroke2}`,
    '@media print': { display: 'none' },
  },
  overlay: { width: '280px', maxWidth: '86vw' },
  head: { display: 'flex', justifyContent: 'flex-end', padding: tokens.spacingHorizontalS },
  body: { paddingTop: tokens.spacingVerticalS },
  // Further from the group before than from its own entries.
  group: { marginTop: tokens.spacingVerticalM },
  // Only the current page stands out of the drawer.
  entry: { backgroundColor: 'transparent', ':hover': { backgroundColor: tokens.colorNeutralBackground2Hover } },
  current: {
    backgroundColor: tokens.colorNeutralBackground2Pressed,
    ':hover': { backgroundColor: tokens.colorNeutralBackground2Pressed },
  },
});

interface SideNavigationProps {
  isOverlay?: boolean;
  isOpen?: boolean;
  onClose?: () => void;
}

/** Beside the page, or over it on a phone, where it contains the header's links too. */
export function SideNavigation({ isOverlay = false, isOpen = true, onClose }: SideNavigationProps) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const groups = useNavigationGroups();
  const topLinks = useTopLinks();
  const { pathname } = useLocation();
  const open = useOpenPath();
  const entries = groups.flatMap((group) => group.entries);
  usePagesAhead(entries.map(({ path }) => path));
  const selected = entries.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))?.path ?? pathname;
  return (
    <NavDrawer
      type={isOverlay ? 'overlay' : 'inline'}
      open={isOpen}
      onOpenChange={(_event, { open: isWanted }) => isWanted || onClose?.()}
      selectedValue={selected}
      className={isOverlay ? styles.overlay : styles.drawer}
      aria-label={t('navigation.label')}
      {...(isOverlay ? {} : { role: 'navigation' })}
    >
      {isOverlay && (
        <NavDrawerHeader className={styles.head}>
          <Button appearance="subtle" icon={<Dismiss20Regular />} aria-label={t('action.close')} onClick={onClose} />
        </NavDrawerHeader>
      )}
      <NavDrawerBody className={styles.body}>
        {isOverlay &&
          topLinks.map(({ path, key }) => (
            <NavItem
              key={path}
              value={path}
              href={path}
              onClick={open(path)}
              onPointerEnter={fetchBefore}
              onFocus={fetchBefore}
              className={path === selected ? styles.current : styles.entry}
            >
              {t(`navigation.${key}`)}
            </NavItem>
          ))}
        {groups.flatMap(({ key, entries: ofGroup }) => [
          <NavSectionHeader key={key} className={styles.group}>
            {t(`navigation.group.${key}`)}
          </NavSectionHeader>,
          ...ofGroup.map(({ path, key: name, icon, label }) => (
            <NavItem
              key={path}
              value={path}
              href={path}
              icon={icon}
              onClick={open(path)}
              onPointerEnter={fetchBefore}
              onFocus={fetchBefore}
              className={path === selected ? styles.current : styles.entry}
            >
              {label ?? t(`navigation.${name}`)}
            </NavItem>
          )),
        ])}
      </NavDrawerBody>
    </NavDrawer>
  );
}

const pagesWithCharts = ['/', '/detail'];

/** The page that an entry leads to, and what draws its charts, which is large. What fails now is tried again, and told, on the page. */
function fetchBefore(event: SyntheticEvent): void {
  fetchAhead(event);
  if (pagesWithCharts.includes(event.currentTarget.getAttribute('href') ?? ''))
    import('../../pages/detail/charts/usage-charts.tsx').catch(() => {});
}

/** A link that stays in the page, except where the user wants a new tab. */
function useOpenPath() {
  const navigate = useNavigate();
  return (path: string) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(path);
  };
}
