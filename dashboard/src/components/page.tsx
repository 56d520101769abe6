import { makeStyles, Text, tokens, typographyStyles, useAnnounce } from '@fluentui/react-components';
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import type { OptionCard } from '../../../core/schemas/option/card.ts';
import { useStatus } from '../api/status.ts';
import { useFirstScreen } from '../state/first-screen.ts';
import { isRoot, sessionUser } from '../state/session.ts';
import { SettingLink } from './setting-link.tsx';

interface PageProps {
  /** False while what the page is for has yet to come. */
  isReady?: boolean;
  title: string;
  /** One line that says what the page is for. */
  purpose?: string;
  /** The settings that decide what the page shows. */
  sections?: readonly OptionCard[] | undefined;
  /** Above the title: where the page belongs. */
  above?: ReactNode;
  /** Below the title: how what is shown is doing. */
  state?: ReactNode;
  /** The page's main button. */
  action?: ReactNode;
  children: ReactNode;
}

const useStyles = makeStyles({
  page: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
    padding: '24px',
    maxWidth: '1440px',
    width: '100%',
    boxSizing: 'border-box',
    margin: '0 auto',
    '@media (max-width: 600px)': { padding: '16px' },
  },
  head: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalL, flexWrap: 'wrap' },
  words: { flex: '1 1 240px', minWidth: 0, display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  title: { ...typographyStyles.title2, margin: 0, outlineStyle: 'none', overflowWrap: 'anywhere' },
  purpose: { color: tokens.colorNeutralForeground3 },
});

/** Title, purpose and main button above a page's content. */
export function Page({ title, purpose, sections = [], above, state, action, isReady = true, children }: PageProps) {
  useFirstScreen(isReady);
  const styles = useStyles();
  const titleRef = usePageTitle(title);
  // Only root may change settings.
  const linked = isRoot(sessionUser.use()) ? sections : [];
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.words}>
          {above}
          <h1 ref={titleRef} tabIndex={-1} className={styles.title}>
            {title}
          </h1>
          {state}
          {purpose && (
            <Text className={styles.purpose}>
              {purpose}
              {linked.map((section, index) => (
                <Fragment key={section}>
                  {index === 0 ? ' ' : ' · '}
                  <SettingLink section={section} />
                </Fragment>
              ))}
            </Text>
          )}
        </div>
        {action}
      </header>
      {children}
    </div>
  );
}

/** The first page is read from its top anyway. */
let isFirstPage = true;

/** A page that begins with a field to be filled in has put the cursor there; a dialog opened meanwhile keeps it, too. */
function isFocusTaken(title: Element | null): boolean {
  const { activeElement } = document;
  if (activeElement?.closest('[role="dialog"]')) return true;
  return activeElement?.matches('input, textarea') === true && title?.closest('main')?.contains(activeElement) === true;
}

/** Names the document; when the page has changed, moves the focus to its title and reads it out. */
export function usePageTitle(title: string) {
  const { system_name: systemName } = useStatus();
  const { pathname } = useLocation();
  const { announce } = useAnnounce();
  const ref = useRef<HTMLHeadingElement>(null);
  const shown = useRef(title);
  shown.current = title;
  /** Of the path before this one. */
  const before = useRef<string>(undefined);

  useEffect(() => {
    document.title = systemName ? `${title} · ${systemName}` : title;
  }, [title, systemName]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what changed
  useEffect(() => {
    // A form that opens over its list has a path of its own, and is no other page.
    const isSamePage = before.current === shown.current;
    before.current = shown.current;
    if (!isFirstPage && !isSamePage) {
      if (!isFocusTaken(ref.current)) ref.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
      announce(shown.current);
    }
    isFirstPage = false;
  }, [pathname, announce]);
  return ref;
}
