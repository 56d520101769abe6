import { Link, makeStyles, ProgressBar, tokens } from '@fluentui/react-components';
import { lazy, type MouseEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useMatches, useNavigation } from 'react-router-dom';
import { waitMsOf } from '../../api/retry.ts';
import { useStatus, useStatusState } from '../../api/status.ts';
import { useIsMobile } from '../../state/media.ts';
import { isNavigationOpen } from '../../state/preference.ts';
import { sessionUser } from '../../state/session.ts';
import { Deferred } from '../deferred.tsx';
import { useNotify } from '../feedback/notify.tsx';
import { CommandPalette } from './command-palette.tsx';
import { DemoBar } from './demo-bar.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { WaitBar } from './wait-bar.tsx';

const SideNavigation = lazy(() => import('./side-navigation.tsx').then((file) => ({ default: file.SideNavigation })));

const useStyles = makeStyles({
  shell: {
    height: '100vh',
    display: 'flex',
    flexDirection: 'column',
    backgroundColor: tokens.colorNeutralBackground2,
    color: tokens.colorNeutralForeground1,
    // Paper shows all of a page, and not one window of it.
    '@media print': { height: 'auto', display: 'block' },
  },
  skip: {
    position: 'absolute',
    left: '-9999px',
    zIndex: 10,
    padding: '8px 16px',
    backgroundColor: tokens.colorNeutralBackground1,
    ':focus': { left: '8px', top: '8px' },
  },
  progress: { position: 'absolute', top: 0, left: 0, right: 0, zIndex: 5 },
  side: { width: '233px', flexShrink: 0 },
  body: { flex: '1 1 auto', minHeight: 0, display: 'flex', '@media print': { display: 'block' } },
  scroll: {
    flex: '1 1 auto',
    minWidth: 0,
    overflowY: 'auto',
    display: 'flex',
    flexDirection: 'column',
    '@media print': { overflowY: 'visible' },
  },
  main: { flex: '1 0 auto', display: 'flex', flexDirection: 'column' },
});

/** Header, side navigation and footer around every page. */
export function Shell() {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const isMobile = useIsMobile();
  const { pathname } = useLocation();
  const isWide = useMatches().some(({ handle }) => (handle as { isWide?: boolean } | undefined)?.isWide);
  const isLoading = useNavigation().state === 'loading';
  const user = sessionUser.use();
  const { default_collapse_sidebar: isCollapsedAtFirst } = useStatus();
  const isOpenInline = isNavigationOpen.use() ?? !isCollapsedAtFirst;
  const [isOverlayOpen, setOverlayOpen] = useState(false);
  const [isSearchOpen, setSearchOpen] = useState(false);
  useStatusFailure();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a user who has chosen a page is done with the menu
  useEffect(() => setOverlayOpen(false), [pathname, isMobile]);

  const hasInline = !isMobile && !isWide && user !== undefined;
  return (
    <div className={styles.shell}>
      <Link className={styles.skip} href="#content" onClick={skip}>
        {t('shell.skip')}
      </Link>
      {isLoading && <ProgressBar className={styles.progress} thickness="medium" aria-label={t('state.loading')} />}
      <Header
        hasMenu={isMobile || hasInline}
        isMenuOpen={isMobile ? isOverlayOpen : isOpenInline}
        onSearch={() => setSearchOpen(true)}
        onMenu={() => (isMobile ? setOverlayOpen(true) : isNavigationOpen.set(!isOpenInline))}
      />
      <div className={styles.body}>
        {hasInline && isOpenInline && (
          <Deferred fallback={<div className={styles.side} />}>
            <SideNavigation />
          </Deferred>
        )}
        {isMobile && (
          <Deferred>
            <SideNavigation isOverlay isOpen={isOverlayOpen} onClose={() => setOverlayOpen(false)} />
          </Deferred>
        )}
        <div className={styles.scroll}>
          <DemoBar />
          <WaitBar />
          <main id="content" tabIndex={-1} className={styles.main} style={{ outline: 'none' }}>
            <Outlet />
          </main>
          <Footer />
        </div>
      </div>
      <CommandPalette isOpen={isSearchOpen} onOpen={setSearchOpen} />
    </div>
  );
}

/** By itself the link would also add an entry to the history, which Back would have to go through. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** Nothing works without the status; that is said once, until it has been tried again. */
function useStatusFailure(): void {
  const { error } = useStatusState();
  const notify = useNotify();
  const { t } = useTranslation('shell');
  useEffect(() => {
    if (!error || waitMsOf(error) !== undefined) return undefined; // the bar says so
    const isUnreachable = 'status' in error && error.status === 0;
    return notify.failure(new Error(t(isUnreachable ? 'error.unreachable' : 'error.status')));
  }, [error, notify, t]);
}
