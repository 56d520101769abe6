import { Button, makeStyles, mergeClasses, Subtitle2, tokens } from '@fluentui/react-components';
import { Navigation20Regular } from '@fluentui/react-icons/svg/navigation';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { useStatus } from '../../api/status.ts';
import { useIsHeaderTight, useIsMobile } from '../../state/media.ts';
import { Deferred } from '../deferred.tsx';
import { useTopLinks } from './top-link.ts';

const HeaderMenus = lazy(() => import('./header-menus.tsx').then((file) => ({ default: file.HeaderMenus })));

const useStyles = makeStyles({
  header: {
    height: '56px',
    flexShrink: 0,
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    padding: `0 ${tokens.spacingHorizontalM}`,
    backgroundColor: tokens.colorNeutralBackground1,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    '@media print': { display: 'none' },
  },
  brand: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    minWidth: 0,
    padding: '4px 8px',
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    ':hover': { textDecorationLine: 'none', color: tokens.colorNeutralForeground1 },
  },
  // The links give way, not the name of the site.
  whole: { flexShrink: 0, maxWidth: '40vw' },
  logo: { objectFit: 'contain' },
  name: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  links: { display: 'flex', gap: tokens.spacingHorizontalXS, marginLeft: tokens.spacingHorizontalM },
  link: {
    padding: '6px 10px',
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground2,
    textDecorationLine: 'none',
    ':hover': {
      backgroundColor: tokens.colorSubtleBackgroundHover,
      color: tokens.colorNeutralForeground1,
      textDecorationLine: 'none',
    },
  },
  current: { color: tokens.colorBrandForeground1, fontWeight: tokens.fontWeightSemibold },
  space: { flex: '1 1 0' },
});

interface HeaderProps {
  hasMenu: boolean;
  isMenuOpen: boolean;
  onMenu: () => void;
  onSearch: () => void;
}

export function Header({ hasMenu, isMenuOpen, onMenu, onSearch }: HeaderProps) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const { system_name: systemName, logo } = useStatus();
  const { pathname } = useLocation();
  const isMobile = useIsMobile();
  const isTight = useIsHeaderTight();
  const topLinks = useTopLinks();
  return (
    <header className={styles.header}>
      {hasMenu && (
        <Button
          title={t('navigation.toggle')}
          appearance="subtle"
          icon={<Navigation20Regular />}
          aria-expanded={isMenuOpen}
          onClick={onMenu}
        />
      )}
      <RouterLink to="/" className={mergeClasses(styles.brand, !isMobile && styles.whole)}>
        <img className={styles.logo} src={logo || '/favicon.svg'} alt="" width={24} height={24} />
        <Subtitle2 className={styles.name}>{systemName}</Subtitle2>
      </RouterLink>
      {!isTight && (
        <nav className={styles.links} aria-label={t('navigation.top')}>
          {topLinks.map(({ path, key }) => (
            <RouterLink
              key={path}
              to={path}
              className={mergeClasses(styles.link, pathname === path && styles.current)}
              aria-current={pathname === path ? 'page' : undefined}
            >
              {t(`navigation.${key}`)}
            </RouterLink>
          ))}
        </nav>
      )}
      <div className={styles.space} />
      <Deferred>
        <HeaderMenus onSearch={onSearch} />
      </Deferred>
    </header>
  );
}
