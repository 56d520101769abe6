import { makeStyles, Tab, TabList, Text, tokens } from '@fluentui/react-components';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { RowAction } from '../list/column.ts';
import { RowMenu } from '../list/row-menu.tsx';
import { Page } from '../page.tsx';
import { TextLink } from '../text-link.tsx';
import { WaitingSkeleton } from './waiting-skeleton.tsx';

export interface ObjectTab {
  /** In the address as `?tab=`; the first tab has none. */
  key: string;
  text: string;
  /** Drawn only while the tab is open. */
  content: () => ReactNode;
}

interface ObjectPageProps {
  /** The list it belongs to, above its name. */
  list: { text: string; to: string };
  name: string;
  /** `#7`, a type: small facts beside the list. */
  facts?: ReactNode;
  /** One sentence: a `StateLine`. */
  state?: ReactNode;
  /** The one thing that is done most often with it. */
  action?: ReactNode;
  /** Everything else, in the menu of its name. */
  menu?: RowAction[];
  tabs: ObjectTab[];
  isReady: boolean;
  /** In place of the tabs: what could not be loaded. */
  failure?: ReactNode;
}

const useStyles = makeStyles({
  above: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: tokens.spacingHorizontalS },
  quiet: { color: tokens.colorNeutralForeground3, minWidth: 0, overflowWrap: 'anywhere' },
  actions: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
  // Scrolled with a finger on a phone; the list of tabs alone is wider than one.
  tabs: { overflowX: 'auto', scrollbarWidth: 'thin', borderBottom: `1px solid ${tokens.colorNeutralStroke2}` },
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, minWidth: 0 },
});

/** One thing with a page of its own: name, state, what can be done, and tabs kept in the address. */
export function ObjectPage(props: ObjectPageProps) {
  const { list, name, facts, state, action, menu = [], tabs, isReady, failure } = props;
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const { open, setTab } = useTab(tabs);
  const bar = useRef<HTMLDivElement>(null);
  const key = open?.key;
  // A link may lead to a tab that a phone does not show at first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab is what changed
  useEffect(() => {
    bar.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [key]);
  return (
    <Page
      title={name}
      isReady={isReady}
      above={
        <div className={styles.above}>
          <TextLink to={list.to}>{list.text}</TextLink>
          {facts && (
            <Text size={200} className={styles.quiet}>
              {facts}
            </Text>
          )}
        </div>
      }
      state={state}
      action={
        <div className={styles.actions}>
          {action}
          {menu.length > 0 && <RowMenu name={name} actions={menu} hasMenuOnly />}
        </div>
      }
    >
      {failure ?? (
        <>
          <div ref={bar} className={styles.tabs}>
            <TabList
              aria-label={t('object.parts', { name })}
              selectedValue={open?.key ?? ''}
              onTabSelect={(_event, { value }) => setTab(String(value))}
            >
              {tabs.map(({ key, text }) => (
                <Tab key={key} value={key}>
                  {text}
                </Tab>
              ))}
            </TabList>
          </div>
          <section key={open?.key ?? ''} className={styles.content} aria-label={open?.text}>
            <Suspense fallback={<WaitingSkeleton />}>{open?.content()}</Suspense>
          </section>
        </>
      )}
    </Page>
  );
}

/** The rest of the address belongs to the tab that was open: another one starts without it. */
function useTab(tabs: ObjectTab[]) {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('tab');
  const open = tabs.find(({ key }) => key === wanted) ?? tabs[0];
  return { open, setTab: (key: string) => setSearch(key === tabs[0]?.key ? {} : { tab: key }) };
}
